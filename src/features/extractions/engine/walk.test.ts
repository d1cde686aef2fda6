/** Walks of a search: what they show, where they go on, and what they take for a gap. */
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listing } from '../../../../test/make.ts'
import { HttpFailure } from '../../../kit/http/client.ts'
import type {
  Card,
  FactsCard,
  FeedItem,
  FeedSearch,
  PagedSearch,
  PortalRequest,
  SearchContext,
} from '../../../plugins/portal.ts'
import type { FeedReply, PageReply, PortalClient, Validators } from './portal-client.ts'
import { type Chunk, type Cursor, type Walk, type WalkEnd, walkFeed, walkPages } from './walk.ts'

const origin = 'https://portal.example'
const context = { place: {}, since: null } as unknown as SearchContext
const unused = () => Promise.reject(new Error('not to be asked for'))
const noValidators: Validators = { etag: null, lastModified: null }
const cardOf = (listingId: string): Card => ({ listingId, path: `/${listingId}` })
const idsOf = (chunks: Chunk[]) => chunks.flatMap(({ cards }) => cards.map(({ listingId }) => listingId))
/** As it is kept in the database. */
const kept = (cursor: Cursor): Cursor => JSON.parse(JSON.stringify(cursor))

async function walked({ chunks, end }: Walk): Promise<{ chunks: Chunk[]; end: WalkEnd }> {
  return { chunks: await Array.fromAsync(chunks), end: end() }
}

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

type FeedAnswer =
  | { bytes: Buffer; validators?: Validators; contentType?: string; cuts?: number[]; breaksAt?: number }
  | Exclude<FeedReply, { kind: 'feed' }>

/** A feed, answered in turn, the last answer again and again. Its adverts are lines: id, word, and `end.` at the end. */
function feedOf(...answers: FeedAnswer[]) {
  const known: (Validators | undefined)[] = []
  let closed = 0
  const client: PortalClient = {
    fetchPage: unused,
    async openFeed(_request, validators) {
      const answer = answers[Math.min(known.length, answers.length - 1)]!
      known.push(validators)
      if ('kind' in answer) return answer
      const body = async function* () {
        try {
          yield* piecesOf(answer)
        } finally {
          closed++
        }
      }
      const { contentType, validators: own = noValidators } = answer
      return { kind: 'feed', body: body(), contentType, url: `${origin}/feed.xml`, validators: own }
    },
  }
  return {
    known,
    closed: () => closed,
    walk: (cursor: Cursor | null = null, lastRun?: Validators) =>
      walkFeed(feed, { client, filters: {}, context, cursor, known: lastRun }),
  }
}

function* piecesOf({ bytes, cuts = [], breaksAt }: Exclude<FeedAnswer, { kind: string }>): Generator<Buffer> {
  const whole = breaksAt === undefined ? bytes : bytes.subarray(0, breaksAt)
  const places = [...new Set([0, ...cuts.filter(cut => cut < whole.length), whole.length])].sort(
    (a, b) => a - b,
  )
  for (const [at, place] of places.slice(1).entries()) yield whole.subarray(places[at], place)
  if (breaksAt !== undefined) throw new HttpFailure('unreachable', 'other side closed')
}

const feed: FeedSearch<object> = {
  kind: 'feed',
  request: () => ({ path: '/feed.xml' }),
  open() {
    let rest = ''
    let isEnded = false
    return {
      push(text) {
        const lines = (rest + text).split('\n')
        rest = lines.pop()!
        return lines.flatMap((line): FeedItem[] => {
          isEnded ||= line === 'end.'
          const [listingId, title] = line.split(';')
          if (title === undefined) return []
          const card: FactsCard = {
            listingId: listingId!,
            path: `/${listingId}`,
            listing: listing({ title }),
            provenance: {},
          }
          return [{ listingId: listingId!, card: title === 'broken' ? null : card }]
        })
      },
      end: () => (isEnded ? null : { kind: 'unreadable', reason: 'layout', detail: 'the feed is cut short' }),
    }
  },
  matches: ({ listing: { title } }) => title !== 'other',
}

const feedText = (lines: string[], end = 'end.') => [...lines, end, ''].join('\n')
const linesFrom = (from: number, to: number, word = 'piso') =>
  Array.from({ length: to - from }, (_, at) => `${from + at};${word}`)
const idsFrom = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `${from + at}`)
const titlesOf = (chunks: Chunk[]) =>
  new Set(chunks.flatMap(({ cards }) => cards.map(card => card.listing?.title)))
const first: Validators = { etag: '"1"', lastModified: null }
const second: Validators = { etag: '"2"', lastModified: null }

describe('a feed', () => {
  test('shows what is searched for, and knows what else is there', async () => {
    const lines = ['1;piso', '2;other', '3;broken', '1;again', '4;piso']
    const { chunks, end } = await walked(
      feedOf({ bytes: Buffer.from(feedText(lines)), validators: first }).walk(),
    )
    expect(chunks).toMatchObject([
      {
        notUnderstood: ['3'],
        repeated: 1,
        pagesFetched: 1,
        promised: null,
        next: { feed: { items: 5, ...first } },
      },
    ])
    expect(idsOf(chunks)).toEqual(['1', '4'])
    expect([...end.present]).toEqual(['1', '2', '3', '4'])
    expect(end).toMatchObject({ isComplete: true, isUnchanged: false, validators: first })
  })

  test('comes in hundreds, of adverts that are not understood too', async () => {
    const lines = [...linesFrom(0, 150), ...linesFrom(150, 230, 'broken'), ...linesFrom(230, 240, 'other')]
    const { chunks } = await walked(feedOf({ bytes: Buffer.from(feedText(lines)) }).walk())
    expect(chunks.map(({ cards, notUnderstood }) => [cards.length, notUnderstood.length])).toEqual([
      [100, 0],
      [50, 50],
      [0, 30],
    ])
    expect(chunks.map(({ pagesFetched }) => pagesFetched)).toEqual([1, 0, 0])
    expect(chunks.map(({ next }) => next.feed!.items)).toEqual([100, 200, 240])
  })

  test('in which an advert stands twice shows the one that is searched for', async () => {
    const { chunks } = await walked(
      feedOf({ bytes: Buffer.from(feedText(['1;other', '2;broken', '1;piso', '2;piso'])) }).walk(),
    )
    expect(idsOf(chunks)).toEqual(['1', '2'])
  })

  test('that has not changed since the last run is not walked', async () => {
    const portal = feedOf({ kind: 'unchanged' })
    const { chunks, end } = await walked(portal.walk(null, first))
    expect(chunks).toEqual([])
    expect(portal.known).toEqual([first])
    expect(end).toMatchObject({ isUnchanged: true, validators: first })
  })

  test('is closed when nobody wants more of it', async () => {
    const bytes = Buffer.from(feedText(linesFrom(0, 1000)))
    for (const body of [bytes, gzipSync(bytes)]) {
      const portal = feedOf({ bytes: body, cuts: idsFrom(1, 900).map(Number) })
      const { chunks } = portal.walk()
      await chunks.next()
      await chunks.return()
      // A gunzip stream tells its source in a turn of its own.
      await new Promise(resolve => setImmediate(resolve))
      expect(portal.closed()).toBe(1)
    }
  })

  test.each<[string, FeedAnswer, object]>([
    ['is gone', { kind: 'gone' }, { code: 'PORTAL_UNAVAILABLE' }],
    ['is disallowed', { kind: 'disallowed' }, { code: 'ROBOTS_DISALLOWED' }],
    ['is elsewhere', { kind: 'moved', to: '/login' }, { code: 'BLOCKED' }],
    ['is cut short', { bytes: Buffer.from('1;piso\n') }, { code: 'LAYOUT_CHANGED' }],
    ['is cut short in a gzip file', { bytes: gzipSync('1;piso\n') }, { code: 'LAYOUT_CHANGED' }],
    ['is empty', { bytes: Buffer.alloc(0) }, { code: 'LAYOUT_CHANGED' }],
    ['is one byte', { bytes: Buffer.from('x') }, { code: 'LAYOUT_CHANGED' }],
    ['is a page', { bytes: Buffer.from('<html>Not here</html>') }, { code: 'LAYOUT_CHANGED' }],
  ])('that %s is a failure', async (_how, answer, failure) => {
    const portal = feedOf(answer)
    await expect(walked(portal.walk())).rejects.toMatchObject(failure)
    expect(portal.known).toHaveLength(1)
  })
})

describe('a feed that breaks off', () => {
  const bytes = Buffer.from(feedText(linesFrom(0, 350)))

  test('is opened again and gone on with, every advert once', async () => {
    const portal = feedOf(
      { bytes, validators: first, breaksAt: 1500 },
      { bytes, validators: first, breaksAt: 200 },
      { bytes, validators: first },
    )
    const { chunks, end } = await walked(portal.walk())
    expect(idsOf(chunks)).toEqual(idsFrom(0, 350))
    expect(chunks.reduce((sum, { repeated }) => sum + repeated, 0)).toBe(0)
    expect(chunks.reduce((sum, { pagesFetched }) => sum + pagesFetched, 0)).toBe(1)
    expect([end.present.size, end.isComplete, portal.known.length]).toEqual([350, true, 3])
  })

  test.each([
    ['breaks off', { bytes, breaksAt: 200 }, 4, 'PORTAL_UNAVAILABLE'],
    ['is half a gzip file', { bytes: gzipSync(bytes).subarray(0, 300) }, 4, 'PORTAL_UNAVAILABLE'],
  ])('is given up when it %s each time', async (_how, answer, times, code) => {
    const portal = feedOf(answer)
    await expect(walked(portal.walk())).rejects.toMatchObject({ code })
    expect([portal.known.length, portal.closed()]).toEqual([times, times])
  })

  test('is read from its start when it is another edition by then, and what is new in it is shown', async () => {
    const changed = feedText([...linesFrom(500, 520), ...linesFrom(0, 350).slice(100), '7;piso'])
    const portal = feedOf(
      { bytes, validators: first, breaksAt: 1500 },
      { bytes: Buffer.from(changed), validators: second },
    )
    const { chunks, end } = await walked(portal.walk())
    expect(new Set(idsOf(chunks))).toEqual(new Set([...idsFrom(0, 350), ...idsFrom(500, 520)]))
    expect(idsOf(chunks)).toHaveLength(370)
    expect(end.validators).toEqual(second)
    expect(chunks.at(-1)!.next.feed).toEqual({ items: 271, ...second })
  })

  test('shows an advert that only its next edition offers as it is searched for', async () => {
    const [before, after] = [
      ['0;other', '1;broken'],
      ['0;piso', '1;piso'],
    ].map(lines => Buffer.from(feedText([...lines, ...linesFrom(2, 150)])))
    const portal = feedOf(
      { bytes: before!, validators: first, breaksAt: 1200 },
      { bytes: after!, validators: second },
    )
    expect(idsOf((await walked(portal.walk())).chunks).toSorted((a, b) => Number(a) - Number(b))).toEqual(
      idsFrom(0, 150),
    )
  })

  test('too large is not opened again', async () => {
    const portal = feedOf({ bytes })
    const client: PortalClient = {
      fetchPage: unused,
      openFeed: async () => ({
        ...{ kind: 'feed', contentType: undefined, url: origin, validators: noValidators },
        // biome-ignore lint/correctness/useYield: it fails before its first byte
        body: (async function* () {
          portal.known.push(undefined)
          throw new HttpFailure('too-large', 'too large')
        })(),
      }),
    }
    const { chunks } = walkFeed(feed, { client, filters: {}, context, cursor: null })
    await expect(chunks.next()).rejects.toMatchObject({ code: 'PORTAL_UNAVAILABLE' })
    expect(portal.known).toHaveLength(1)
  })
})

describe('however a feed comes', () => {
  const word = 'Logroño, ático: 1 €'
  const lines = linesFrom(0, 230, word)
  const inWindows1252 = (text: string) =>
    Buffer.from(text.replace('UTF-8', 'windows-1252').replaceAll('€', '\x80'), 'latin1')
  const preamble = '<?xml version="1.0" encoding="UTF-8"?>\n'
  const whole = preamble + feedText(lines)
  const encodings: [string, Buffer, string | undefined][] = [
    ['UTF-8', Buffer.from(whole), undefined],
    ['windows-1252 by its own word', inWindows1252(whole), 'application/xml'],
    ['windows-1252 by its header', inWindows1252(feedText(lines)), 'text/plain; charset=windows-1252'],
    ['UTF-16', Buffer.from(`\uFEFF${whole}`, 'utf16le'), undefined],
  ]

  test.each(encodings)('in %s, packed or not, cut anywhere: it is read alike', (_name, plain, contentType) =>
    fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(fc.oneof(fc.nat({ max: 60 }), fc.nat({ max: plain.length })), { maxLength: 30 }),
        async (isPacked, cuts) => {
          const bytes = isPacked ? gzipSync(plain) : plain
          const answer = { bytes, cuts, ...(contentType === undefined ? {} : { contentType }) }
          const { chunks } = await walked(feedOf(answer).walk())
          expect(idsOf(chunks)).toEqual(idsFrom(0, 230))
          expect(titlesOf(chunks)).toEqual(new Set([word]))
        },
      ),
      { numRuns: 60 },
    ),
  )

  test('broken off anywhere up to three times, packed or not: every advert once, in its order', () =>
    fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
        fc.array(fc.nat({ max: 6000 }), { maxLength: 8 }),
        async (isPacked, breaks, cuts) => {
          const bytes = isPacked ? gzipSync(whole) : Buffer.from(whole)
          const answer = { bytes, cuts, validators: first }
          const broken = breaks.map(part => ({ ...answer, breaksAt: Math.floor(part * bytes.length) }))
          const { chunks, end } = await walked(feedOf(...broken, answer).walk())
          expect(idsOf(chunks)).toEqual(idsFrom(0, 230))
          expect([end.present.size, chunks.reduce((sum, { repeated }) => sum + repeated, 0)]).toEqual([
            230, 0,
          ])
        },
      ),
      { numRuns: 100 },
    ))
})

describe('a feed that is gone on with', () => {
  const bytes = Buffer.from(feedText(linesFrom(0, 350)))

  test('goes on behind any chunk, and still knows all that is there', async () => {
    const answer = { bytes, validators: first }
    const { chunks } = await walked(feedOf(answer).walk())
    for (const [at, { next }] of chunks.entries()) {
      const portal = feedOf(answer)
      const { chunks: rest, end } = await walked(portal.walk(kept(next), first))
      expect(idsOf(rest)).toEqual(idsOf(chunks.slice(at + 1)))
      expect(end.present.size).toBe(350)
      // It is asked for whole: that it is as it was would be of no use.
      expect(portal.known).toEqual([undefined])
      expect(rest.reduce((sum, { pagesFetched }) => sum + pagesFetched, 0)).toBe(0)
    }
  })

  test.each<[string, Validators, Validators, boolean]>([
    ['an entity tag that is the same', first, first, true],
    ['another entity tag', first, second, false],
    ['no entity tag any more', first, { etag: null, lastModified: 'x' }, false],
    ['the same date', { etag: null, lastModified: 'x' }, { etag: null, lastModified: 'x' }, true],
    ['another date', { etag: null, lastModified: 'x' }, { etag: null, lastModified: 'y' }, false],
    ['nothing to tell editions by', noValidators, noValidators, false],
  ])('is gone on with, or not, at %s: %4$s', async (_what, before, now, goesOn) => {
    const cursor: Cursor = { requests: [], feed: { items: 100, ...before } }
    const { chunks } = await walked(feedOf({ bytes, validators: now }).walk(cursor))
    expect(idsOf(chunks)).toEqual(idsFrom(goesOn ? 100 : 0, 350))
  })
})
