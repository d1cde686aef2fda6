/** Tenants of the cluster test, each on another worker. */
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
export async function queryServer<T extends object>(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(sql, values)).rows
  } finally {
    await client.end()
  }
}

/** Returns the worker with the tenant's rows: 1 or 2. */
async function findWorker(cluster: Cluster, { tenantId }: TestTenant): Promise<number> {
  const [found] = await queryServer<{ port: number }>(
    cluster.superuserUrls[0],
    `select nodeport as port from citus_shards
     where shardid = get_shard_id_for_distribution_column('aldaba.leads', $1::uuid)`,
    [tenantId],
  )
  return cluster.superuserUrls.findIndex(url => Number(new URL(url).port) === found!.port)
}

/** Makes one tenant on each worker. */
export async function makeTenants(cluster: Cluster, app: TestApp): Promise<PlacedTenant[]> {
  const found = new Map<number, TestTenant>()
  while (found.size < 2) {
    const tenant = await makeTenant(app)
    found.set(await findWorker(cluster, tenant), tenant)
  }
  return [...found].map(([worker, tenant]) => ({ tenant, worker }))
}

/** The slug of the tenant's workspace. */
export async function readSlug(app: TestApp, { tenantId }: TestTenant): Promise<string> {
  const { slug } = await app.database.owner
    .selectFrom('tenants')
    .innerJoin('workspaces', 'workspaces.id', 'workspace_id')
    .select('slug')
    .where('tenants.id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return slug
}

/** Returns the body of a reply; throws if it has another status. */
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

/** Makes a lead with consent. */
export async function makeLead(tenant: TestTenant, contact: object): Promise<string> {
  const { id } = await send<Lead>(tenant, 201, 'POST', '/leads', { contact })
  await send(tenant, 200, 'PUT', `/leads/${id}/lawful-basis`, { kind: 'consent', proof: 'signed' })
  return id
}

/** Reads by id why leads may not be contacted; null: they may. Checks that the list filter agrees. */
export async function readContactReasons(
  tenant: TestTenant,
  ids: string[],
): Promise<Record<string, string | null>> {
  const { data } = await tenant.listLeads({ ids: ids.join() })
  for (const contactable of ['true', 'false']) {
    const filtered = await tenant.listLeads({ ids: ids.join(), contactable })
    const agreeing = data.filter(lead => String(lead.contactability.allowed) === contactable)
    expect(filtered.data.map(({ id }) => id)).toEqual(agreeing.map(({ id }) => id))
  }
  return Object.fromEntries(data.map(({ id, contactability }) => [id, contactability.reason]))
}
