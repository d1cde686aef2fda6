/** Requests portal H of a simulator as its definition does, for tests of readable and of unreadable pages. */
import type { Place } from '../src/domain/location/place.ts'
import type { Card, PortalRequest, SearchContext } from '../src/plugins/portal.ts'
import { portalH } from '../src/plugins/portals/portal-h.ts'
import { startSimulator } from '../src/simulator/index.ts'

export type Filters = Parameters<typeof portalH.search.start>[0]

export const place: Place = {
  id: 'ES-36057',
  name: 'Vigo',
  names: ['Vigo'],
  type: 'municipality',
  parentId: 'ES-PO',
  country: 'ES',
  latitude: 42.2,
  longitude: -8.7,
  population: 290_000,
}
export const context: SearchContext = { place, since: null }
export const vigoFilters: Filters = { operation: 'sale', location: { id: 'mun-36057', label: 'Vigo' } }
export const madridFilters: Filters = { operation: 'sale', location: { id: 'mun-28079', label: 'Madrid' } }

/** Starts a simulator, and returns functions that request its portal H. Close `simulator` at the end. */
export async function openPortalH() {
  const simulator = await startSimulator({})

  async function fetchDocument({ path, accept }: PortalRequest) {
    const address = new URL(path, simulator.portalUrl('portal_h')).href
    const reply = await fetch(address, { headers: { accept: accept ?? 'text/html' } })
    return { text: await reply.text(), url: reply.url, status: reply.status }
  }

  async function search(filters: Filters, request = portalH.search.start(filters, context)) {
    return portalH.search.read(await fetchDocument(request), filters, context)
  }

  /** Reads a page of results; throws if it is unreadable. */
  async function searchCards(filters: Filters, request?: PortalRequest) {
    const reading = await search(filters, request)
    if (reading.kind !== 'page') throw new Error(`unreadable: ${reading.detail}`)
    return reading
  }

  const readDetail = async (card: Pick<Card, 'path'>) =>
    portalH.details!.read(await fetchDocument({ path: card.path }))

  return { simulator, fetchDocument, search, searchCards, readDetail }
}
export type OpenPortalH = Awaited<ReturnType<typeof openPortalH>>
