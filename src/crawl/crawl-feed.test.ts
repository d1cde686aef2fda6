/** Crawls of feeds yield every listing once, however the feed is encoded and wherever it breaks off. */
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  collectCrawl,
  context,
  type FeedAnswer,
  feed,
  makeFeedClient,
  makeFeedText,
  makeIds,
  makeLines,
  neverCalled,
  noValidators,
  origin,
  roundTrip,
  toListingIds,
} from '../../test/crawl.ts'
import { HttpFailure } from '../kit/http/client.ts'
import { RequeueJob } from '../kit/jobs/job.ts'
import { type Chunk, type Cursor, crawlFeed } from './crawl.ts'
import type { PortalClient, Validators } from './portal-client.ts'

const getTitles = (chunks: Chunk[]) =>
  new Set(chunks.flatMap(({ cards }) => cards.map(card => card.listing?.title)))
const first: Validators = { etag: '"1"', lastModified: null }
const second: Validators = { etag: '"2"', lastModified: null }

describe('a feed', () => {
  test('yields matching listings, and remembers the ids of the others', async () => {
    const lines = ['1;piso', '2;other', '3;broken', '1;again', '4;piso']
    const { chunks, end } = await collectCrawl(
      makeFeedClient({ bytes: Buffer.from(makeFeedText(lines)), validators: first }).crawl(),
    )
    expect(chunks).toMatchObject([
      {
        unreadableIds: ['3'],
        repeated: 1,
        pagesFetched: 1,
        reportedTotal: null,
        next: { feed: { items: 5, ...first } },
      },
    ])
    expect(toListingIds(chunks)).toEqual(['1', '4'])
    expect([...end.seenIds]).toEqual(['1', '2', '3', '4'])
    expect(end).toMatchObject({ exhaustive: true, isUnchanged: false, validators: first })
  })

  test('is split into chunks of a hundred, which count unreadable listings too', async () => {
    const lines = [...makeLines(0, 150), ...makeLines(150, 230, 'broken'), ...makeLines(230, 240, 'other')]
    const { chunks } = await collectCrawl(makeFeedClient({ bytes: Buffer.from(makeFeedText(lines)) }).crawl())
    expect(chunks.map(({ cards, unreadableIds }) => [cards.length, unreadableIds.length])).toEqual([
      [100, 0],
      [50, 50],
      [0, 30],
    ])
    expect(chunks.map(({ pagesFetched }) => pagesFetched)).toEqual([1, 0, 0])
    expect(chunks.map(({ next }) => next.feed!.items)).toEqual([100, 200, 240])
  })

  test('with a duplicate listing yields the one that matches', async () => {
    const { chunks } = await collectCrawl(
      makeFeedClient({
        bytes: Buffer.from(makeFeedText(['1;other', '2;broken', '1;piso', '2;piso'])),
      }).crawl(),
    )
    expect(toListingIds(chunks)).toEqual(['1', '2'])
  })

  test('that has not changed since the last run is not read', async () => {
    const portal = makeFeedClient({ kind: 'unchanged' })
    const { chunks, end } = await collectCrawl(portal.crawl(null, first))
    expect(chunks).toEqual([])
    expect(portal.validatorsSent).toEqual([first])
    expect(end).toMatchObject({ isUnchanged: true, validators: first })
  })

  test('is closed when the crawl is abandoned', async () => {
    const bytes = Buffer.from(makeFeedText(makeLines(0, 1000)))
    const [small, large] = [makeIds(1, 900).map(Number), [4000]]
    for (const reply of [
      { bytes, cuts: small },
      { bytes, cuts: large },
      { bytes: gzipSync(bytes), cuts: small },
    ]) {
      const portal = makeFeedClient(reply)
      const { chunks } = portal.crawl()
      await chunks.next()
      await chunks.return()
      // A gunzip stream closes its source in a later turn.
      await new Promise(resolve => setImmediate(resolve))
      expect(portal.closedCount()).toBe(1)
    }
  })

  test.each<[string, FeedAnswer, object]>([
    ['is gone', { kind: 'gone' }, { code: 'PORTAL_UNAVAILABLE' }],
    ['is disallowed', { kind: 'disallowed' }, { code: 'ROBOTS_DISALLOWED' }],
    ['redirects', { kind: 'moved', to: '/login' }, { code: 'BLOCKED' }],
    ['is cut short', { bytes: Buffer.from('1;piso\n') }, { code: 'LAYOUT_CHANGED' }],
    ['is cut short in a gzip file', { bytes: gzipSync('1;piso\n') }, { code: 'LAYOUT_CHANGED' }],
    ['is empty', { bytes: Buffer.alloc(0) }, { code: 'LAYOUT_CHANGED' }],
    ['is one byte', { bytes: Buffer.from('x') }, { code: 'LAYOUT_CHANGED' }],
    ['is a page', { bytes: Buffer.from('<html>Not here</html>') }, { code: 'LAYOUT_CHANGED' }],
  ])('that %s is a failure', async (_how, reply, failure) => {
    const portal = makeFeedClient(reply)
    await expect(collectCrawl(portal.crawl())).rejects.toMatchObject(failure)
    expect(portal.validatorsSent).toHaveLength(1)
  })
})

describe('a feed that breaks off', () => {
  const bytes = Buffer.from(makeFeedText(makeLines(0, 350)))

  test('is reopened and continued, and yields every listing once', async () => {
    const portal = makeFeedClient(
      { bytes, validators: first, breaksAt: 1500 },
      { bytes, validators: first, breaksAt: 200 },
      { bytes, validators: first },
    )
    const { chunks, end } = await collectCrawl(portal.crawl())
    expect(toListingIds(chunks)).toEqual(makeIds(0, 350))
    expect(chunks.reduce((sum, { repeated }) => sum + repeated, 0)).toBe(0)
    expect(chunks.reduce((sum, { pagesFetched }) => sum + pagesFetched, 0)).toBe(1)
    expect([end.seenIds.size, end.exhaustive, portal.validatorsSent.length]).toEqual([350, true, 3])
  })

  const silence = { breaksAt: 200, breaksWith: new HttpFailure('timeout', 'no data for 20000 ms') }
  test.each([
    ['breaks off', { bytes, breaksAt: 200 }, 4, 'PORTAL_UNAVAILABLE'],
    ['is half a gzip file', { bytes: gzipSync(bytes).subarray(0, 300) }, 4, 'PORTAL_UNAVAILABLE'],
    ['stalls', { bytes, ...silence }, 4, 'TIMEOUT'],
    ['stalls within a gzip file', { bytes: gzipSync(bytes), ...silence }, 4, 'TIMEOUT'],
  ])('fails when it %s each time', async (_how, reply, times, code) => {
    const portal = makeFeedClient(reply)
    await expect(collectCrawl(portal.crawl())).rejects.toMatchObject({ code })
    expect([portal.validatorsSent.length, portal.closedCount()]).toEqual([times, times])
  })

  test('yields all listings read before the final failure', async () => {
    const { chunks } = makeFeedClient({ bytes, validators: first, breaksAt: 1500 }).crawl()
    const shown: Chunk[] = []
    const crawl = async () => {
      for await (const chunk of chunks) shown.push(chunk)
    }
    await expect(crawl()).rejects.toMatchObject({ code: 'PORTAL_UNAVAILABLE' })
    expect(shown.map(({ cards }) => cards.length)).toEqual([100, 78])
    expect(toListingIds(shown)).toEqual(makeIds(0, 178))
    expect(shown.at(-1)!.next.feed).toEqual({ items: 178, ...first })
  })

  test.each([bytes, gzipSync(bytes)])('because the process stops is not reopened', async packed => {
    const portal = makeFeedClient({ bytes: packed, breaksAt: 200, breaksWith: new RequeueJob() })
    await expect(collectCrawl(portal.crawl())).rejects.toBeInstanceOf(RequeueJob)
    expect(portal.validatorsSent).toHaveLength(1)
  })

  test('is read from the start if its version has changed, and yields the new listings', async () => {
    const changed = makeFeedText([...makeLines(500, 520), ...makeLines(0, 350).slice(100), '7;piso'])
    const portal = makeFeedClient(
      { bytes, validators: first, breaksAt: 1500 },
      { bytes: Buffer.from(changed), validators: second },
    )
    const { chunks, end } = await collectCrawl(portal.crawl())
    expect(new Set(toListingIds(chunks))).toEqual(new Set([...makeIds(0, 350), ...makeIds(500, 520)]))
    expect(toListingIds(chunks)).toHaveLength(370)
    expect(end.validators).toEqual(second)
    expect(chunks.at(-1)!.next.feed).toEqual({ items: 271, ...second })
  })

  test('yields a listing that matches only in the next version', async () => {
    const [before, after] = [
      ['0;other', '1;broken'],
      ['0;piso', '1;piso'],
    ].map(lines => Buffer.from(makeFeedText([...lines, ...makeLines(2, 150)])))
    const portal = makeFeedClient(
      { bytes: before!, validators: first, breaksAt: 1200 },
      { bytes: after!, validators: second },
    )
    expect(
      toListingIds((await collectCrawl(portal.crawl())).chunks).toSorted((a, b) => Number(a) - Number(b)),
    ).toEqual(makeIds(0, 150))
  })

  test('because it is too large is not reopened', async () => {
    const portal = makeFeedClient({ bytes })
    const client: PortalClient = {
      fetchPage: neverCalled,
      openFeed: async () => ({
        kind: 'feed',
        contentType: undefined,
        url: origin,
        validators: noValidators,
        threadOptions: null,
        // biome-ignore lint/correctness/useYield: it fails before its first byte
        body: (async function* () {
          portal.validatorsSent.push(undefined)
          throw new HttpFailure('too-large', 'too large')
        })(),
      }),
    }
    const { chunks } = crawlFeed(feed, { client, filters: {}, context, cursor: null, isIncremental: false })
    await expect(chunks.next()).rejects.toMatchObject({ code: 'PORTAL_UNAVAILABLE' })
    expect(portal.validatorsSent).toHaveLength(1)
  })
})

describe('any encoding and fragmentation', () => {
  const word = 'Logroño, ático: 1 €'
  const lines = makeLines(0, 230, word)
  const inWindows1252 = (text: string) =>
    Buffer.from(text.replace('UTF-8', 'windows-1252').replaceAll('€', '\x80'), 'latin1')
  const preamble = '<?xml version="1.0" encoding="UTF-8"?>\n'
  const whole = preamble + makeFeedText(lines)
  const encodings: [string, Buffer, string | undefined][] = [
    ['UTF-8', Buffer.from(whole), undefined],
    ['windows-1252 by its declaration', inWindows1252(whole), 'application/xml'],
    ['windows-1252 by its header', inWindows1252(makeFeedText(lines)), 'text/plain; charset=windows-1252'],
    ['UTF-16', Buffer.from(`\uFEFF${whole}`, 'utf16le'), undefined],
  ]

  test.each(encodings)(
    '%s, compressed or not, split anywhere: reads the same listings',
    (_name, plain, contentType) =>
      fc.assert(
        fc.asyncProperty(
          fc.boolean(),
          fc.array(fc.oneof(fc.nat({ max: 60 }), fc.nat({ max: plain.length })), { maxLength: 30 }),
          async (isPacked, cuts) => {
            const bytes = isPacked ? gzipSync(plain) : plain
            const reply = { bytes, cuts, ...(contentType === undefined ? {} : { contentType }) }
            const { chunks } = await collectCrawl(makeFeedClient(reply).crawl())
            expect(toListingIds(chunks)).toEqual(makeIds(0, 230))
            expect(getTitles(chunks)).toEqual(new Set([word]))
          },
        ),
        { numRuns: 60 },
      ),
  )

  test('broken off anywhere up to three times, compressed or not: yields every listing once, in order', () =>
    fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
        fc.array(fc.nat({ max: 6000 }), { maxLength: 8 }),
        async (isPacked, breaks, cuts) => {
          const bytes = isPacked ? gzipSync(whole) : Buffer.from(whole)
          const reply = { bytes, cuts, validators: first }
          const broken = breaks.map(part => ({ ...reply, breaksAt: Math.floor(part * bytes.length) }))
          const { chunks, end } = await collectCrawl(makeFeedClient(...broken, reply).crawl())
          expect(toListingIds(chunks)).toEqual(makeIds(0, 230))
          expect([end.seenIds.size, chunks.reduce((sum, { repeated }) => sum + repeated, 0)]).toEqual([
            230, 0,
          ])
        },
      ),
      { numRuns: 100 },
    ))
})

describe('a resumed feed', () => {
  const bytes = Buffer.from(makeFeedText(makeLines(0, 350)))

  test('continues after any chunk, and still collects all ids', async () => {
    const reply = { bytes, validators: first }
    const { chunks } = await collectCrawl(makeFeedClient(reply).crawl())
    for (const [at, { next }] of chunks.entries()) {
      const portal = makeFeedClient(reply)
      const { chunks: rest, end } = await collectCrawl(portal.crawl(roundTrip(next), first))
      expect(toListingIds(rest)).toEqual(toListingIds(chunks.slice(at + 1)))
      expect(end.seenIds.size).toBe(350)
      // Requested unconditionally: a 304 would be of no use.
      expect(portal.validatorsSent).toEqual([undefined])
      expect(rest.reduce((sum, { pagesFetched }) => sum + pagesFetched, 0)).toBe(0)
    }
  })

  test.each<[what: string, continues: boolean, before: Validators, now: Validators]>([
    ['an entity tag that is the same', true, first, first],
    ['another entity tag', false, first, second],
    ['no entity tag any more', false, first, { etag: null, lastModified: 'x' }],
    ['the same date', true, { etag: null, lastModified: 'x' }, { etag: null, lastModified: 'x' }],
    ['another date', false, { etag: null, lastModified: 'x' }, { etag: null, lastModified: 'y' }],
    ['no validators', false, noValidators, noValidators],
  ])('continues at its position after %s: %s', async (_what, continues, before, now) => {
    const cursor: Cursor = { requests: [], feed: { items: 100, ...before } }
    const { chunks } = await collectCrawl(makeFeedClient({ bytes, validators: now }).crawl(cursor))
    expect(toListingIds(chunks)).toEqual(makeIds(continues ? 100 : 0, 350))
  })
})
