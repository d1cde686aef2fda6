/**
 * Reads saved listing pages and compares the values with what a careful person found: `npm run bench -- listing`, or
 * `LISTING_PAGES=folder:folder npm run bench -- listing` for other pages. Peer: `parseListing`, in the same run.
 * `LISTING_DETAILS=1` prints each value that is wrong or missing. `LISTING_SITES=1` reads the pages of each site once
 * more without the words that no other site uses.
 */
import { parseListing } from '../src/domain/listing/parse-listing.ts'
import { readListing } from '../src/domain/listing/reader/read-listing.ts'
import type { Ratios } from './guard.ts'
import { listFolders, readPages, type SavedPage } from './listing-pages.ts'
import { type FieldScore, scoreListing, toListingValues } from './listing-score.ts'
import { measureSites } from './listing-sites.ts'
import { percentile } from './load.ts'

interface PageResult {
  page: SavedPage
  reader: FieldScore[]
  quick: FieldScore[]
  readerMs: number
  quickMs: number
}

const runs = 3

export async function run(): Promise<void> {
  for (const folder of listFolders()) {
    const results = readPages(folder).map(measure)
    if (results.length === 0) continue
    console.log(`${folder}: ${results.length} pages; the peer is parseListing`)
    console.table(toRows(results, ({ field }) => field))
    console.table(toRows(results, (_, page) => page.name))
    if (process.env.LISTING_DETAILS) printDetails(results)
    printTimes(results)
  }
  if (process.env.LISTING_SITES) console.table(await measureSites(listFolders().flatMap(readPages)))
}

/** Short form: the share of values that are read right, and that of values read that are not wrong. */
export async function short(): Promise<Ratios> {
  const scores = listFolders()
    .flatMap(readPages)
    .flatMap(page => measure(page).reader)
  const count = (verdict: FieldScore['verdict']) => scores.filter(score => score.verdict === verdict).length
  return {
    'values right': count('right') / scores.length,
    'read values not wrong': 1 - count('wrong') / (count('right') + count('wrong')),
  }
}

function measure(page: SavedPage): PageResult {
  const { html, url, expected } = page
  const country = typeof expected.country === 'string' ? expected.country : 'ES'
  const [found, readerMs] = time(() => readListing({ html, url, country: null, currency: null }))
  const [parsed, quickMs] = time(() => parseListing({ html, url, country, currency: 'XXX' }))
  const quickValues = parsed === null ? null : toListingValues(parsed.listing)
  if (quickValues?.currency === 'XXX') quickValues.currency = null
  return {
    page,
    reader: scoreListing(expected, found?.values ?? null, html),
    quick: scoreListing(expected, quickValues, html),
    readerMs,
    quickMs,
  }
}

/** The result, and the shortest of several runs in milliseconds. */
function time<T>(read: () => T): [T, number] {
  let result = read()
  const times: number[] = []
  for (let count = 0; count < runs; count += 1) {
    const startedMs = performance.now()
    result = read()
    times.push(performance.now() - startedMs)
  }
  return [result, Math.min(...times)]
}

function toRows(results: readonly PageResult[], toKey: (score: FieldScore, page: SavedPage) => string) {
  const count = (scores: readonly [string, FieldScore][], key: string, verdict: string) =>
    scores.filter(([name, score]) => (key === 'all' || name === key) && score.verdict === verdict).length
  const keyed = (pick: 'reader' | 'quick') =>
    results.flatMap(result =>
      result[pick].map((score): [string, FieldScore] => [toKey(score, result.page), score]),
    )
  const [reader, quick] = [keyed('reader'), keyed('quick')]
  const keys = [...new Set([...reader, ...quick].map(([key]) => key)), 'all']
  return Object.fromEntries(
    keys.map(key => {
      const [right, wrong, missing] = ['right', 'wrong', 'missing'].map(verdict =>
        count(reader, key, verdict),
      )
      const total = right! + wrong! + missing!
      return [
        key,
        {
          values: total,
          right,
          wrong,
          missing,
          'right %': Math.round((1000 * right!) / total) / 10,
          'peer right': count(quick, key, 'right'),
          'peer wrong': count(quick, key, 'wrong'),
        },
      ]
    }),
  )
}

function printDetails(results: readonly PageResult[]): void {
  for (const { page, reader } of results)
    for (const { field, verdict, expected, found } of reader)
      if (verdict !== 'right')
        console.log(`${verdict.padEnd(7)} ${page.name} ${field}: ${toText(expected)} | ${toText(found)}`)
}

function toText(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 160) ?? ''
}

function printTimes(results: readonly PageResult[]): void {
  const toFigures = (times: number[]) => ({
    'median ms': percentile(times, 0.5).toFixed(1),
    'slowest ms': Math.max(...times).toFixed(1),
  })
  const sizes = results.map(({ page }) => page.html.length)
  console.log(
    `Median page ${Math.round(percentile(sizes, 0.5) / 1000)} kB, largest ${Math.round(Math.max(...sizes) / 1000)} kB`,
  )
  console.table({
    reader: toFigures(results.map(({ readerMs }) => readerMs)),
    parseListing: toFigures(results.map(({ quickMs }) => quickMs)),
  })
}
