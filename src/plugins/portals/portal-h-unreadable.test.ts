/** Faults of portal H and broken alerts: they must be recognised and must never make the definition throw. */
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { blockedPages } from '../../../test/blocked-pages.ts'
import { anyCharacter } from '../../../test/characters.ts'
import { context, type OpenPortalH, openPortalH, vigoFilters } from '../../../test/portal-h-harness.ts'
import type { Simulator } from '../../simulator/index.ts'
import { portalH } from './portal-h.ts'

let portal: OpenPortalH
let simulator: Simulator
beforeAll(async () => {
  portal = await openPortalH()
  simulator = portal.simulator
})
afterEach(() => simulator.faults.clear())
afterAll(() => simulator.close())

describe('what cannot be read', () => {
  test.each([
    ['challenge', 'challenge', 'challenge'],
    ['redirectToLogin', 'login', 'login'],
    ['layout', 'layout', 'layout'],
    ['empty', 'layout', null],
  ] as const)('%s: an alert is %s, a listing %s', async (kind, alertResult, detailResult) => {
    const { cards } = await portal.searchCards(vigoFilters)
    simulator.faults.add({ portal: 'portal_h', kind, match: '/alertas.atom' })
    simulator.faults.add({ portal: 'portal_h', kind, match: '/anuncio/' })
    expect(await portal.search(vigoFilters)).toMatchObject({ kind: 'unreadable', reason: alertResult })
    expect(await portal.readDetail(cards[0]!)).toMatchObject(
      detailResult ? { kind: 'unreadable', reason: detailResult } : { kind: 'listing' },
    )
  })

  test.each(blockedPages)('%s is a challenge', (_name, text) => {
    const document = { text, url: 'https://portal-h.example/alertas.atom' }
    expect(portalH.search.read(document, vigoFilters, context)).toMatchObject({ reason: 'challenge' })
    expect(portalH.details!.read(document)).toMatchObject({ reason: 'challenge' })
  })

  test('a page of another kind is neither an alert nor a listing', async () => {
    const missing = await portal.fetchDocument({ path: '/anuncio/AL1/' })
    expect(missing.status).toBe(404)
    expect(portalH.search.read(missing, vigoFilters, context)).toMatchObject({ reason: 'layout' })
    expect(portalH.details!.read(missing)).toMatchObject({ reason: 'layout' })
  })

  test('an empty feed needs a count of 0', async () => {
    const document = await portal.fetchDocument(
      portalH.search.start({ ...vigoFilters, minPrice: 900_000_000 }, context),
    )
    const uncounted = { ...document, text: document.text.replace(/<opensearch:totalResults>.*\n/, '') }
    expect(portalH.search.read(uncounted, vigoFilters, context)).toMatchObject({ reason: 'layout' })
  })

  test('entries of another site, or without a price, are a new layout', async () => {
    const document = await portal.fetchDocument(portalH.search.start(vigoFilters, context))
    const elsewhere = {
      ...document,
      text: document.text.replaceAll(simulator.portalUrl('portal_h'), 'https://x.example'),
    }
    expect(portalH.search.read(elsewhere, vigoFilters, context)).toMatchObject({ reason: 'layout' })
    const unpriced = { ...document, text: document.text.replace(/[\d.]+&amp;nbsp;€/g, 'A consultar') }
    expect(portalH.search.read(unpriced, vigoFilters, context)).toMatchObject({ reason: 'layout' })
  })

  test('truncated or altered pages never make it throw, and a truncated alert is unreadable', async () => {
    const { cards } = await portal.searchCards(vigoFilters)
    const alert = await portal.fetchDocument(
      portalH.search.start({ ...vigoFilters, maxPrice: 90_000 }, context),
    )
    const documents = [alert, await portal.fetchDocument({ path: cards[0]!.path })]
    const changes = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.string({ unit: anyCharacter, maxLength: 2 })),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(fc.constantFrom(...documents), changes, fc.boolean(), ({ text, url }, changes, isCut) => {
        let broken = text
        for (const [share, sign] of changes) {
          const at = Math.floor(share * text.length)
          broken = isCut ? broken.slice(0, at) : broken.slice(0, at) + sign + broken.slice(at + sign.length)
        }
        const result = portalH.search.read({ text: broken, url }, vigoFilters, context)
        // The line break after the end is not part of the feed.
        const isWhole = broken.trimEnd() === alert.text.trimEnd()
        expect(result.kind).toBe(result.kind === 'page' && !isCut ? 'page' : isWhole ? 'page' : 'unreadable')
        expect(['listing', 'gone', 'unreadable']).toContain(portalH.details!.read({ text: broken, url }).kind)
      }),
      { numRuns: 80 },
    )
  })
})
