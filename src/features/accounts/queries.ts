/** The SQL statements of accounts. */
import { sql } from 'kysely'
import { getNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import type { Environment } from '../../kit/key.ts'
import type { AccountHealth, AccountStatus, ChatProvider } from '../../plugins/chat.ts'

export interface AccountRow {
  id: string
  provider: string
  mode: ChatProvider['mode']
  displayName: string
  phone: string | null
  externalId: string
  /** Encrypted JSON. */
  credentials: Buffer | null
  status: AccountStatus
  statusReason: string | null
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
  checkedAt: Date | null
  inboxCursor: string | null
  createdAt: Date
  updatedAt: Date
}

const accountColumns =
  sql.raw(`id, provider, mode, display_name as "displayName", phone, external_id as "externalId",
  credentials, status, status_reason as "statusReason", status_changed_at as "statusChangedAt", is_paused as "isPaused",
  quality, tier, provider_daily_limit as "providerDailyLimit", own_daily_limit as "ownDailyLimit",
  warm_up_started_at as "warmUpStartedAt", messages_per_second as "messagesPerSecond", paused_until as "pausedUntil",
  is_failing as "isFailing", checked_at as "checkedAt", inbox_cursor as "inboxCursor", created_at as "createdAt",
  updated_at as "updatedAt"`)

/** Finds accounts by id, in any order. */
export async function findAccounts(tx: Tx, ids: readonly string[]): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    select ${accountColumns} from accounts where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[])`.execute(
    tx,
  )
  return rows
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
  credentials?: Buffer | null
  status?: AccountStatus
  status_reason?: string | null
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
  checked_at?: Date
  inbox_cursor?: string | null
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

/** Records that the account no longer fails. Writes nothing if it did not fail. */
export async function clearFailing(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ is_failing: false })
    .where('tenant_id', '=', getTenantId(tx))
    .where('id', '=', id)
    .where('is_failing', '=', true)
    .execute()
}
