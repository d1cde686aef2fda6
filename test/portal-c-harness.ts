/** Requests portal C of a simulator as its definition does, for tests of readable and of unreadable pages. */

import type { FactsCard, PortalDocument, PortalRequest, SearchContext } from '../src/plugins/portal.ts'
import { portalC } from '../src/plugins/portals/portal-c.ts'
import { type Simulator, startSimulator } from '../src/simulator/index.ts'

export type Filters = Parameters<typeof portalC.search.start>[0]

export const madridLocation = { id: '0-EU-ES-28-079', label: 'Madrid' }
export const vigoLocation = { id: '0-EU-ES-36-057', label: 'Vigo' }
export const pontevedraLocation = { id: '0-EU-ES-PO', label: 'Pontevedra' }
// This portal only uses the filters.
export const context = { since: null } as SearchContext

/** Starts a simulator, and returns functions that request its portal C. Close `simulator` at the end. */
export async function openPortalC() {
  const simulator: Simulator = await startSimulator({})
  const { access_token: token } = await requestToken(new URL(simulator.portalAddress('portal_c')))

  async function fetchDocument({ path, form, accept }: PortalRequest): Promise<PortalDocument> {
    const reply = await fetch(new URL(path, simulator.portalUrl('portal_c')), {
      headers: { authorization: `Bearer ${token}`, accept: accept ?? 'text/html' },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    })
    return { text: await reply.text(), url: reply.url }
  }

  async function search(filters: Filters, request = portalC.search.start(filters, context)) {
    return portalC.search.read(await fetchDocument(request), filters, context)
  }

  /** Reads a page of results; throws if it is unreadable. */
  async function searchCards(filters: Filters, request?: PortalRequest) {
    const reading = await search(filters, request)
    if (reading.kind !== 'page') throw new Error(`unreadable: ${reading.detail}`)
    return { ...reading, cards: reading.cards as FactsCard[] }
  }

  async function readDetail(listingId: string) {
    const document = await fetchDocument(portalC.details!.request!({ listingId, path: '' }))
    return portalC.details!.read(document)
  }

  return { simulator, fetchDocument, search, searchCards, readDetail }
}
export type OpenPortalC = Awaited<ReturnType<typeof openPortalC>>

async function requestToken({ origin, username, password }: URL) {
  const reply = await fetch(`${origin}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${username}:${password}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  return (await reply.json()) as { access_token: string; expires_in: number }
}
