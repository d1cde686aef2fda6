/** Long feeds: a thread reads the same as the main thread, and malicious feeds do not block the process. */
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { context } from '../../test/crawl.ts'
import { measureShortestBlockMs } from '../../test/event-loop-block.ts'
import { createFailingPool } from '../../test/threads.ts'
import { builtInPortals } from '../app.ts'
import { HttpFailure } from '../kit/http/client.ts'
import { RequeueJob } from '../kit/jobs/job.ts'
import type { FeedSearch } from '../plugins/portal.ts'
import { findModule } from '../plugins/portal-modules.ts'
import { CrawlFailure } from './failure.ts'
import { type FeedSource, type FeedThreads, readEntries } from './feed-entries.ts'
import type { FeedBegin } from './feed-thread.ts'
import type { FeedBatch } from './read-feed.ts'

const definition = builtInPortals.find(({ id }) => id === 'portal_e')!
const portal = findModule(definition)!
const search = definition.search as FeedSearch<object>
const spain = { ...context, place: { id: 'ES', type: 'country', country: 'ES' } } as typeof context

const createProperty = (at: number, more = '') =>
  `<property><id>${at}</id><price>${100_000 + at}</price><currency>EUR</currency><price_freq>${at % 2 ? 'sale' : 'month'}</price_freq>
<type>Piso</type><town>Nerja</town><province>Málaga</province><beds>3</beds>${more}</property>`
const makeFeedText = (count: number, more = '') =>
  `<?xml version="1.0" encoding="utf-8"?><root>${Array.from({ length: count }, (_, at) => createProperty(at + 1, more)).join('\n')}</root>`

async function* splitBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 60_000) yield bytes.subarray(at, at + 60_000)
}

const toFeedSource = (
  bytes: Uint8Array,
  threadOptions: FeedSource['threadOptions'] | undefined = {
    portal,
    client: { tenantId: 'tenant', signal: new AbortController().signal },
  },
): FeedSource => ({
  search,
  searchContext: {
    contentType: undefined,
    url: 'https://portal.example/feed.xml',
    filters: { operation: 'sale', location: { id: 'spain', label: 'España' } },
    context: spain,
  },
  body: splitBytes(bytes),
  threadOptions,
})
const readAllEntries = (feed: FeedSource, threads?: FeedThreads) =>
  Array.fromAsync(readEntries(feed, threads))

describe('a long feed', () => {
  test.each([
    ['in UTF-8', (text: string) => Buffer.from(text)],
    ['packed', (text: string) => gzipSync(text)],
    ['in another encoding', (text: string) => Buffer.from(text.replace('utf-8', 'iso-8859-1'), 'latin1')],
  ])('%s is read the same on a thread and on the main thread', async (_what, encode) => {
    const bytes = encode(makeFeedText(400))
    const onThread = await readAllEntries(toFeedSource(bytes))
    expect(onThread).toEqual(await readAllEntries(toFeedSource(bytes, null)))
    expect(onThread).toHaveLength(400)
    expect(onThread[1]).toEqual({ listingId: '2' })
    expect(onThread[2]).toMatchObject({
      listingId: '3',
      card: { listing: { price: 100_003, province: 'Málaga' } },
    })
  })

  test('that was cut off yields its listings, and then fails', async () => {
    const seen: string[] = []
    const reading = (async () => {
      const bytes = Buffer.from(makeFeedText(400).slice(0, -3000))
      for await (const { listingId } of readEntries(toFeedSource(bytes))) seen.push(listingId)
    })()
    await expect(reading).rejects.toThrow(CrawlFailure)
    expect(seen.length).toBeGreaterThan(350)
  })

  test('in a broken gzip file throws HttpFailure', async () => {
    const packed = gzipSync(makeFeedText(3000))
    const broken = Buffer.concat([packed.subarray(0, packed.length / 2), Buffer.alloc(1000, 7)])
    await expect(readAllEntries(toFeedSource(broken))).rejects.toThrow(HttpFailure)
  })

  test('throws RequeueJob when the process stops', async () => {
    const client = { tenantId: 'tenant', signal: AbortSignal.abort() }
    await expect(
      readAllEntries(toFeedSource(Buffer.from(makeFeedText(400)), { portal, client })),
    ).rejects.toThrow(RequeueJob)
  })

  test('that takes too long throws CrawlFailure', async () => {
    const threads = createFailingPool<FeedBegin, FeedBatch>('it takes longer than 10 s')
    const bytes = Buffer.from(makeFeedText(400))
    await expect(readAllEntries(toFeedSource(bytes), threads)).rejects.toMatchObject({
      code: 'LAYOUT_CHANGED',
      message: "The feed can't be read: it takes longer than 10 s.",
    })
  })

  test.each([
    ['many properties', makeFeedText(4000, '<features><feature>pool</feature></features>')],
    ['one property of many features', makeFeedText(1, '<feature>Sin terraza</feature>'.repeat(30_000))],
    ['open tags', `<root>${'<property><id>1</id><a '.repeat(40_000)}</root>`],
  ])('with %s does not block the process', async (_what, text) => {
    const reading = () => readAllEntries(toFeedSource(Buffer.from(text))).catch(ignoreUnreadable)
    expect(await measureShortestBlockMs(reading, 50)).toBeLessThan(50)
  })
})

function ignoreUnreadable(error: unknown): void {
  if (!(error instanceof CrawlFailure)) throw error
}
