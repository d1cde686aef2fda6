/** Factories of rows for tests, with default values. */

import { randomBytes } from 'node:crypto'
import type { Listing } from '../src/domain/listing/listing.ts'
import { createKey, createWorkspace, getTenantIdBySlug } from '../src/features/identity/service.ts'
import { emptyRow, type LeadRow, lockRows } from '../src/features/leads/record/lead-row.ts'
import { insertLeads, updateLeads } from '../src/features/leads/record/write-leads.ts'
import { type SourceState, storeListings } from '../src/features/leads/service.ts'
import type { Database, Environment, Tx } from '../src/kit/db/index.ts'
import { newId } from '../src/kit/id.ts'
import type { Scope } from '../src/kit/scope.ts'

export interface TestWorkspace {
  slug: string
  testTenantId: string
  liveTenantId: string
}

const unique = () => randomBytes(5).toString('hex')

export async function makeWorkspace({ owner }: Database): Promise<TestWorkspace> {
  const slug = await createWorkspace(owner, { name: `Agency ${unique()}` })
  return {
    slug,
    testTenantId: await getTenantIdBySlug(owner, slug, 'test'),
    liveTenantId: await getTenantIdBySlug(owner, slug, 'live'),
  }
}

export function makeKey(
  { owner }: Database,
  {
    scopes = [],
    ...key
  }: { workspace: string; environment?: Environment; scopes?: string[]; expiresAt?: Date },
): Promise<string> {
  return createKey(owner, { name: 'a key', environment: 'test', ...key, scopes: scopes as Scope[] })
}

/** A listing; `floorText` is the number of the floor by default. */
export function makeListing(overrides: Partial<Listing> = {}): Listing {
  const { floor = 3 } = overrides
  return {
    operation: 'sale',
    propertyType: 'homes',
    title: 'Piso en venta en carrer de Mallorca',
    description: 'Piso luminoso.',
    price: 300_000,
    currency: 'EUR',
    squareMeters: 80,
    rooms: 3,
    bedrooms: 3,
    bathrooms: 2,
    floor,
    floorText: floor === null ? null : String(floor),
    condition: 'good',
    features: ['lift'],
    address: 'Carrer de Mallorca, 214',
    municipality: 'Barcelona',
    province: 'Barcelona',
    postcode: '08008',
    latitude: 41.3917,
    longitude: 2.1611,
    images: [],
    url: 'https://portal.example/inmueble/1/',
    publishedAt: '2026-10-28T09:00:00.000Z',
    contact: {
      name: 'Marta Soler',
      phone: '+34612345678',
      phoneRaw: '612 34 56 78',
      email: null,
      advertiserType: 'private',
    },
    ...overrides,
  }
}

/** The stored state of a listing's source whose detail page was read. */
export function makeSourceState(overrides: Partial<SourceState> = {}): SourceState {
  return { path: '/', cardHash: null, etag: null, lastModified: null, isRead: true, ...overrides }
}

/** Stores leads like an extraction, in this order. Returns their ids. */
export async function makeLeads(
  { withTenant }: Database,
  tenantId: string,
  listings: Partial<Listing>[],
): Promise<string[]> {
  const stored = await withTenant({ tenantId }, tx =>
    storeListings(tx, {
      platform: 'portal_a',
      extractionId: '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f',
      campaignId: null,
      tags: [],
      updateExisting: true,
      listings: listings.map(overrides => ({
        listingId: unique(),
        listing: makeListing(overrides),
        sourceState: makeSourceState(),
      })),
    }),
  )
  return stored.flatMap(({ leadId }) => leadId ?? [])
}

/** Inserts leads with these columns, without checks. Returns their ids. */
export async function insertLeadRows(tx: Tx, rows: Partial<LeadRow>[]): Promise<string[]> {
  const whole = rows.map(columns => ({ ...emptyRow(newId()), ...columns }))
  await insertLeads(
    tx,
    whole.map(row => ({ row })),
  )
  return whole.map(({ id }) => id)
}

/** Changes columns of leads, without checks. */
export async function changeLeadRows(tx: Tx, leadIds: string[], columns: Partial<LeadRow>): Promise<void> {
  const known = [...(await lockRows(tx, leadIds)).values()]
  await updateLeads(
    tx,
    known.map(({ row }) => ({ before: row, after: { ...row, ...columns } })),
    new Date(),
  )
}
