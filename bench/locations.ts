/**
 * The location search: a thousand complete, incomplete and mistyped queries, compared with a plain prefix search; and
 * the memory of the gazetteer.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Gazetteer } from '../src/domain/location/gazetteer.ts'
import type { Place } from '../src/domain/location/place.ts'
import { foldName } from '../src/domain/location/words.ts'
import { loadGazetteer } from '../src/features/platforms/gazetteer.ts'
import type { Ratios } from './guard.ts'
import { median } from './load.ts'

const queryCount = 1000
const limit = 10
const rounds = 7
const kinds = { whole: (name: string) => name, 'half typed': truncateName, mistyped: mistypeName }
type Kind = keyof typeof kinds

export async function run(): Promise<void> {
  const heapBeforeMb = measureHeapMb()
  const startedMs = performance.now()
  const gazetteer = loadGazetteer()
  const loadMs = performance.now() - startedMs
  const heapMb = measureHeapMb() - heapBeforeMb
  console.log(`the gazetteer, ${gazetteer.listPlaces().length} places`)
  console.table({ gazetteer: { 'load ms': Math.round(loadMs), MB: Math.round(heapMb) } })

  const measured = searchAll(makeQueries(gazetteer), ({ q }) => gazetteer.search({ q, limit }))
  console.log(`${queryCount} searches, including the first one of the process`)
  console.table(
    Object.fromEntries(
      ['all', ...Object.keys(kinds)].map(kind => [
        kind,
        toTableRow(measured.filter(query => kind === 'all' || query.kind === kind)),
      ]),
    ),
  )
}

/** Short form: the shares of found places, which are deterministic, and the speed relative to the plain search. */
export async function short(): Promise<Ratios> {
  const gazetteer = loadGazetteer()
  const queries = makeQueries(gazetteer)
  const plain = createPlainSearch(gazetteer)
  const paces: number[] = []
  let measured: Measured[] = []
  for (let round = 0; round <= rounds; round++) {
    const peer = totalMs(searchAll(queries, ({ q }) => plain(q)))
    measured = searchAll(queries, ({ q }) => gazetteer.search({ q, limit }))
    // The first round is a warm-up.
    if (round > 0) paces.push(peer / totalMs(measured))
  }
  const found = (kind: Kind) => computeShareFound(measured.filter(query => query.kind === kind))
  return {
    'whole names found': found('whole'),
    'half typed names found': found('half typed'),
    'mistyped names found': found('mistyped'),
    'searches/s of a plain search': median(paces),
  }
}

interface Query {
  place: Place
  kind: Kind
  q: string
}

interface Measured extends Query {
  found: Place[]
  ms: number
}

function makeQueries(gazetteer: Gazetteer): Query[] {
  const municipalities = gazetteer.listPlaces().filter(({ type }) => type === 'municipality')
  return Array.from({ length: queryCount }, (_, turn) => {
    // Half of the queries are for the most populous places, as in practice.
    const candidateCount = turn % 2 === 0 ? 500 : municipalities.length
    const place = municipalities[(turn * 7919) % candidateCount]!
    const kind = Object.keys(kinds)[turn % 3] as Kind
    return { place, kind, q: kinds[kind](place.name, turn) }
  })
}

/** Creates the plain search, which returns the most important places whose name begins with the text, ignoring accents and case. */
function createPlainSearch(gazetteer: Gazetteer): (q: string) => Place[] {
  const places = gazetteer.listPlaces().map(place => ({ place, names: place.names.map(foldName) }))
  return q => {
    const text = foldName(q)
    const found: Place[] = []
    for (const { place, names } of places) {
      if (found.length === limit) break
      if (names.some(name => name.startsWith(text))) found.push(place)
    }
    return found
  }
}

function searchAll(queries: Query[], search: (query: Query) => Place[]): Measured[] {
  return queries.map(query => ({ ...query, ...measureTime(() => search(query)) }))
}

const totalMs = (searches: Measured[]) => searches.reduce((sum, { ms }) => sum + ms, 0)

function computeShareFound(searches: Measured[]): number {
  return searches.filter(({ place, found }) => found.includes(place)).length / searches.length
}

function toTableRow(searches: Measured[]) {
  const times = searches.map(({ ms }) => ms).sort((a, b) => a - b)
  const quantile = (share: number) => times[Math.ceil(times.length * share) - 1]!.toFixed(2)
  return {
    'p50 ms': quantile(0.5),
    'p99 ms': quantile(0.99),
    'max ms': quantile(1),
    [`in first ${limit} %`]: Math.round(100 * computeShareFound(searches)),
  }
}

function measureTime(search: () => Place[]): { found: Place[]; ms: number } {
  const startedMs = performance.now()
  const found = search()
  return { found, ms: performance.now() - startedMs }
}

function truncateName(name: string): string {
  return name.slice(0, Math.max(3, Math.ceil(name.length / 2)))
}

/** Omits, doubles or swaps one letter, in turn. */
function mistypeName(name: string, turn: number): string {
  const at = 1 + (turn % Math.max(1, name.length - 2))
  const [before, letter, after] = [name.slice(0, at), name.charAt(at), name.slice(at + 1)]
  if (turn % 9 < 3) return before + after
  if (turn % 9 < 6) return before + letter + letter + after
  return before + after.charAt(0) + letter + after.slice(1)
}

function measureHeapMb(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed / 1e6
}

if (import.meta.main) await run()
