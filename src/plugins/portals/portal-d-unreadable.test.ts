// Portal D spoilt in every way: a page that was not understood never passes for one that was.
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { blockedPages } from '../../../test/blocked-pages.ts'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import type { Card, PortalDocument, SearchContext } from '../portal.ts'
import { portalD } from './portal-d.ts'

type Filters = Parameters<typeof portalD.search.start>[0]

const LISBOA = { id: 'lisboa-1106', label: 'Lisboa' }
// The portal reads its pages without it.
const context = { since: null } as SearchContext
const details = portalD.details!

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ adverts: 100 })
})
afterEach(() => simulator.faults.clear())
afterAll(() => simulator.close())

async function ask({ path }: { path: string }): Promise<PortalDocument> {
  const reply = await fetch(simulator.portalUrl('portal_d') + path)
  const isTold = reply.headers.get('content-type')?.includes('charset=utf-8')
  return {
    text: new TextDecoder(isTold ? 'utf-8' : 'windows-1252').decode(await reply.arrayBuffer()),
    url: reply.url,
  }
}

async function search(filters: Filters) {
  return portalD.search.read(await ask(portalD.search.start(filters, context)), filters, context)
}

async function firstCards(filters: Filters): Promise<{ cards: Card[] }> {
  const reading = await search(filters)
  if (reading.kind !== 'page') throw new Error(reading.detail)
  return reading
}

async function detail(card: Card) {
  return details.read(await ask(card))
}

describe('what cannot be read', () => {
  test.each([
    ['challenge', 'challenge', 'challenge'],
    ['redirectToLogin', 'login', 'login'],
    ['layout', 'layout', 'layout'],
    ['empty', 'layout', null],
  ] as const)('%s: a search is %s, an advert %s', async (kind, ofSearch, ofDetail) => {
    const { cards } = await firstCards({ operation: 'rent', location: LISBOA })
    simulator.faults.set({ portal: 'portal_d', kind, match: '/pesquisa.asp' })
    simulator.faults.set({ portal: 'portal_d', kind, match: '/anuncio/' })
    expect(await search({ operation: 'rent', location: LISBOA })).toMatchObject({
      kind: 'unreadable',
      reason: ofSearch,
    })
    expect(await detail(cards[0]!)).toMatchObject(
      ofDetail ? { kind: 'unreadable', reason: ofDetail } : { kind: 'listing' },
    )
  })

  test('a portal in a loop shows its first page again and says that one more follows', async () => {
    const filters = { operation: 'rent', location: LISBOA } as const
    const first = await search(filters)
    simulator.faults.set({ portal: 'portal_d', kind: 'loop' })
    const document = await ask({ path: `${portalD.search.start(filters, context).path}&pag=50` })
    const again = portalD.search.read(document, filters, context)
    if (first.kind !== 'page' || again.kind !== 'page') throw new Error('unreadable')
    expect(again.cards.map(card => card.listingId)).toEqual(first.cards.map(card => card.listingId))
    expect(again.next).toEqual([{ path: expect.stringContaining('pag=51') }])
  })

  test.each(blockedPages)('%s is a challenge', (_name, text) => {
    const url = 'https://portal.example/'
    const expected = { kind: 'unreadable', reason: 'challenge' }
    expect(
      portalD.search.read({ text, url }, { operation: 'sale', location: LISBOA }, context),
    ).toMatchObject(expected)
    expect(details.read({ text, url })).toMatchObject(expected)
  })

  test('cards beside which nothing tells whether there are more are a new layout', async () => {
    const filters = { operation: 'rent', location: LISBOA } as const
    const { text, url } = await ask(portalD.search.start(filters, context))
    const readWithout = (...names: string[]) =>
      portalD.search.read(
        { text: names.reduce((rest, name) => rest.replaceAll(`class="${name}"`, ''), text), url },
        filters,
        context,
      )
    expect(readWithout('resultados', 'paginas')).toMatchObject({ total: null, next: [{}] })
    expect(readWithout('resultados', 'seguinte')).toMatchObject({ total: null, next: [] })
    expect(readWithout('paginas', 'seguinte')).toMatchObject({ total: expect.any(Number), next: [] })
    expect(readWithout('resultados', 'paginas', 'seguinte')).toMatchObject({
      kind: 'unreadable',
      reason: 'layout',
    })
  })

  test('a page of another kind is no search and no advert', async () => {
    const missing = await ask({ path: '/ajuda.asp' })
    const filters = { operation: 'sale', location: LISBOA } as const
    expect(portalD.search.read(missing, filters, context)).toMatchObject({
      kind: 'unreadable',
      reason: 'layout',
    })
    expect(details.read(missing)).toMatchObject({ kind: 'unreadable', reason: 'layout' })
  })

  test('pages cut short or with characters changed never make it fail', async () => {
    const filters = { operation: 'sale', location: LISBOA } as const
    const results = await ask(portalD.search.start(filters, context))
    const { cards } = await firstCards(filters)
    const pages = [results, await ask({ path: cards[0]!.path })]
    const changes = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.string({ unit: 'binary', maxLength: 2 })),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(fc.constantFrom(...pages), changes, fc.boolean(), ({ text, url }, changes, isCut) => {
        let broken = text
        for (const [share, piece] of changes) {
          const at = Math.floor(share * text.length)
          broken = isCut ? broken.slice(0, at) : broken.slice(0, at) + piece + broken.slice(at + piece.length)
        }
        expect(['page', 'unreadable']).toContain(
          portalD.search.read({ text: broken, url }, filters, context).kind,
        )
        const reading = details.read({ text: broken, url })
        expect(['listing', 'gone', 'unreadable']).toContain(reading.kind)
        if (reading.kind === 'listing') details.followUp!.request({ text: broken, url }, reading)
      }),
      { numRuns: 300 },
    )
  })
})
