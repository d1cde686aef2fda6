/**
 * Status reports that arrive before their message is known: the provider may report a message before the call that sent
 * it is recorded, and a message that another program sent before its copy arrives.
 */
import { getNow, machineNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'
import { sanitizeJson } from '../../../kit/sanitize-text.ts'
import { shareLeads } from '../../../kit/writer.ts'
import { applyStatuses, type StatusReport } from './apply-status.ts'

export const earlyStatusesName = 'apply-early-chat-statuses'

/** How long the report of an unknown message is kept. */
const keptMs = 3_600_000
/** How often a report is tried while messages are being sent. */
const retryMs = 2000
/** Clocks of processes may differ by this much. */
const clockMarginMs = 60_000
const batchMax = 500

type Report = Omit<StatusReport, 'messageId' | 'to'>

/** Keeps reports, and starts the job that applies them. */
export async function keepStatuses(tx: Tx, accountId: string, reports: Report[]): Promise<void> {
  if (reports.length === 0) return
  const rows = reports.map(({ providerMessageId, status, at, failure }) => ({
    id: providerMessageId,
    status,
    at,
    failure,
  }))
  await sql`
    insert into early_statuses (tenant_id, account_id, provider_message_id, status, at, failure, received_at)
    select ${getTenantId(tx)}::uuid, ${accountId}::uuid, r.id, r.status, r.at, r.failure, ${getNow(tx)}::timestamptz
    from jsonb_to_recordset(${sanitizeJson(rows)}::jsonb) as r (id text, status text, at timestamptz, failure jsonb)
    on conflict (tenant_id, account_id, provider_message_id, status) do nothing`.execute(tx)
  await enqueueEarlyStatuses(tx, accountId)
}

/** After the bodies of the account, one job at a time. `waitMs`: a later run must not replace one that is due now. */
async function enqueueEarlyStatuses(tx: Tx, accountId: string, waitMs = 0): Promise<void> {
  await enqueue(
    tx,
    earlyStatusesName,
    { accountId },
    {
      jobKey: `${earlyStatusesName}:${accountId}${waitMs > 0 ? ':retry' : ''}`,
      queueName: `chat:${accountId}`,
      ...(waitMs > 0 ? { runAt: new Date(machineNow() + waitMs) } : {}),
    },
  )
}

/** Applies the reports of messages that have just become known. */
export async function applyKeptStatuses(
  tx: Tx,
  accountId: string,
  providerMessageIds: string[],
): Promise<void> {
  if (providerMessageIds.length === 0) return
  const { rows } = await sql<Report>`
    delete from early_statuses
    where tenant_id = ${getTenantId(tx)} and account_id = ${accountId}
      and provider_message_id = any(${providerMessageIds}::text[])
    returning provider_message_id as "providerMessageId", status, at, failure`.execute(tx)
  // Statuses only move forward, whatever the order.
  await applyStatuses(
    tx,
    accountId,
    rows.map(report => ({ ...report, messageId: null })),
  )
}

/** Applies the reports whose messages are known by now, and forgets old ones. Returns true if there may be more. */
export async function applyWaitingStatuses(tx: Tx, accountId: string): Promise<boolean> {
  await shareLeads(tx)
  // First: a message whose result is recorded after this statement was still being sent before it.
  const sendingSince = await findOldestClaim(tx, accountId)
  const ids = await findKnownIds(tx, accountId)
  await applyKeptStatuses(tx, accountId, ids)
  if (ids.length === batchMax) return true
  await settleStatuses(tx, accountId, sendingSince)
  const nextMs = await findNextMs(tx, accountId)
  if (nextMs !== null) await enqueueEarlyStatuses(tx, accountId, nextMs)
  return false
}

/** When the first call began whose result is not recorded; null: nothing is being sent. */
async function findOldestClaim(tx: Tx, accountId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(claimed_at) as at from messages
    where tenant_id = ${getTenantId(tx)} and account_id = ${accountId} and claimed_at is not null`.execute(tx)
  return rows[0]!.at
}

async function findKnownIds(tx: Tx, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct e.provider_message_id as id from early_statuses e
    join messages m on m.tenant_id = ${getTenantId(tx)} and m.account_id = ${accountId}
      and m.provider_message_id = e.provider_message_id
    where e.tenant_id = ${getTenantId(tx)} and e.account_id = ${accountId} and e.is_waiting
    order by id limit ${batchMax}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Marks reports that came before every call that still runs, and deletes old ones. */
async function settleStatuses(tx: Tx, accountId: string, sendingSince: Date | null): Promise<void> {
  const now = getNow(tx)
  const settledBefore = sendingSince && new Date(sendingSince.getTime() - clockMarginMs)
  await sql`
    update early_statuses set is_waiting = false
    where tenant_id = ${getTenantId(tx)} and account_id = ${accountId} and is_waiting
      and received_at <= ${settledBefore ?? now}`.execute(tx)
  await sql`
    delete from early_statuses
    where tenant_id = ${getTenantId(tx)} and account_id = ${accountId}
      and received_at <= ${new Date(now.getTime() - keptMs)}`.execute(tx)
}

/** The wait until the next run; null: no report is kept. */
async function findNextMs(tx: Tx, accountId: string): Promise<number | null> {
  const { rows } = await sql<{ isWaiting: boolean; oldest: Date | null }>`
    select exists (
        select from early_statuses where tenant_id = ${getTenantId(tx)} and account_id = ${accountId} and is_waiting) as "isWaiting",
      (select min(received_at) from early_statuses where tenant_id = ${getTenantId(tx)} and account_id = ${accountId}) as oldest`.execute(
    tx,
  )
  const { isWaiting, oldest } = rows[0]!
  if (isWaiting) return retryMs
  return oldest && Math.max(retryMs, oldest.getTime() + keptMs - getNow(tx).getTime())
}
