/** Runs extractions as a client, and builds their expected results. */
import type { Extraction } from '../src/features/extractions/schemas.ts'
import type { Lead } from '../src/features/leads/schemas.ts'
import { formatSpanishPhone } from '../src/simulator/advertisers.ts'
import type { Simulator } from '../src/simulator/index.ts'
import type { Operation, PropertyType, SimulatedListing } from '../src/simulator/listing.ts'
import { eventually } from './harness.ts'
import type { TestTenant } from './tenant.ts'

export interface Search {
  operation: Operation
  propertyType: PropertyType
  city: string
}

/** The body of `POST /extractions` for a search, with additional fields and filters. */
export function toExtractionBody(
  { city, ...kind }: Search,
  { filters = {}, ...more }: { filters?: object; maxResults?: number; options?: object } = {},
) {
  return {
    platform: 'portal_a',
    filters: { ...kind, location: { id: city, label: city }, ...filters },
    ...more,
  }
}

type BodyOptions = Parameters<typeof toExtractionBody>[1]

/** Starts an extraction; throws unless it is accepted. */
export async function startExtraction(
  tenant: TestTenant,
  search: Search,
  more?: BodyOptions,
): Promise<Extraction> {
  const body = toExtractionBody(search, more)
  const reply = await tenant.call<Extraction>('POST', '/extractions', { body })
  if (reply.status !== 202) throw new Error(`POST /extractions answered ${reply.status}: ${reply.text}`)
  return reply.body
}

export async function getExtraction(tenant: TestTenant, extractionId: string): Promise<Extraction> {
  return (await tenant.call<Extraction>('GET', `/extractions/${extractionId}`)).body
}

/** The simulator answers these paths when the returned function releases them, however fast or slow a machine is. */
export function holdAnswers({ faults }: Simulator, paths: string[]): (path: string) => void {
  const held = new Map(paths.map(path => [path, Promise.withResolvers<void>()]))
  for (const [match, { promise: until }] of held) faults.add({ kind: 'latency', match, until })
  return path => held.get(path)!.resolve()
}

/** Waits for the end of the extraction, with any status. */
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
export async function extract(tenant: TestTenant, search: Search, more?: BodyOptions): Promise<Extraction> {
  const { extractionId } = await startExtraction(tenant, search, more)
  return waitUntilEnded(tenant, extractionId)
}

/** The expected lead of a listing whose detail page was read. `origin` is the portal's, without a slash at the end. */
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
      phoneRaw: formatSpanishPhone(advertiser.phone),
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

/** The same fields of a lead with sorted features and without the text of the floor, for comparison. */
export function toComparableLead({ contact, property }: Lead): Pick<Lead, 'contact' | 'property'> {
  return { contact, property: { ...property, floorText: null, features: property.features.toSorted() } }
}

/** Maps leads by the portal's id of their listing. */
export function mapByListingId(leads: Lead[]): Map<string, Lead> {
  return new Map(leads.map(lead => [lead.sources[0]!.listingId, lead]))
}

/** The results that must be equal in two extractions of one search, even if one was disturbed. */
export async function readExtractionResult(tenant: TestTenant, extractionId: string) {
  const { status, outcome, progress, skippedByReason, error } = await getExtraction(tenant, extractionId)
  const leads = await tenant.listAllLeads()
  // Progress events depend on time.
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
        priceCount: lead.priceHistory.length,
      }))
      .sort((a, b) => a.listingId.localeCompare(b.listingId)),
    extractionLeadCount: (await tenant.listLeads({ extractionId, limit: 200 })).data.length,
    events: events.map(event => event.type).sort(),
    /** True if leads.imported lists all leads. */
    eventListsAllLeads:
      imported?.leadIds.toSorted().join() ===
      Array.from(leads, lead => lead.id)
        .sort()
        .join(),
    leadsCounted: await tenant.readQuotaUsage('maxLeadsPerMonth'),
    extractionsCounted: await tenant.readQuotaUsage('maxExtractionsPerMonth'),
  }
}
