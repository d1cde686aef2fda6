/** The location search: a thousand queries, whole, half typed and mistyped; and what the gazetteer costs to hold. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Place } from '../src/domain/location/place.ts'
import { loadGazetteer } from '../src/features/platforms/gazetteer.ts'

const queries = 1000
const limit = 10

export async function run(): Promise<void> {
  const heldBefore = heldMb()
  const startedMs = performance.now()
  const gazetteer = loadGazetteer()
  const loadMs = performance.now() - startedMs
  const held = heldMb() - heldBefore
  console.log(`the gazetteer, ${gazetteer.all().length} places`)
  console.table({ gazetteer: { 'load ms': Math.round(loadMs), MB: Math.round(held) } })

  const municipalities = gazetteer.all().filter(({ type }) => type === 'municipality')
  const kinds = { whole: (name: string) => name, 'half typed': halfTyped, mistyped }
  const asked = Array.from({ length: queries }, (_, turn) => {
    // The more populous half of the time: of those people ask most.
    const among = turn % 2 === 0 ? 500 : municipalities.length
    const place = municipalities[(turn * 7919) % among]!
    const kind = Object.keys(kinds)[turn % 3] as keyof typeof kinds
    return { place, kind, q: kinds[kind](place.name, turn) }
  })
  const measured = asked.map(query => ({ ...query, ...time(() => gazetteer.search({ q: query.q, limit })) }))
  console.log(`${queries} searches, the first ever among them`)
  console.table(
    Object.fromEntries(
      ['all', ...Object.keys(kinds)].map(kind => [
        kind,
        report(measured.filter(query => kind === 'all' || query.kind === kind)),
      ]),
    ),
  )
}

interface Measured {
  place: Place
  found: Place[]
  ms: number
}

function report(searches: Measured[]) {
  const times = searches.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (share: number) => times[Math.ceil(times.length * share) - 1]!.toFixed(2)
  const hits = searches.filter(({ place, found }) => found.includes(place)).length
  return {
    'p50 ms': at(0.5),
    'p99 ms': at(0.99),
    'max ms': at(1),
    [`in first ${limit} %`]: Math.round((100 * hits) / searches.length),
  }
}

function time(search: () => Place[]): { found: Place[]; ms: number } {
  const startedMs = performance.now()
  const found = search()
  return { found, ms: performance.now() - startedMs }
}

function halfTyped(name: string): string {
  return name.slice(0, Math.max(3, Math.ceil(name.length / 2)))
}

/** One letter left out, doubled or swapped with the next, in turn. */
function mistyped(name: string, turn: number): string {
  const at = 1 + (turn % Math.max(1, name.length - 2))
  const [before, letter, after] = [name.slice(0, at), name.charAt(at), name.slice(at + 1)]
  if (turn % 9 < 3) return before + after
  if (turn % 9 < 6) return before + letter + letter + after
  return before + after.charAt(0) + letter + after.slice(1)
}

function heldMb(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed / 1e6
}

if (import.meta.main) await run()
