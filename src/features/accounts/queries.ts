/** The SQL statements of accounts. */
import { sql } from 'kysely'
import { getNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { isOneOf } from '../../kit/db/is-one-of.ts'
import type { Environment } from '../../kit/key.ts'
import type { Position } from '../../kit/page.ts'
import { splitNames } from '../../kit/schema.ts'
import type { AccountHealth, AccountStatus, ChatProvider } from '../../plugins/chat.ts'
import type { AccountFilter } from './schemas.ts'

export interface AccountRow {
  id: string
  provider: string
  mode: ChatProvider['mode']
  displayName: string
  phone: string | null
  externalId: string
  groupId: string | null
  /** Encrypted JSON. */
  credentials: Buffer | null
  status: AccountStatus
  statusReason: string | null
  /** It is RESTRICTED, but may answer people who have written lately. */
  canAnswer: boolean
  /** The end of a restriction that leaves answers and that the provider has reported: checks do not end it. */
  restrictedUntil: Date | null
  restrictionReason: string | null
  statusChangedAt: Date
  isPaused: boolean
  quality: AccountHealth['quality']
  tier: string | null
  providerDailyLimit: number | null
  ownDailyLimit: number | null
  warmUpStartedAt: Date | null
  messagesPerSecond: number | null
  pausedUntil: Date | null
  isFailing: boolean
  outageCount: number
  checkedAt: Date | null
  mailboxCursor: string | null
  createdAt: Date
  updatedAt: Date
}

const accountColumns =
  sql.raw(`id, provider, mode, display_name as "displayName", phone, external_id as "externalId",
  group_id as "groupId", credentials, status, status_reason as "statusReason", can_answer as "canAnswer",
  restricted_until as "restrictedUntil", restriction_reason as "restrictionReason", status_changed_at as "statusChangedAt", is_paused as "isPaused",
  quality, tier, provider_daily_limit as "providerDailyLimit", own_daily_limit as "ownDailyLimit",
  warm_up_started_at as "warmUpStartedAt", messages_per_second as "messagesPerSecond", paused_until as "pausedUntil",
  is_failing as "isFailing", outage_count as "outageCount", checked_at as "checkedAt", mailbox_cursor as "mailboxCursor", created_at as "createdAt",
  updated_at as "updatedAt"`)

/** Finds accounts by id, in any order. */
export async function findAccounts(tx: Tx, ids: readonly string[]): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    select ${accountColumns} from accounts where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[])`.execute(
    tx,
  )
  return rows
}

/** The accounts of these providers that are not disconnected, at most `limit`. */
export async function findConnected(
  tx: Tx,
  providers: readonly string[],
  limit: number,
): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    select ${accountColumns} from accounts
    where tenant_id = ${getTenantId(tx)} and provider = any(${providers}::text[]) and status <> 'DISCONNECTED'
    order by id limit ${limit}`.execute(tx)
  return rows
}

/** The accounts of a mode that have one of these statuses, at most `limit`. */
export async function findByMode(
  tx: Tx,
  mode: AccountRow['mode'],
  { statuses, limit }: { statuses: readonly AccountStatus[]; limit: number },
): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    select ${accountColumns} from accounts
    where tenant_id = ${getTenantId(tx)} and mode = ${mode} and status = any(${statuses}::text[])
    order by id limit ${limit}`.execute(tx)
  return rows
}

/** Finds the account that a provider names; a connected one before a disconnected one. */
export async function findByExternalId(
  tx: Tx,
  provider: string,
  externalId: string,
): Promise<AccountRow | undefined> {
  const { rows } = await sql<AccountRow>`
    select ${accountColumns} from accounts
    where tenant_id = ${getTenantId(tx)} and provider = ${provider} and external_id = ${externalId}
    order by status = 'DISCONNECTED', updated_at desc limit 1`.execute(tx)
  return rows[0]
}

/** Finds the connected accounts with these names: the provider's id, that of their group, or their phone. */
export async function findIdsByName(
  tx: Tx,
  provider: string,
  names: string[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ name: string; ids: string[] }>`
    select name, array_agg(id) as ids from accounts a, unnest(${names}::text[]) as name
    where a.tenant_id = ${getTenantId(tx)} and a.provider = ${provider} and a.status <> 'DISCONNECTED'
      and name in (a.external_id, a.group_id, a.phone)
    group by name`.execute(tx)
  return new Map(rows.map(({ name, ids }) => [name, ids]))
}

/** Lists the other connected accounts of an account's group. */
export async function listGroupMembers(tx: Tx, { id, provider, groupId }: AccountRow): Promise<string[]> {
  if (groupId === null) return []
  const { rows } = await sql<{ id: string }>`
    select id from accounts
    where tenant_id = ${getTenantId(tx)} and provider = ${provider} and group_id = ${groupId} and id <> ${id}
      and status <> 'DISCONNECTED'`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Newest first. */
export async function listAccounts(
  tx: Tx,
  { limit, provider, status }: AccountFilter,
  after: Position | null,
): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    select ${accountColumns} from accounts
    where tenant_id = ${getTenantId(tx)} and ${after ? sql`id < ${after[0]}` : sql`true`}
      and ${provider === undefined ? sql`true` : sql`provider = ${provider}`}
      and ${status === undefined ? sql`true` : isOneOf(sql`status`, splitNames(status))}
    order by id desc limit ${limit + 1}`.execute(tx)
  return rows
}

export async function countConnected(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from accounts where tenant_id = ${getTenantId(tx)} and status <> 'DISCONNECTED'`.execute(
    tx,
  )
  return rows[0]!.count
}

export interface NewAccountRow extends AccountChanges {
  provider: string
  mode: string
  external_id: string
  display_name: string
  status: AccountStatus
  status_changed_at: Date
}

/** Returns false if the provider's account is connected already. */
export async function insertAccount(tx: Tx, id: string, account: NewAccountRow): Promise<boolean> {
  const now = getNow(tx)
  const inserted = await tx
    .insertInto('accounts')
    .values({ tenant_id: getTenantId(tx), id, ...account, created_at: now, updated_at: now })
    .onConflict(conflict =>
      conflict
        .columns(['tenant_id', 'provider', 'external_id'])
        .where(sql<boolean>`status <> 'DISCONNECTED'`)
        .doNothing(),
    )
    .returning('id')
    .execute()
  return inserted.length > 0
}

/** Locks an account until the transaction ends; undefined if there is none. */
export async function lockAccount(tx: Tx, id: string): Promise<AccountRow | undefined> {
  const { rows } = await sql<AccountRow>`
    select ${accountColumns} from accounts where tenant_id = ${getTenantId(tx)} and id = ${id}
    for no key update`.execute(tx)
  return rows[0]
}

/** The columns that change after an account was created. */
export interface AccountChanges {
  display_name?: string
  phone?: string | null
  group_id?: string | null
  credentials?: Buffer | null
  status?: AccountStatus
  status_reason?: string | null
  can_answer?: boolean
  restricted_until?: Date | null
  restriction_reason?: string | null
  status_changed_at?: Date
  is_paused?: boolean
  quality?: AccountHealth['quality']
  tier?: string | null
  provider_daily_limit?: number | null
  own_daily_limit?: number | null
  warm_up_started_at?: Date | null
  messages_per_second?: number | null
  paused_until?: Date | null
  is_failing?: boolean
  outage_count?: number
  checked_at?: Date
  mailbox_cursor?: string | null
}

export async function updateAccount(tx: Tx, id: string, changes: AccountChanges): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ ...changes, updated_at: getNow(tx) })
    .where('tenant_id', '=', getTenantId(tx))
    .where('id', '=', id)
    .execute()
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

/** Records that the account no longer fails, and ends a pause of ours. Writes nothing if it did not fail. */
export async function clearFailing(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({
      is_failing: false,
      outage_count: 0,
      paused_until: sql<Date | null>`case when outage_count = 0 then paused_until end`,
    })
    .where('tenant_id', '=', getTenantId(tx))
    .where('id', '=', id)
    .where('is_failing', '=', true)
    .execute()
}
