/**
 * `npm run bench -- guard`: the short form of every benchmark, its ratios beside those of `ratios.json`. Fails if one has fallen by
 * more than the tolerance. `--write` writes the file anew. With names, those alone.
 */
import { readFile, writeFile } from 'node:fs/promises'

/** By name: how much of its limit or its peer the program reaches, or how much of what it says is right. More is better. */
export type Ratios = Record<string, number>

/** A ratio as it is written down, with a tolerance of its own if the usual one does not suit it. */
type Written = number | { ratio: number; tolerance: number; why: string }
type Baselines = Record<string, Record<string, Written>>

const file = new URL('ratios.json', import.meta.url)
/** A ratio may fall by this part of itself: short runs of one state differ by less on a machine that does nothing else. */
const usualTolerance = 0.15

export async function guard(benchmarks: string[], options: string[]): Promise<void> {
  const names = options.filter(option => option !== '--write')
  const unknown = names.find(name => !benchmarks.includes(name))
  if (unknown) throw new Error(`There is no benchmark ${unknown}. There are: ${benchmarks.join(', ')}.`)
  const wanted = names.length > 0 ? names : benchmarks
  const all = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Baselines
  const measured = await measureAll(wanted)
  if (options.includes('--write')) {
    const kept = names.length > 0 ? all : {}
    const fresh = Object.entries(measured).map(([name, ratios]) => [name, withTolerances(ratios, all[name])])
    await writeFile(file, `${JSON.stringify({ ...kept, ...Object.fromEntries(fresh) }, null, 2)}\n`)
    console.table(measured)
    return
  }
  const written = Object.fromEntries(Object.entries(all).filter(([name]) => wanted.includes(name)))
  const rows = compare(measured, written)
  console.table(
    rows.map(row => ({
      ...row,
      now: show(row.now),
      written: show(row.written),
      'may fall to': show(row.least),
    })),
  )
  const failed = rows.filter(({ verdict }) => verdict !== 'holds')
  if (failed.length === 0) return
  console.error(
    `${failed.length} of ${rows.length} ratios do not hold. On a machine that does something else they may fall by themselves: run it again. If a fall is meant, write the file anew with --write and give the reason in the commit.`,
  )
  process.exitCode = 1
}

async function measureAll(benchmarks: string[]): Promise<Record<string, Ratios>> {
  const all: Record<string, Ratios> = {}
  for (const name of benchmarks) {
    const { short } = (await import(`./${name}.ts`)) as { short: () => Promise<Ratios> }
    const startedMs = performance.now()
    const ratios = await short()
    all[name] = Object.fromEntries(
      Object.entries(ratios).map(([ratio, value]) => [ratio, Number(value.toPrecision(3))]),
    )
    console.log(`${name}: ${Math.round((performance.now() - startedMs) / 1000)} s`)
  }
  return all
}

interface Row {
  benchmark: string
  ratio: string
  now: number | undefined
  written: number | undefined
  least: number | undefined
  verdict: 'holds' | 'fell' | 'not measured' | 'not written'
}

function compare(measured: Record<string, Ratios>, written: Baselines): Row[] {
  const benchmarks = [...new Set([...Object.keys(written), ...Object.keys(measured)])]
  return benchmarks.flatMap(benchmark => {
    const [now = {}, before = {}] = [measured[benchmark], written[benchmark]]
    return [...new Set([...Object.keys(before), ...Object.keys(now)])].map(ratio =>
      compareOne({ benchmark, ratio, now: now[ratio] }, before[ratio]),
    )
  })
}

function compareOne(one: Pick<Row, 'benchmark' | 'ratio' | 'now'>, written: Written | undefined): Row {
  if (written === undefined) return { ...one, written, least: undefined, verdict: 'not written' }
  const { ratio, tolerance } =
    typeof written === 'number' ? { ratio: written, tolerance: usualTolerance } : written
  const least = ratio * (1 - tolerance)
  const row = { ...one, written: ratio, least }
  if (one.now === undefined) return { ...row, verdict: 'not measured' }
  return { ...row, verdict: one.now >= least ? 'holds' : 'fell' }
}

/** Ratios keep the tolerances that were written down for them. */
function withTolerances(ratios: Ratios, before: Record<string, Written> = {}): Record<string, Written> {
  const entries = Object.entries(ratios).map(([name, ratio]): [string, Written] => {
    const written = before[name]
    return [name, typeof written === 'object' ? { ...written, ratio } : ratio]
  })
  return Object.fromEntries(entries)
}

const show = (ratio: number | undefined) => ratio?.toPrecision(3) ?? ''
