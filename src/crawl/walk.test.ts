/** Walks through the pages of a search: what they show, where they go on, and what they take for a gap. */
import { describe, expect, test } from 'vitest'
import { context, idsOf, kept, noValidators, origin, unused, walked } from '../../test/walk.ts'
import type { Card, PagedSearch, PortalRequest } from '../plugins/portal.ts'
import type { PageReply, PortalClient } from './portal-client.ts'
import { type Cursor, walkPages } from './walk.ts'

const cardOf = (listingId: string): Card => ({ listingId, path: `/${listingId}` })

interface Page {
  ids: string[]
  /** Paths. */
  next?: string[]
  total?: number
  goneIds?: string[]
}

type Answer = Page | 'challenge' | Exclude<PageReply, { kind: 'page' }>

/** A portal whose first page is `/1`; what it lacks is gone. */
function portalOf(pages: Record<string, Answer>) {
  const asked: string[] = []
  const client: PortalClient = {
    async fetchPage({ path }) {
      asked.push(path)
      const answer = pages[path] ?? { kind: 'gone' }
      if (typeof answer === 'object' && 'kind' in answer) return answer
      const document = { text: JSON.stringify(answer), url: origin + path }
      return { kind: 'page', document, validators: noValidators }
    },
    openFeed: unused,
  }
  return {
    asked,
    walk: (cursor: Cursor | null = null) => walkPages(search, { client, filters: {}, context, cursor }),
  }
}

const search: PagedSearch<object> = {
  kind: 'pages',
  covers: 'all',
  cards: 'addresses',
  start: () => ({ path: '/1' }),
  read({ text }) {
    const page: Page | 'challenge' = JSON.parse(text)
    if (page === 'challenge') return { kind: 'unreadable', reason: 'challenge', detail: 'a check' }
    const { ids, next = [], total = null, goneIds = [] } = page
    return {
      kind: 'page',
      total,
      goneIds,
      cards: ids.map(cardOf),
      next: next.map((path): PortalRequest => ({ path })),
    }
  },
}

describe('pages', () => {
  test('are walked from link to link, and then all of them were shown', async () => {
    const { asked, walk } = portalOf({
      '/1': { ids: ['a', 'b'], next: ['/2'], total: 5 },
      '/2': { ids: ['c', 'd'], next: ['/3'], total: 5 },
      '/3': { ids: ['e'], goneIds: ['x'], total: 5 },
    })
    const { chunks, end } = await walked(walk())
    expect(asked).toEqual(['/1', '/2', '/3'])
    expect(idsOf(chunks)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(chunks.map(({ next }) => next)).toEqual([
      { requests: [{ path: '/2' }] },
      { requests: [{ path: '/3' }] },
      { requests: [] },
    ])
    expect(chunks[2]).toMatchObject({ goneIds: ['x'], promised: 5, pagesFetched: 1, repeated: 0 })
    expect(end).toMatchObject({ isComplete: true, isUnchanged: false, validators: null })
    expect([...end.present]).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('of an index are walked part by part, each to its end, in its order', async () => {
    const { walk } = portalOf({
      '/1': { ids: [], next: ['/a', '/b'] },
      '/a': { ids: ['a1'], next: ['/a2'] },
      '/a2': { ids: ['a2'] },
      '/b': { ids: [], next: ['/b1', '/b2'] },
      '/b1': { ids: ['b1'] },
      '/b2': { ids: ['b2'] },
    })
    const { chunks, end } = await walked(walk())
    expect(idsOf(chunks)).toEqual(['a1', 'a2', 'b1', 'b2'])
    expect(end.isComplete).toBe(true)
    expect(chunks[0]!.next.requests.map(({ path }) => path)).toEqual(['/a', '/b'])
  })

  test('of a search that finds nothing are one chunk of none', async () => {
    const { chunks, end } = await walked(portalOf({ '/1': { ids: [], total: 0 } }).walk())
    expect(chunks).toMatchObject([{ cards: [], promised: 0, next: { requests: [] } }])
    expect(end.isComplete).toBe(true)
  })

  test('show an advert only once, and count how often it came again', async () => {
    const { chunks } = await walked(
      portalOf({ '/1': { ids: ['a', 'b', 'a'], next: ['/2'] }, '/2': { ids: ['b', 'c'] } }).walk(),
    )
    expect(chunks.map(chunk => [idsOf([chunk]), chunk.repeated])).toEqual([
      [['a', 'b'], 1],
      [['c'], 1],
    ])
  })

  test('are not asked for before somebody wants what is on them', async () => {
    const { asked, walk } = portalOf({ '/1': { ids: ['a'], next: ['/2'] }, '/2': { ids: ['b'] } })
    const { chunks } = walk()
    expect(asked).toEqual([])
    await chunks.next()
    expect(asked).toEqual(['/1'])
    await chunks.return()
    expect(asked).toEqual(['/1'])
  })
})

describe('a page of thousands', () => {
  const ids = Array.from({ length: 250 }, (_, at) => `${at}`)
  const pages = { '/1': { ids, next: ['/2'], total: 251, goneIds: ['x'] }, '/2': { ids: ['last'] } }

  test('comes in hundreds, and is counted as one page', async () => {
    const { chunks } = await walked(portalOf(pages).walk())
    expect(chunks.map(({ cards }) => cards.length)).toEqual([100, 100, 50, 1])
    expect(chunks.map(({ pagesFetched }) => pagesFetched)).toEqual([1, 0, 0, 1])
    expect(chunks.map(({ goneIds }) => goneIds)).toEqual([['x'], [], [], []])
    expect(idsOf(chunks)).toEqual([...ids, 'last'])
  })

  test('can be gone on with behind any of them', async () => {
    const { chunks } = await walked(portalOf(pages).walk())
    for (const [at, { next }] of chunks.entries()) {
      const resumed = await walked(portalOf(pages).walk(kept(next)))
      expect(idsOf(resumed.chunks)).toEqual(idsOf(chunks.slice(at + 1)))
      expect(resumed.chunks.every(({ repeated }) => repeated === 0)).toBe(true)
      expect(resumed.end.isComplete).toBe(true)
    }
  })

  test('is shown from its start when the advert where it was left is no longer on it', async () => {
    const [first] = (await walked(portalOf(pages).walk())).chunks
    const without = { ...pages, '/1': { ...pages['/1'], ids: ids.filter(id => id !== '99') } }
    const { chunks } = await walked(portalOf(without).walk(kept(first!.next)))
    expect(idsOf(chunks)).toEqual([...without['/1'].ids, 'last'])
  })

  test('is left where its last advert was the last dealt with', async () => {
    const { chunks, end } = await walked(portalOf(pages).walk({ requests: [{ path: '/1' }], after: '249' }))
    expect(idsOf(chunks)).toEqual(['last'])
    expect(end.isComplete).toBe(true)
  })
})

describe('a portal that goes in circles', () => {
  test.each<[string, Record<string, Answer>, string[], string[]]>([
    [
      'by leading back to a page before',
      { '/1': { ids: ['a'], next: ['/2'] }, '/2': { ids: ['b'], next: ['/1'] } },
      ['/1', '/2'],
      ['a', 'b'],
    ],
    [
      'by showing the last page under ever new addresses',
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
  ])('%s is left, and has gaps', async (_how, pages, paths, ids) => {
    const { asked, walk } = portalOf(pages)
    const { chunks, end } = await walked(walk())
    expect([asked, idsOf(chunks), end.isComplete]).toEqual([paths, ids, false])
  })

  test('ends wherever it is gone on with', async () => {
    const pages = {
      '/1': { ids: ['a'], next: ['/2'] },
      '/2': { ids: ['b'], next: ['/3'] },
      '/3': { ids: ['c'], next: ['/2'] },
    }
    const { chunks } = await walked(portalOf(pages).walk())
    for (const { next } of chunks) {
      const { asked, walk } = portalOf(pages)
      const { end } = await walked(walk(kept(next)))
      expect(asked.length).toBeLessThanOrEqual(3)
      expect(end.isComplete).toBe(false)
    }
  })
})

describe('a page that is not shown', () => {
  const behind = {
    '/1': { ids: ['a'], next: ['/2', '/3'] },
    '/3': { ids: ['c'], next: ['/4'] },
    '/4': { ids: ['d'] },
  }

  test('is a failure if it is the first', async () => {
    await expect(walked(portalOf({}).walk())).rejects.toMatchObject({ code: 'PORTAL_UNAVAILABLE' })
  })

  test('is a gap if it is a later one, which is remembered where the walk goes on', async () => {
    const { chunks, end } = await walked(portalOf(behind).walk())
    expect(idsOf(chunks)).toEqual(['a', 'c', 'd'])
    expect(end.isComplete).toBe(false)
    expect(chunks.map(({ next }) => next.hasGaps)).toEqual([undefined, true, true, true])
    for (const { next } of chunks.slice(1)) {
      const resumed = await walked(portalOf(behind).walk(kept(next)))
      expect(resumed.end.isComplete).toBe(false)
      expect(resumed.chunks.every(chunk => chunk.next.hasGaps)).toBe(true)
    }
  })

  test('is a gap too if it is where the walk goes on', async () => {
    const { chunks, end } = await walked(portalOf({}).walk({ requests: [{ path: '/2' }] }))
    expect([idsOf(chunks), end.isComplete]).toEqual([[], false])
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
  ])('because it is %s ends the walk behind the page before', async (_why, answer, failure) => {
    const { chunks } = portalOf({ ...behind, '/2': answer }).walk()
    expect(await chunks.next()).toMatchObject({ value: { cards: [{ listingId: 'a' }] } })
    await expect(chunks.next()).rejects.toMatchObject(failure)
  })
})
