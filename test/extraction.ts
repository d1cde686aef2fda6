/** Extractions as a client runs them, and what a perfect one would bring home. */
import type { Extraction } from '../src/features/extractions/schemas.ts'
import type { Lead } from '../src/features/leads/schemas.ts'
import { createSpanishPhone } from '../src/simulator/advertisers.ts'
import type { Operation, PropertyType, SimulatedListing } from '../src/simulator/listing.ts'
import { eventually } from './harness.ts'
import type { TestTenant } from './tenant.ts'

export interface Search {
  operation: Operation
  propertyType: PropertyType
  city: string
}

/** The body of `POST /extractions` for a search; `more` goes into it, filters beside those of the search. */
export function extractionBody(
  { city, ...kind }: Search,
  { filters = {}, ...more }: { filters?: object; maxResults?: number; options?: object } = {},
) {
  return {
    platform: 'portal_a',
    filters: { ...kind, location: { id: city, label: city }, ...filters },
    ...more,
  }
}

type More = Parameters<typeof extractionBody>[1]

/** Starts an extraction; throws unless it is accepted. */
export async function startExtraction(tenant: TestTenant, search: Search, more?: More): Promise<Extraction> {
  const body = extractionBody(search, more)
  const reply = await tenant.call<Extraction>('POST', '/extractions', { body })
  if (reply.status !== 202) throw new Error(`POST /extractions answered ${reply.status}: ${reply.text}`)
  return reply.body
}

export async function getExtraction(tenant: TestTenant, extractionId: string): Promise<Extraction> {
  return (await tenant.call<Extraction>('GET', `/extractions/${extractionId}`)).body
}

/** The extraction once it has ended, however it did. */
export function waitUntilEnded(
  tenant: TestTenant,
  extractionId: string,
  timeoutMs?: number,
): Promise<Extraction> {
  return eventually(
    () => getExtraction(tenant, extractionId),
    ({ status }) => status !== 'QUEUED' && status !== 'RUNNING',
    timeoutMs,
  )
}

/** Starts an extraction and waits for its end. */
export async function extract(tenant: TestTenant, search: Search, more?: More): Promise<Extraction> {
  const { extractionId } = await startExtraction(tenant, search, more)
  return waitUntilEnded(tenant, extractionId)
}

/** What a lead must say of a listing after its own page was read. `origin`: of the portal, without a slash at the end. */
export function toExpectedLead(
  listing: SimulatedListing,
  origin: string,
): Pick<Lead, 'contact' | 'property'> {
  const { advertiser, id, photoCount, city, bedrooms } = listing
  const { operation, propertyType, title, description, price, squareMeters, bathrooms, condition } = listing
  const { address, province, postcode, latitude, longitude } = listing
  const photo = (number: number) => `${origin}/fotos/${id}/${number}.png`
  return {
    contact: {
      name: advertiser.name,
      phone: advertiser.phone,
      phoneRaw: createSpanishPhone(advertiser.phone),
      email: null,
      identifiers: [],
      advertiserType: advertiser.type,
    },
    property: {
      operation,
      propertyType,
      title,
      description,
      price,
      currency: 'EUR',
      squareMeters,
      rooms: bedrooms,
      bedrooms,
      bathrooms,
      condition,
      features: [...listing.features].sort(),
      floor: listing.floor,
      floorText: null,
      address,
      municipality: city,
      province,
      postcode,
      latitude,
      longitude,
      images: Array.from({ length: photoCount }, (_, at) => photo(at + 1)),
      url: `${origin}/inmueble/${id}/`,
      publishedAt: listing.publishedAt.toISOString(),
    },
  }
}

/** The same facts of a lead, features in an order that can be compared, without the words in which its floor is stated. */
export function toComparableLead({ contact, property }: Lead): Pick<Lead, 'contact' | 'property'> {
  return { contact, property: { ...property, floorText: null, features: property.features.toSorted() } }
}

/** Leads by the portal's id of their listing. */
export function byListingId(leads: Lead[]): Map<string, Lead> {
  return new Map(leads.map(lead => [lead.sources[0]!.listingId, lead]))
}

/** All that must be the same of two extractions of one search, however one of them was disturbed. */
export async function readExtractionResult(tenant: TestTenant, extractionId: string) {
  const { status, outcome, progress, skippedByReason, error } = await getExtraction(tenant, extractionId)
  const leads = await tenant.allLeads()
  // Progress is told by the clock.
  const events = await tenant.inTenant(tx =>
    tx.selectFrom('events').select(['type', 'data']).where('type', '<>', 'extraction.progress').execute(),
  )
  const imported = events.find(event => event.type === 'leads.imported')?.data as
    | { leadIds: string[] }
    | undefined
  return {
    extraction: { status, outcome, progress, skippedByReason, error },
    leads: leads
      .map(lead => ({
        listingId: lead.sources[0]!.listingId,
        ...toComparableLead(lead),
        history: lead.priceHistory.length,
      }))
      .sort((a, b) => a.listingId.localeCompare(b.listingId)),
    listed: (await tenant.listLeads({ extractionId, limit: 200 })).data.length,
    events: events.map(event => event.type).sort(),
    /** Whether leads.imported names them all. */
    allNamed:
      imported?.leadIds.toSorted().join() ===
      Array.from(leads, lead => lead.id)
        .sort()
        .join(),
    leadsCounted: await tenant.quotaUsed('maxLeadsPerMonth'),
    extractionsCounted: await tenant.quotaUsed('maxExtractionsPerMonth'),
  }
}
