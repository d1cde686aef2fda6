/** A tenant for one test, called over HTTP with its key. */
import type { Listing } from '../src/domain/listing/listing.ts'
import type { Lead } from '../src/features/leads/schemas.ts'
import { type ListingBatch, type StoredListing, storeListings } from '../src/features/leads/service.ts'
import { type Environment, sql, type Tx } from '../src/kit/db/index.ts'
import { newId } from '../src/kit/id.ts'
import type { CallOptions, Reply, TestApp } from './harness.ts'
import { makeKey, makeListing, makeSourceState, makeWorkspace } from './make.ts'

export interface LeadsPage {
  data: Lead[]
  nextCursor: string | null
}

export interface TestTenant {
  tenantId: string
  key: string
  call<T = Record<string, never>>(
    method: string,
    path: string,
    options?: Omit<CallOptions, 'key'>,
  ): Promise<Reply<T>>
  /** Requests a page of `GET /leads`. Throws unless the status is 200. */
  listLeads(query?: Record<string, unknown>): Promise<LeadsPage>
  /** Every lead of every page, newest first. */
  listAllLeads(): Promise<Lead[]>
  inTenant<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** From now on the key is that of a user of the workspace. */
  signIn(): Promise<void>
  limitQuota(name: string, limit: number): Promise<void>
  /** Reads the usage from `GET /me`. */
  readQuotaUsage(name: string): Promise<number>
}

/** Makes a workspace with a high rate limit, and a full-access key of one environment. */
export async function makeTenant(app: TestApp, environment: Environment = 'test'): Promise<TestTenant> {
  const { database } = app
  const { slug, testTenantId, liveTenantId } = await makeWorkspace(database)
  await database.owner
    .updateTable('workspaces')
    .set({ requests_per_minute: 1_000_000 })
    .where('slug', '=', slug)
    .execute()
  const key = await makeKey(database, { workspace: slug, environment })
  const tenantId = environment === 'test' ? testTenantId : liveTenantId
  const call: TestTenant['call'] = (method, path, options) => app.call(method, path, { ...options, key })
  const listLeads: TestTenant['listLeads'] = async (query = {}) => {
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
    const { status, body, text } = await call<LeadsPage>('GET', `/leads?${search}`)
    if (status !== 200) throw new Error(`GET /leads?${search} answered ${status}: ${text}`)
    return body
  }
  return {
    tenantId,
    key,
    call,
    listLeads,
    async listAllLeads() {
      const leads: Lead[] = []
      let cursor: string | null = null
      do {
        const page: LeadsPage = await listLeads({ limit: 200, ...(cursor ? { cursor } : {}) })
        leads.push(...page.data)
        cursor = page.nextCursor
      } while (cursor)
      return leads
    },
    inTenant: work => database.withTenant({ tenantId }, work),
    async signIn() {
      await sql`
        update api_keys k set created_by = u.id from users u join tenants t using (workspace_id)
        where t.id = ${tenantId} and k.tenant_id = t.id`.execute(database.owner)
    },
    async limitQuota(name, limit) {
      await database.withTenant({ tenantId }, tx =>
        tx.insertInto('quota_limits').values({ tenant_id: tenantId, name, monthly_limit: limit }).execute(),
      )
    },
    async readQuotaUsage(name) {
      const { body } = await call<{ usage: { quotas: { name: string; used: number }[] } }>('GET', '/me')
      return body.usage.quotas.find(quota => quota.name === name)!.used
    },
  }
}

/** Stores listings like a page of an extraction. The keys of `listingsById` are their ids on the portal. */
export function seedListings(
  tenant: TestTenant,
  listingsById: Record<string, Partial<Listing>>,
  batch: Partial<ListingBatch> = {},
): Promise<StoredListing[]> {
  const listings = Object.entries(listingsById).map(([listingId, overrides]) => ({
    listingId,
    listing: makeListing(overrides),
    sourceState: makeSourceState(),
  }))
  const defaults = { platform: 'portal_a', extractionId: newId(), campaignId: null, tags: [] }
  return tenant.inTenant(tx => storeListings(tx, { ...defaults, updateExisting: true, ...batch, listings }))
}
