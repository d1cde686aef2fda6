/**
 * `npm run bench -- guard`: the short form of every benchmark that is held against a limit, its ratios beside those of
 * `ratios.json`. Fails if one has fallen by more than the tolerance. `--write` writes the file anew. With names, those alone.
 */
import { readFile, writeFile } from 'node:fs/promises'

/** By name: how much of its limit the program reaches. More is better. */
export type Ratios = Record<string, number>

const file = new URL('ratios.json', import.meta.url)
/** A ratio may fall by this part of itself: short runs of one state differ by less on a machine that does nothing else. */
const tolerance = 0.15

export async function guard(benchmarks: string[], options: string[]): Promise<void> {
  const names = options.filter(option => option !== '--write')
  const unknown = names.find(name => !benchmarks.includes(name))
  if (unknown) throw new Error(`There is no benchmark ${unknown}. There are: ${benchmarks.join(', ')}.`)
  const wanted = names.length > 0 ? names : benchmarks
  const all = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Record<string, Ratios>
  const measured = await measureAll(wanted)
  if (options.includes('--write')) {
    const kept = names.length > 0 ? all : {}
    await writeFile(file, `${JSON.stringify({ ...kept, ...measured }, null, 2)}\n`)
    console.table(measured)
    return
  }
  const written = Object.fromEntries(Object.entries(all).filter(([name]) => wanted.includes(name)))
  const rows = compare(measured, written)
  console.table(
    rows.map(row => ({
      ...row,
      now: row.now?.toFixed(2) ?? '',
      written: row.written?.toFixed(2) ?? '',
      'may fall to': row.written === undefined ? '' : (row.written * (1 - tolerance)).toFixed(2),
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
    const { short } = (await import(`./${name}.ts`)) as { short?: () => Promise<Ratios> }
    if (!short) continue
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
  verdict: 'holds' | 'fell' | 'not measured' | 'not written'
}

function compare(measured: Record<string, Ratios>, written: Record<string, Ratios>): Row[] {
  const benchmarks = [...new Set([...Object.keys(written), ...Object.keys(measured)])]
  return benchmarks.flatMap(benchmark => {
    const [now = {}, before = {}] = [measured[benchmark], written[benchmark]]
    return [...new Set([...Object.keys(before), ...Object.keys(now)])].map(ratio => ({
      benchmark,
      ratio,
      now: now[ratio],
      written: before[ratio],
      verdict: judge(now[ratio], before[ratio]),
    }))
  })
}

function judge(now: number | undefined, written: number | undefined): Row['verdict'] {
  if (now === undefined) return 'not measured'
  if (written === undefined) return 'not written'
  return now >= written * (1 - tolerance) ? 'holds' : 'fell'
}
