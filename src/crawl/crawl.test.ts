/** Crawls of paged searches: the listings they yield, their cursors, and their gaps. */
import { describe, expect, test } from 'vitest'
import {
  collectCrawl,
  context,
  neverCalled,
  noValidators,
  origin,
  roundTrip,
  toListingIds,
} from '../../test/crawl.ts'
import type { Card, PagedSearch, PortalRequest } from '../plugins/portal.ts'
import { type Cursor, crawlPages } from './crawl.ts'
import type { PageReply, PortalClient } from './portal-client.ts'

const createCard = (listingId: string): Card => ({ listingId, path: `/${listingId}` })

interface Page {
  ids: string[]
  /** Paths. */
  next?: string[]
  total?: number
  withdrawnIds?: string[]
}

type Answer = Page | 'challenge' | Exclude<PageReply, { kind: 'page' }>

/** A portal whose first page is `/1`. Missing pages are gone. */
function createPortal(pages: Record<string, Answer>) {
  const requests: string[] = []
  const client: PortalClient = {
    async fetchPage({ path }) {
      requests.push(path)
      const reply = pages[path] ?? { kind: 'gone' }
      if (typeof reply === 'object' && 'kind' in reply) return reply
      const document = { text: JSON.stringify(reply), url: origin + path }
      return { kind: 'page', document, validators: noValidators }
    },
    openFeed: neverCalled,
  }
  return {
    requests,
    crawl: (cursor: Cursor | null = null) => crawlPages(search, { client, filters: {}, context, cursor }),
  }
}

const search: PagedSearch<object> = {
  kind: 'pages',
  coverage: 'all',
  cards: 'addresses',
  start: () => ({ path: '/1' }),
  read({ text }) {
    const page: Page | 'challenge' = JSON.parse(text)
    if (page === 'challenge') return { kind: 'unreadable', reason: 'challenge', detail: 'a check' }
    const { ids, next = [], total = null, withdrawnIds = [] } = page
    return {
      kind: 'page',
      total,
      withdrawnIds,
      cards: ids.map(createCard),
      next: next.map((path): PortalRequest => ({ path })),
    }
  },
}

describe('pages', () => {
  test('are followed from link to link, and the crawl is exhaustive', async () => {
    const { requests, crawl } = createPortal({
      '/1': { ids: ['a', 'b'], next: ['/2'], total: 5 },
      '/2': { ids: ['c', 'd'], next: ['/3'], total: 5 },
      '/3': { ids: ['e'], withdrawnIds: ['x'], total: 5 },
    })
    const { chunks, end } = await collectCrawl(crawl())
    expect(requests).toEqual(['/1', '/2', '/3'])
    expect(toListingIds(chunks)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(chunks.map(({ next }) => next)).toEqual([
      { requests: [{ path: '/2' }] },
      { requests: [{ path: '/3' }] },
      { requests: [] },
    ])
    expect(chunks[2]).toMatchObject({ withdrawnIds: ['x'], reportedTotal: 5, pagesFetched: 1, repeated: 0 })
    expect(end).toMatchObject({ exhaustive: true, isUnchanged: false, validators: null })
    expect([...end.seenIds]).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('that an index lists are crawled part by part, each to its end, in order', async () => {
    const { crawl } = createPortal({
      '/1': { ids: [], next: ['/a', '/b'] },
      '/a': { ids: ['a1'], next: ['/a2'] },
      '/a2': { ids: ['a2'] },
      '/b': { ids: [], next: ['/b1', '/b2'] },
      '/b1': { ids: ['b1'] },
      '/b2': { ids: ['b2'] },
    })
    const { chunks, end } = await collectCrawl(crawl())
    expect(toListingIds(chunks)).toEqual(['a1', 'a2', 'b1', 'b2'])
    expect(end.exhaustive).toBe(true)
    expect(chunks[0]!.next.requests.map(({ path }) => path)).toEqual(['/a', '/b'])
  })

  test('yield one empty chunk if the search has no results', async () => {
    const { chunks, end } = await collectCrawl(createPortal({ '/1': { ids: [], total: 0 } }).crawl())
    expect(chunks).toMatchObject([{ cards: [], reportedTotal: 0, next: { requests: [] } }])
    expect(end.exhaustive).toBe(true)
  })

  test('yield a listing only once, and count its repetitions', async () => {
    const { chunks } = await collectCrawl(
      createPortal({ '/1': { ids: ['a', 'b', 'a'], next: ['/2'] }, '/2': { ids: ['b', 'c'] } }).crawl(),
    )
    expect(chunks.map(chunk => [toListingIds([chunk]), chunk.repeated])).toEqual([
      [['a', 'b'], 1],
      [['c'], 1],
    ])
  })

  test('are fetched only when their chunk is requested', async () => {
    const { requests, crawl } = createPortal({ '/1': { ids: ['a'], next: ['/2'] }, '/2': { ids: ['b'] } })
    const { chunks } = crawl()
    expect(requests).toEqual([])
    await chunks.next()
    expect(requests).toEqual(['/1'])
    await chunks.return()
    expect(requests).toEqual(['/1'])
  })
})

describe('a page of thousands', () => {
  const ids = Array.from({ length: 250 }, (_, at) => `${at}`)
  const pages = { '/1': { ids, next: ['/2'], total: 251, withdrawnIds: ['x'] }, '/2': { ids: ['last'] } }

  test('is split into chunks of a hundred, and counts as one page', async () => {
    const { chunks } = await collectCrawl(createPortal(pages).crawl())
    expect(chunks.map(({ cards }) => cards.length)).toEqual([100, 100, 50, 1])
    expect(chunks.map(({ pagesFetched }) => pagesFetched)).toEqual([1, 0, 0, 1])
    expect(chunks.map(({ withdrawnIds }) => withdrawnIds)).toEqual([['x'], [], [], []])
    expect(toListingIds(chunks)).toEqual([...ids, 'last'])
  })

  test('can be resumed after any chunk', async () => {
    const { chunks } = await collectCrawl(createPortal(pages).crawl())
    for (const [at, { next }] of chunks.entries()) {
      const resumed = await collectCrawl(createPortal(pages).crawl(roundTrip(next)))
      expect(toListingIds(resumed.chunks)).toEqual(toListingIds(chunks.slice(at + 1)))
      expect(resumed.chunks.every(({ repeated }) => repeated === 0)).toBe(true)
      expect(resumed.end.exhaustive).toBe(true)
    }
  })

  test('is read from the start if the listing of the cursor is no longer on it', async () => {
    const [first] = (await collectCrawl(createPortal(pages).crawl())).chunks
    const without = { ...pages, '/1': { ...pages['/1'], ids: ids.filter(id => id !== '99') } }
    const { chunks } = await collectCrawl(createPortal(without).crawl(roundTrip(first!.next)))
    expect(toListingIds(chunks)).toEqual([...without['/1'].ids, 'last'])
  })

  test('is finished if its last listing is that of the cursor', async () => {
    const { chunks, end } = await collectCrawl(
      createPortal(pages).crawl({ requests: [{ path: '/1' }], after: '249' }),
    )
    expect(toListingIds(chunks)).toEqual(['last'])
    expect(end.exhaustive).toBe(true)
  })
})

describe('a portal that repeats pages', () => {
  test.each<[string, Record<string, Answer>, string[], string[]]>([
    [
      'by linking back to an earlier page',
      { '/1': { ids: ['a'], next: ['/2'] }, '/2': { ids: ['b'], next: ['/1'] } },
      ['/1', '/2'],
      ['a', 'b'],
    ],
    [
      'by serving the last page under new addresses',
      {
        '/1': { ids: ['a'], next: ['/2'] },
        '/2': { ids: ['b', 'c'], next: ['/3'] },
        '/3': { ids: ['b', 'c'], next: ['/4'] },
        '/4': { ids: ['b', 'c'], next: ['/5'] },
      },
      ['/1', '/2', '/3'],
      ['a', 'b', 'c'],
    ],
    ['by naming a page as its own next', { '/1': { ids: ['a'], next: ['/1'] } }, ['/1'], ['a']],
    [
      'in one part of an index',
      { '/1': { ids: [], next: ['/a', '/b'] }, '/a': { ids: ['a'], next: ['/a'] }, '/b': { ids: ['b'] } },
      ['/1', '/a', '/b'],
      ['a', 'b'],
    ],
  ])('%s ends the crawl with gaps', async (_how, pages, paths, ids) => {
    const { requests, crawl } = createPortal(pages)
    const { chunks, end } = await collectCrawl(crawl())
    expect([requests, toListingIds(chunks), end.exhaustive]).toEqual([paths, ids, false])
  })

  test('ends wherever the crawl is resumed', async () => {
    const pages = {
      '/1': { ids: ['a'], next: ['/2'] },
      '/2': { ids: ['b'], next: ['/3'] },
      '/3': { ids: ['c'], next: ['/2'] },
    }
    const { chunks } = await collectCrawl(createPortal(pages).crawl())
    for (const { next } of chunks) {
      const { requests, crawl } = createPortal(pages)
      const { end } = await collectCrawl(crawl(roundTrip(next)))
      expect(requests.length).toBeLessThanOrEqual(3)
      expect(end.exhaustive).toBe(false)
    }
  })
})

describe('a page that cannot be read', () => {
  const behind = {
    '/1': { ids: ['a'], next: ['/2', '/3'] },
    '/3': { ids: ['c'], next: ['/4'] },
    '/4': { ids: ['d'] },
  }

  test('is a failure if it is the first', async () => {
    await expect(collectCrawl(createPortal({}).crawl())).rejects.toMatchObject({ code: 'PORTAL_UNAVAILABLE' })
  })

  test('is a gap if it is a later one, which the cursor remembers', async () => {
    const { chunks, end } = await collectCrawl(createPortal(behind).crawl())
    expect(toListingIds(chunks)).toEqual(['a', 'c', 'd'])
    expect(end.exhaustive).toBe(false)
    expect(chunks.map(({ next }) => next.hasGaps)).toEqual([undefined, true, true, true])
    for (const { next } of chunks.slice(1)) {
      const resumed = await collectCrawl(createPortal(behind).crawl(roundTrip(next)))
      expect(resumed.end.exhaustive).toBe(false)
      expect(resumed.chunks.every(chunk => chunk.next.hasGaps)).toBe(true)
    }
  })

  test('is a gap too if the crawl resumes with it', async () => {
    const { chunks, end } = await collectCrawl(createPortal({}).crawl({ requests: [{ path: '/2' }] }))
    expect([toListingIds(chunks), end.exhaustive]).toEqual([[], false])
  })

  test.each<[string, Answer, object]>([
    [
      'moved',
      { kind: 'moved', to: '/login' },
      { code: 'BLOCKED', message: expect.stringContaining('/login') },
    ],
    [
      'disallowed',
      { kind: 'disallowed' },
      { code: 'ROBOTS_DISALLOWED', message: expect.stringContaining('/2') },
    ],
    ['unreadable', 'challenge', { code: 'BLOCKED' }],
  ])('because it is %s ends the crawl after the previous page', async (_why, reply, failure) => {
    const { chunks } = createPortal({ ...behind, '/2': reply }).crawl()
    expect(await chunks.next()).toMatchObject({ value: { cards: [{ listingId: 'a' }] } })
    await expect(chunks.next()).rejects.toMatchObject(failure)
  })
})
