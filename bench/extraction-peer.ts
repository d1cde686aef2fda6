/**
 * Crawlee's CheerioCrawler reads the pages of `urls.json` in a folder, and writes their facts to a file. Prints
 * seconds and memory.
 */
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio'

const folder = process.argv[2]!
const urls = JSON.parse(await readFile(join(folder, 'urls.json'), 'utf8')) as string[]
const file = createWriteStream(join(folder, 'listings.ndjson'))
log.setLevel(log.LEVELS.ERROR)
const crawler = new CheerioCrawler(
  {
    minConcurrency: 16,
    maxConcurrency: 16,
    useSessionPool: false,
    async requestHandler({ $, request }) {
      const jsonLd = $('script[type="application/ld+json"]')
        .toArray()
        .map(element => JSON.parse($(element).text()) as unknown)
      const meta = Object.fromEntries(
        $('meta[property]')
          .toArray()
          .map(element => [$(element).attr('property'), $(element).attr('content')]),
      )
      const facts = { url: request.url, title: $('h1').text().trim(), text: $('main').text().slice(0, 2000) }
      file.write(`${JSON.stringify({ ...facts, jsonLd, meta })}\n`)
    },
  },
  new Configuration({ persistStorage: false, systemInfoV2: true }),
)
const startedMs = performance.now()
await crawler.run(urls)
file.end()
const seconds = (performance.now() - startedMs) / 1000
if (crawler.stats.state.requestsFinished !== urls.length)
  throw new Error(`the peer read ${crawler.stats.state.requestsFinished} of ${urls.length} pages`)
const status = await readFile('/proc/self/status', 'utf8')
console.log(JSON.stringify({ seconds, peakMb: Number(/VmHWM:\s+(\d+)/.exec(status)![1]) / 1024 }))
process.exit(0)
