/** The adverts of one page: in which order, how many at once, and when to stop. */
import { describe, expect, test } from 'vitest'
import { listing } from '../../../../test/make.ts'
import type { Card } from '../../../plugins/portal.ts'
import type { OpenPortal } from '../../platforms/service.ts'
import { ExtractionFailure } from './failure.ts'
import type { PageReply, PortalClient } from './portal-client.ts'
import { readListings } from './read-page.ts'

const portal = {
  baseUrl: 'https://portal.example',
  isLocal: true,
  definition: {
    politeness: { requestsPerSecond: 1, concurrency: 3 },
    // The page of an advert is the reading itself.
    readListing: (html: string) => JSON.parse(html),
  },
} as unknown as OpenPortal

const cardsOf = (count: number): Card[] =>
  Array.from({ length: count }, (_, at) => ({
    listingId: `${at + 1}`,
    path: `/${at + 1}`,
    listing: listing(),
    provenance: {},
  }))

const page = (reading: object): PageReply => ({ kind: 'page', html: JSON.stringify(reading), url: '' })
const advert = page({ kind: 'listing', listing: listing() })
const broken = page({ kind: 'unreadable', reason: 'layout', detail: 'x' })
const challenge = page({ kind: 'unreadable', reason: 'challenge', detail: 'x' })

/** A portal whose pages arrive when the test says so, unless it has said so from the start. */
function clientOf(answers: Record<string, PageReply | Error> = {}) {
  const open = new Map<string, PromiseWithResolvers<PageReply>>()
  const asked: string[] = []
  let mostAtOnce = 0
  const client: PortalClient = {
    async fetchPage(path) {
      const id = path.slice(1)
      asked.push(id)
      const answer = answers[id] ?? answers['*']
      if (answer instanceof Error) throw answer
      if (answer) return answer
      const waiting = Promise.withResolvers<PageReply>()
      open.set(id, waiting)
      mostAtOnce = Math.max(mostAtOnce, open.size)
      return waiting.promise.finally(() => open.delete(id))
    },
  }
  return {
    client,
    asked,
    mostAtOnce: () => mostAtOnce,
    async arrive(id: string, reply: PageReply = advert) {
      open.get(id)!.resolve(reply)
      // Every reader takes its next step.
      await new Promise(resolve => setImmediate(resolve))
    },
  }
}

const wanted = (cards: Card[], atMost = cards.length) => ({ cards, atMost, includeDetails: true })
const idsOf = (read: { listingId: string }[]) => read.map(({ listingId }) => listingId)

test('a few are read at once, and listed in the order of the portal', async () => {
  const { client, asked, arrive, mostAtOnce } = clientOf()
  const reading = readListings(portal, client, wanted(cardsOf(5)))
  expect(asked).toEqual(['1', '2', '3'])
  for (const id of ['3', '2', '5', '4', '1']) await arrive(id)
  expect(idsOf((await reading).listings)).toEqual(['1', '2', '3', '4', '5'])
  expect(mostAtOnce()).toBe(3)
})

describe('the limit', () => {
  test('is not passed, and no page is asked for in vain', async () => {
    const { client, asked } = clientOf({ '*': advert })
    const { listings } = await readListings(portal, client, wanted(cardsOf(30), 4))
    expect([idsOf(listings), asked]).toEqual([
      ['1', '2', '3', '4'],
      ['1', '2', '3', '4'],
    ])
  })

  test('is filled up from the same page when adverts are gone, disallowed or fail', async () => {
    const { client, asked } = clientOf({
      '1': { kind: 'gone' },
      '2': { kind: 'disallowed' },
      '3': broken,
      '4': page({ kind: 'gone' }),
      '5': new ExtractionFailure('TIMEOUT', 'Too slow.'),
      '*': advert,
    })
    const read = await readListings(portal, client, wanted(cardsOf(30), 4))
    expect(idsOf(read.listings)).toEqual(['6', '7', '8', '9'])
    expect(asked).toHaveLength(9)
    expect(read.skipped.toSorted((a, b) => a.listingId.localeCompare(b.listingId))).toEqual([
      { listingId: '1', reason: 'gone' },
      { listingId: '2', reason: 'robotsDisallowed' },
      { listingId: '4', reason: 'gone' },
    ])
    expect(idsOf(read.failed).sort()).toEqual(['3', '5'])
  })

  test('holds without details too, and then nothing is asked for', async () => {
    const { client, asked } = clientOf()
    const read = await readListings(portal, client, { ...wanted(cardsOf(30), 4), includeDetails: false })
    expect([idsOf(read.listings), asked]).toEqual([['1', '2', '3', '4'], []])
  })
})

describe('failures', () => {
  test('a challenge ends it at once: what is under way is left, nothing else is asked for', async () => {
    const { client, asked, arrive } = clientOf({ '2': challenge })
    const reading = readListings(portal, client, wanted(cardsOf(30)))
    await expect(reading).rejects.toMatchObject({ code: 'BLOCKED' })
    await arrive('1')
    await arrive('3')
    expect(asked).toEqual(['1', '2', '3'])
  })

  test('a portal that asks for credentials ends it as well', async () => {
    const { client } = clientOf({ '2': new ExtractionFailure('CREDENTIALS_INVALID', 'x'), '*': advert })
    await expect(readListings(portal, client, wanted(cardsOf(9)))).rejects.toMatchObject({
      code: 'CREDENTIALS_INVALID',
    })
  })

  test('what is no failure of the portal is passed on as it is', async () => {
    const { client } = clientOf({ '2': new TypeError('a slip of ours'), '*': advert })
    await expect(readListings(portal, client, wanted(cardsOf(9)))).rejects.toThrow(TypeError)
  })

  test.each([
    [5, 9, true],
    [5, 10, false],
    [4, 4, false],
  ])('%i of %i adverts that fail end it: %s', async (failing, all, ends) => {
    const answers = Object.fromEntries(Array.from({ length: failing }, (_, at) => [`${at + 1}`, broken]))
    const { client } = clientOf({ ...answers, '*': advert })
    const reading = readListings(portal, client, wanted(cardsOf(all)))
    if (ends) await expect(reading).rejects.toMatchObject({ code: 'LAYOUT_CHANGED' })
    else expect((await reading).failed).toHaveLength(failing)
  })
})
