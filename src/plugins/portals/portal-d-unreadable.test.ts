/** Broken pages of portal D: a page that cannot be parsed must be reported as unreadable. */
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { blockedPages } from '../../../test/blocked-pages.ts'
import { anyCharacter } from '../../../test/characters.ts'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import type { Card, PortalDocument, SearchContext } from '../portal.ts'
import { portalD } from './portal-d.ts'

type Filters = Parameters<typeof portalD.search.start>[0]

const lisboa = { id: 'lisboa-1106', label: 'Lisboa' }
// This portal does not use the place.
const context = { since: null } as SearchContext
const details = portalD.details!

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ listings: 100 })
})
afterEach(() => simulator.faults.clear())
afterAll(() => simulator.close())

async function fetchDocument({ path }: { path: string }): Promise<PortalDocument> {
  const reply = await fetch(simulator.portalUrl('portal_d') + path)
  const declaresCharset = reply.headers.get('content-type')?.includes('charset=utf-8')
  return {
    text: new TextDecoder(declaresCharset ? 'utf-8' : 'windows-1252').decode(await reply.arrayBuffer()),
    url: reply.url,
  }
}

async function search(filters: Filters) {
  return portalD.search.read(await fetchDocument(portalD.search.start(filters, context)), filters, context)
}

async function searchCards(filters: Filters): Promise<{ cards: Card[] }> {
  const result = await search(filters)
  if (result.kind !== 'page') throw new Error(result.detail)
  return result
}

async function readDetail(card: Card) {
  return details.read(await fetchDocument(card))
}

describe('what cannot be read', () => {
  test.each([
    ['challenge', 'challenge', 'challenge'],
    ['redirectToLogin', 'login', 'login'],
    ['layout', 'layout', 'layout'],
    ['empty', 'layout', null],
  ] as const)('%s: a search is %s, a listing %s', async (kind, searchResult, detailResult) => {
    const { cards } = await searchCards({ operation: 'rent', location: lisboa })
    simulator.faults.add({ portal: 'portal_d', kind, match: '/pesquisa.asp' })
    simulator.faults.add({ portal: 'portal_d', kind, match: '/anuncio/' })
    expect(await search({ operation: 'rent', location: lisboa })).toMatchObject({
      kind: 'unreadable',
      reason: searchResult,
    })
    expect(await readDetail(cards[0]!)).toMatchObject(
      detailResult ? { kind: 'unreadable', reason: detailResult } : { kind: 'listing' },
    )
  })

  test('a looping portal repeats its first page and announces one more', async () => {
    const filters = { operation: 'rent', location: lisboa } as const
    const first = await search(filters)
    simulator.faults.add({ portal: 'portal_d', kind: 'loop' })
    const document = await fetchDocument({ path: `${portalD.search.start(filters, context).path}&pag=50` })
    const again = portalD.search.read(document, filters, context)
    if (first.kind !== 'page' || again.kind !== 'page') throw new Error('unreadable')
    expect(again.cards.map(card => card.listingId)).toEqual(first.cards.map(card => card.listingId))
    expect(again.next).toEqual([{ path: expect.stringContaining('pag=51') }])
  })

  test.each(blockedPages)('%s is a challenge', (_name, text) => {
    const url = 'https://portal.example/'
    const expected = { kind: 'unreadable', reason: 'challenge' }
    expect(
      portalD.search.read({ text, url }, { operation: 'sale', location: lisboa }, context),
    ).toMatchObject(expected)
    expect(details.read({ text, url })).toMatchObject(expected)
  })

  test('cards without a count and a pager are a new layout', async () => {
    const filters = { operation: 'rent', location: lisboa } as const
    const { text, url } = await fetchDocument(portalD.search.start(filters, context))
    const parseWithout = (...names: string[]) =>
      portalD.search.read(
        { text: names.reduce((rest, name) => rest.replaceAll(`class="${name}"`, ''), text), url },
        filters,
        context,
      )
    expect(parseWithout('resultados', 'paginas')).toMatchObject({ total: null, next: [{}] })
    expect(parseWithout('resultados', 'seguinte')).toMatchObject({ total: null, next: [] })
    expect(parseWithout('paginas', 'seguinte')).toMatchObject({ total: expect.any(Number), next: [] })
    expect(parseWithout('resultados', 'paginas', 'seguinte')).toMatchObject({
      kind: 'unreadable',
      reason: 'layout',
    })
  })

  test('a page of another kind is neither a search nor a listing', async () => {
    const missing = await fetchDocument({ path: '/ajuda.asp' })
    const filters = { operation: 'sale', location: lisboa } as const
    expect(portalD.search.read(missing, filters, context)).toMatchObject({
      kind: 'unreadable',
      reason: 'layout',
    })
    expect(details.read(missing)).toMatchObject({ kind: 'unreadable', reason: 'layout' })
  })

  test('truncated or altered pages never make it throw', async () => {
    const filters = { operation: 'sale', location: lisboa } as const
    const results = await fetchDocument(portalD.search.start(filters, context))
    const { cards } = await searchCards(filters)
    const pages = [results, await fetchDocument({ path: cards[0]!.path })]
    const changes = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.string({ unit: anyCharacter, maxLength: 2 })),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(fc.constantFrom(...pages), changes, fc.boolean(), ({ text, url }, changes, isCut) => {
        let broken = text
        for (const [share, part] of changes) {
          const index = Math.floor(share * text.length)
          broken = isCut
            ? broken.slice(0, index)
            : broken.slice(0, index) + part + broken.slice(index + part.length)
        }
        expect(['page', 'unreadable']).toContain(
          portalD.search.read({ text: broken, url }, filters, context).kind,
        )
        const result = details.read({ text: broken, url })
        expect(['listing', 'gone', 'unreadable']).toContain(result.kind)
        if (result.kind === 'listing') details.followUp!.request({ text: broken, url }, result)
      }),
      { numRuns: 100 },
    )
  })
})
