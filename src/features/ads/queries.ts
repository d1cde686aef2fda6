/** The SQL statements of connections with ad networks. */
import { sql } from 'kysely'
import { getNow, recordLockAcquired } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import type { Environment } from '../../kit/key.ts'
import type { Position } from '../../kit/page.ts'
import type { ConnectionStatus } from './schemas.ts'

export interface ConnectionRow {
  id: string
  network: string
  name: string
  pageId: string
  pageName: string
  credentials: Buffer
  status: ConnectionStatus
  statusReason: string | null
  statusChangedAt: Date
  since: Date
  webhookVerifiedAt: Date | null
  notifiedAt: Date | null
  checkedAt: Date
  retryAt: Date | null
  failures: number
  nextSweepAt: Date
  createdAt: Date
  updatedAt: Date
}

const columns = sql`
  id, network, name, page_id as "pageId", page_name as "pageName", credentials, status, status_reason as "statusReason",
  status_changed_at as "statusChangedAt", since, webhook_verified_at as "webhookVerifiedAt", notified_at as "notifiedAt",
  checked_at as "checkedAt", retry_at as "retryAt", failures, next_sweep_at as "nextSweepAt", created_at as "createdAt",
  updated_at as "updatedAt"`

/** Connections that do not exist are left out. */
export async function findConnections(tx: Tx, ids: readonly string[]): Promise<ConnectionRow[]> {
  const { rows } = await sql<ConnectionRow>`
    select ${columns} from ad_connections
    where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[])`.execute(tx)
  return rows
}

/** Finds the connections of pages of a network, by page id. */
export async function findConnectionsOfPages(
  tx: Tx,
  network: string,
  pageIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; pageId: string }>`
    select id, page_id as "pageId" from ad_connections
    where tenant_id = ${getTenantId(tx)} and network = ${network} and page_id = any(${pageIds}::text[])`.execute(
    tx,
  )
  return new Map(rows.map(({ id, pageId }) => [pageId, id]))
}

/** Locks a connection until the transaction ends; undefined if there is none. */
export async function lockConnection(tx: Tx, id: string): Promise<ConnectionRow | undefined> {
  const { rows } = await sql<ConnectionRow>`
    select ${columns} from ad_connections where tenant_id = ${getTenantId(tx)} and id = ${id}
    for no key update`.execute(tx)
  recordLockAcquired(tx)
  return rows[0]
}

/** Newest first. */
export async function listConnections(
  tx: Tx,
  { limit }: { limit: number },
  after: Position | null,
): Promise<ConnectionRow[]> {
  const { rows } = await sql<ConnectionRow>`
    select ${columns} from ad_connections
    where tenant_id = ${getTenantId(tx)} and ${after ? sql`id < ${after[0]}` : sql`true`}
    order by id desc limit ${limit + 1}`.execute(tx)
  return rows
}

export async function countConnections(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ad_connections where tenant_id = ${getTenantId(tx)}`.execute(tx)
  return rows[0]!.count
}

export interface NewConnectionRow {
  network: string
  name: string
  page_id: string
  page_name: string
  credentials: Buffer
  since: Date
}

/** Stores a connected page. Returns false if it is connected already. */
export async function insertConnection(tx: Tx, id: string, connection: NewConnectionRow): Promise<boolean> {
  const now = getNow(tx)
  const { network, name, page_id: pageId, page_name: pageName, credentials, since } = connection
  const { rows } = await sql`
    insert into ad_connections (tenant_id, id, network, name, page_id, page_name, credentials, status, status_changed_at, since,
      checked_at, next_sweep_at, created_at, updated_at)
    values (${getTenantId(tx)}, ${id}, ${network}, ${name}, ${pageId}, ${pageName}, ${credentials}, 'CONNECTED', ${now}, ${since},
      ${now}, ${now}, ${now}, ${now})
    on conflict (tenant_id, network, page_id) do nothing returning id`.execute(tx)
  return rows.length > 0
}

/** The columns that change after a page was connected. */
export interface ConnectionChanges {
  name?: string
  page_name?: string
  credentials?: Buffer
  status?: ConnectionStatus
  status_reason?: string | null
  status_changed_at?: Date
  webhook_verified_at?: Date
  notified_at?: Date
  checked_at?: Date
  retry_at?: Date | null
  failures?: number
  next_sweep_at?: Date
}

export async function updateConnection(tx: Tx, id: string, changes: ConnectionChanges): Promise<void> {
  await tx
    .updateTable('ad_connections')
    .set({ ...changes, updated_at: getNow(tx) })
    .where('tenant_id', '=', getTenantId(tx))
    .where('id', '=', id)
    .execute()
}

/** With its forms, and what is known of their leads. The leads stay. */
export async function deleteConnection(tx: Tx, id: string): Promise<void> {
  await sql`delete from ad_connections where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
}

/** Returns whether the transaction's tenant is the live or the test environment of its workspace. */
export async function getEnvironment(tx: Tx): Promise<Environment> {
  const { environment } = await tx
    .selectFrom('tenants')
    .select('environment')
    .where('id', '=', getTenantId(tx))
    .executeTakeFirstOrThrow()
  return environment as Environment
}
