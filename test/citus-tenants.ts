/** What the test of the cluster does with its tenants: each is on a worker of its own. */
import pg from 'pg'
import { expect } from 'vitest'
import type { Lead } from '../src/features/leads/schemas.ts'
import type { Cluster } from './citus-cluster.ts'
import type { TestApp } from './harness.ts'
import { makeTenant, type TestTenant } from './tenant.ts'

export interface PlacedTenant {
  tenant: TestTenant
  /** 1 or 2. */
  worker: number
}

/** Runs one statement on a server of the cluster. */
export async function ask<T extends object>(url: string, sql: string, values: unknown[] = []): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(sql, values)).rows
  } finally {
    await client.end()
  }
}

/** Which worker has the tenant's rows: 1 or 2. */
async function workerOf(cluster: Cluster, { tenantId }: TestTenant): Promise<number> {
  const [found] = await ask<{ port: number }>(
    cluster.superuserUrls[0],
    `select nodeport as port from citus_shards
     where shardid = get_shard_id_for_distribution_column('aldaba.leads', $1::uuid)`,
    [tenantId],
  )
  return cluster.superuserUrls.findIndex(url => Number(new URL(url).port) === found!.port)
}

/** A tenant on each worker. */
export async function makeTenants(cluster: Cluster, app: TestApp): Promise<PlacedTenant[]> {
  const found = new Map<number, TestTenant>()
  while (found.size < 2) {
    const tenant = await makeTenant(app)
    found.set(await workerOf(cluster, tenant), tenant)
  }
  return [...found].map(([worker, tenant]) => ({ tenant, worker }))
}

/** The slug of the tenant's workspace. */
export async function slugOf(app: TestApp, { tenantId }: TestTenant): Promise<string> {
  const { slug } = await app.database.owner
    .selectFrom('tenants')
    .innerJoin('workspaces', 'workspaces.id', 'workspace_id')
    .select('slug')
    .where('tenants.id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return slug
}

/** The body of a reply with this status; throws on any other. */
export async function send<T>(
  tenant: TestTenant,
  status: number,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const reply = await tenant.call<T>(method, path, body ? { body } : {})
  expect(reply.status, reply.text).toBe(status)
  return reply.body
}

/** A lead whose person has consented. */
export async function makeLead(tenant: TestTenant, contact: object): Promise<string> {
  const { id } = await send<Lead>(tenant, 201, 'POST', '/leads', { contact })
  await send(tenant, 200, 'PUT', `/leads/${id}/lawful-basis`, { kind: 'consent', proof: 'signed' })
  return id
}

/** By id: why these leads may not be contacted; null where they may. The filter of the list has to agree. */
export async function listReasons(tenant: TestTenant, ids: string[]): Promise<Record<string, string | null>> {
  const { data } = await tenant.listLeads({ ids: ids.join() })
  for (const contactable of ['true', 'false']) {
    const filtered = await tenant.listLeads({ ids: ids.join(), contactable })
    const agreeing = data.filter(lead => String(lead.contactability.allowed) === contactable)
    expect(filtered.data.map(({ id }) => id)).toEqual(agreeing.map(({ id }) => id))
  }
  return Object.fromEntries(data.map(({ id, contactability }) => [id, contactability.reason]))
}
