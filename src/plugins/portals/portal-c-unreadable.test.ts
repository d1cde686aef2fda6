/** Faults of portal C and broken replies: they must be recognised and must never make the definition throw. */
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  context,
  type Filters,
  madridLocation,
  type OpenPortalC,
  openPortalC,
  vigoLocation,
} from '../../../test/portal-c-harness.ts'
import type { Simulator } from '../../simulator/index.ts'
import type { PortalDocument } from '../portal.ts'
import { portalC } from './portal-c.ts'

let portal: OpenPortalC
let simulator: Simulator
beforeAll(async () => {
  portal = await openPortalC()
  simulator = portal.simulator
})
afterEach(() => simulator.faults.clear())
afterAll(() => simulator.close())

describe('what cannot be read', () => {
  const filters: Filters = { operation: 'sale', location: madridLocation }
  test.each([
    ['challenge', 'challenge', 'challenge'],
    ['redirectToLogin', 'login', 'login'],
    ['layout', 'layout', 'layout'],
    ['empty', 'layout', null],
  ] as const)('%s: a search is %s, a listing %s', async (kind, searchResult, detailResult) => {
    const { cards, next } = await portal.searchCards(filters)
    simulator.faults.add({ portal: 'portal_c', kind, match: '/3.5/' })
    for (const request of [undefined, next[0]])
      expect(await portal.search(filters, request)).toMatchObject({
        kind: 'unreadable',
        reason: searchResult,
      })
    expect(await portal.readDetail(cards[0]!.listingId)).toMatchObject(
      detailResult ? { kind: 'unreadable', reason: detailResult } : { kind: 'listing' },
    )
  })

  test('repeated pages show the same listings and announce more', async () => {
    const { cards, next } = await portal.searchCards(filters)
    simulator.faults.add({ portal: 'portal_c', kind: 'loop' })
    const second = await portal.searchCards(filters, next[0])
    expect(second.cards.map(({ listingId }) => listingId)).toEqual(cards.map(({ listingId }) => listingId))
    const last = { ...next[0]!, form: { ...next[0]!.form, numPage: '900' } }
    expect((await portal.searchCards(filters, last)).next).toMatchObject([{ form: { numPage: '901' } }])
  })
})

describe('any text', () => {
  test('truncated, altered or random replies never make it throw', async () => {
    const filters: Filters = { operation: 'sale', location: vigoLocation }
    const results = await portal.fetchDocument(portalC.search.start(filters, context))
    const { cards } = await portal.searchCards(filters)
    const original = await portal.fetchDocument(portalC.details!.request!(cards[0]!))
    const read = (document: PortalDocument) => {
      expect(['page', 'unreadable']).toContain(portalC.search.read(document, filters, context).kind)
      expect(['listing', 'gone', 'unreadable']).toContain(portalC.details!.read(document).kind)
    }
    const position = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(
        fc.constantFrom(results, original),
        position,
        fc.json(),
        fc.boolean(),
        (page, share, json, isCut) => {
          const { text, url } = page
          const index = Math.floor(share * text.length)
          read({
            text: isCut
              ? text.slice(0, index)
              : text.slice(0, index) + json + text.slice(index + json.length),
            url,
          })
          // Replaces a value, so that the text stays valid JSON.
          const colon = text.indexOf('":', index)
          read({
            text: text.slice(0, colon + 2) + text.slice(colon + 2).replace(/^[^,{}[\]]*/, () => json),
            url,
          })
          read({ text: json, url })
          const element = { propertyCode: '1', price: 1 }
          const broken = { total: 1, totalPages: 1, actualPage: 1, elementList: [element, JSON.parse(json)] }
          read({ text: JSON.stringify(broken), url })
        },
      ),
      { numRuns: 200 },
    )
  })
})
