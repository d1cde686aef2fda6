/**
 * `npm run bench -- guard`: runs the short form of every benchmark, or of those named, and compares its ratios with
 * `ratios.json`. Fails if one has fallen by more than its tolerance. `--write` rewrites the file.
 */
import { readFile, writeFile } from 'node:fs/promises'

/** Ratios by name: speed relative to a limit or a peer, or the share of correct results. More is better. */
export type Ratios = Record<string, number>

/** A stored ratio, with its own tolerance if the default does not fit. */
type Recorded = number | { ratio: number; tolerance: number; why: string }
type Baselines = Record<string, Record<string, Recorded>>

const file = new URL('ratios.json', import.meta.url)
/** Default tolerance, as a share of the ratio: short runs differ by less on an idle machine. */
const defaultTolerance = 0.15

export async function guard(benchmarks: string[], options: string[]): Promise<void> {
  const names = options.filter(option => option !== '--write')
  const unknown = names.find(name => !benchmarks.includes(name))
  if (unknown) throw new Error(`There is no benchmark ${unknown}. There are: ${benchmarks.join(', ')}.`)
  const selected = names.length > 0 ? names : benchmarks
  const all = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Baselines
  const measured = await measureAll(selected)
  if (options.includes('--write')) {
    const otherBenchmarks = names.length > 0 ? all : {}
    const updated = Object.entries(measured).map(([name, ratios]) => [
      name,
      withTolerances(ratios, all[name]),
    ])
    await writeFile(
      file,
      `${JSON.stringify({ ...otherBenchmarks, ...Object.fromEntries(updated) }, null, 2)}\n`,
    )
    console.table(measured)
    return
  }
  const recorded = Object.fromEntries(Object.entries(all).filter(([name]) => selected.includes(name)))
  const rows = compare(measured, recorded)
  console.table(
    rows.map(row => ({
      ...row,
      now: formatRatio(row.now),
      recorded: formatRatio(row.recorded),
      'may fall to': formatRatio(row.min),
    })),
  )
  const failed = rows.filter(({ verdict }) => verdict !== 'holds')
  if (failed.length === 0) return
  console.error(
    `${failed.length} of ${rows.length} ratios have fallen or are missing. Other work on the machine can cause this: run it again. If the change is intended, rewrite the file with --write and give the reason in the commit.`,
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
  recorded: number | undefined
  min: number | undefined
  verdict: 'holds' | 'fell' | 'not measured' | 'not recorded'
}

function compare(measured: Record<string, Ratios>, recorded: Baselines): Row[] {
  const benchmarks = [...new Set([...Object.keys(recorded), ...Object.keys(measured)])]
  return benchmarks.flatMap(benchmark => {
    const [now = {}, previous = {}] = [measured[benchmark], recorded[benchmark]]
    return [...new Set([...Object.keys(previous), ...Object.keys(now)])].map(ratio =>
      compareOne({ benchmark, ratio, now: now[ratio] }, previous[ratio]),
    )
  })
}

function compareOne(one: Pick<Row, 'benchmark' | 'ratio' | 'now'>, recorded: Recorded | undefined): Row {
  if (recorded === undefined) return { ...one, recorded, min: undefined, verdict: 'not recorded' }
  const { ratio, tolerance } =
    typeof recorded === 'number' ? { ratio: recorded, tolerance: defaultTolerance } : recorded
  const min = ratio * (1 - tolerance)
  const row = { ...one, recorded: ratio, min }
  if (one.now === undefined) return { ...row, verdict: 'not measured' }
  return { ...row, verdict: one.now >= min ? 'holds' : 'fell' }
}

/** Ratios keep their stored tolerances. */
function withTolerances(ratios: Ratios, previous: Record<string, Recorded> = {}): Record<string, Recorded> {
  const entries = Object.entries(ratios).map(([name, ratio]): [string, Recorded] => {
    const recorded = previous[name]
    return [name, typeof recorded === 'object' ? { ...recorded, ratio } : ratio]
  })
  return Object.fromEntries(entries)
}

const formatRatio = (ratio: number | undefined) => ratio?.toPrecision(3) ?? ''
