/**
 * Reads hostile pages of up to 8 MB with the listing reader and the finder of cards: `npm run bench -- long-pages`. Every
 * page should take less than 200 ms of its thread. `LONG_PAGES=pattern` selects pages by name.
 */
import { findCards } from '../src/domain/listing/find-cards.ts'
import { readListing } from '../src/domain/listing/reader/read-listing.ts'
import type { Ratios } from './guard.ts'
import { listLongPages } from './hostile/long-pages.ts'
import { percentile } from './load.ts'

const limitMs = 200
/** Slow pages are read again: other work on the machine makes a reading slow, too. */
const attempts = 4
const url = 'https://portal.example/venta/casa-12345678/'
const readPage = {
  readListing: (html: string) => readListing({ html, url, country: null, currency: null }),
  findCards: (html: string) => findCards({ html, url }),
}
type Reader = keyof typeof readPage
const readerNames = Object.keys(readPage) as Reader[]

type Times = Record<Reader, number>

export async function run(): Promise<void> {
  const pattern = new RegExp(process.env.LONG_PAGES ?? '')
  const pages = listLongPages().filter(([name]) => pattern.test(name))
  const rows = pages.map(([name, makePage]): [string, Times] => [name, measure(makePage())])
  const slowest = (times: Times) => Math.max(...Object.values(times))
  console.log(`${rows.length} pages, milliseconds of the thread; the slowest pages:`)
  console.table(Object.fromEntries(rows.toSorted(([, a], [, b]) => slowest(b) - slowest(a)).slice(0, 25)))
  console.table(
    Object.fromEntries(readerNames.map(name => [name, summarize(rows.map(([, times]) => times[name]))])),
  )
}

/** Short form: the share of pages that are read within the limit. */
export async function short(): Promise<Ratios> {
  const pages = listLongPages().filter((_, index) => index % 12 === 0)
  const times = pages.flatMap(([, makePage]) => Object.values(measure(makePage())))
  return { 'long pages read in time': times.filter(ms => ms < limitMs).length / times.length }
}

function measure(page: string): Times {
  // One string, as pages are that come from the network.
  const html = Buffer.from(page).toString()
  return { readListing: measureMs('readListing', html), findCards: measureMs('findCards', html) }
}

function measureMs(name: Reader, html: string): number {
  let minMs = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < attempts && minMs >= limitMs / 2; attempt += 1) {
    const before = process.threadCpuUsage()
    readPage[name](html)
    const { user, system } = process.threadCpuUsage(before)
    minMs = Math.min(minMs, (user + system) / 1000)
  }
  return Math.round(minMs)
}

function summarize(times: readonly number[]) {
  return {
    'median ms': percentile([...times], 0.5),
    'slowest ms': Math.max(...times),
    [`over ${limitMs} ms`]: times.filter(ms => ms >= limitMs).length,
  }
}
