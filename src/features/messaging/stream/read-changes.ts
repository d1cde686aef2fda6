/**
 * The changes of the inbox since a snapshot of the database. A snapshot knows which transactions it sees, so the next
 * read finds all that have committed since, in whatever order they began; no counter has to serialize the writers.
 */
import { machineNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { type Database, sql, type Tx } from '../../../kit/db/index.ts'
import { type InboxChange, noMessageId } from '../inbox-changes.ts'

/** How long changes are kept. A client that was away for longer loads the inbox again. */
const keptMs = 24 * 3_600_000
const resumableMs = keptMs - 3_600_000
/** If more has changed, loading the inbox again is faster. */
export const changesMax = 1000
const deletedAtOnce = 5000

/** A snapshot as PostgreSQL writes it, `xmin:xmax:xip_list`, and when it was read. */
export interface Snapshot {
  text: string
  readAtMs: number
}

export async function readSnapshot(tx: Tx): Promise<Snapshot> {
  const readAtMs = machineNow()
  const { rows } = await sql<{ text: string }>`select pg_current_snapshot()::text as text`.execute(tx)
  return { text: rows[0]!.text, readAtMs }
}

/**
 * Reads what was committed after `since`, and the snapshot to continue from. `changes` is null if that is too much. A
 * change that commits between the two statements is returned twice, never lost.
 */
export async function readChanges(
  tx: Tx,
  since: Snapshot,
): Promise<{ changes: InboxChange[] | null; snapshot: Snapshot }> {
  const snapshot = await readSnapshot(tx)
  const { rows } = await sql<{ conversationId: string; messageId: string }>`
    select conversation_id as "conversationId", message_id as "messageId" from inbox_changes
    where tenant_id = ${getTenantId(tx)} and changed_in >= ${parseBounds(since.text).min}::xid8
      and not pg_visible_in_snapshot(changed_in, ${since.text}::pg_snapshot)
    order by changed_in limit ${changesMax + 1}`.execute(tx)
  const changes = rows.map(({ conversationId, messageId }) => ({
    conversationId,
    messageId: messageId === noMessageId ? null : messageId,
  }))
  return { changes: changes.length > changesMax ? null : changes, snapshot }
}

/** The id of an event: a client that reconnects sends the last one. */
export const toEventId = ({ text, readAtMs }: Snapshot): string => `${readAtMs}-${text}`

/** Returns null for an id that is damaged, too old, or from a database that was restored to an earlier state. */
export function parseEventId(eventId: string, current: Snapshot): Snapshot | null {
  const [, time, text] = /^(\d{1,15})-(\d{1,18}:\d{1,18}:[\d,]{0,4000})$/.exec(eventId) ?? []
  if (time === undefined || text === undefined || !isSnapshot(text)) return null
  const isOld = Number(time) < current.readAtMs - resumableMs
  return isOld || parseBounds(text).max > parseBounds(current.text).max
    ? null
    : { text, readAtMs: Number(time) }
}

function parseBounds(text: string): { min: bigint; max: bigint } {
  const [min, max] = text.split(':')
  return { min: BigInt(min!), max: BigInt(max!) }
}

/** As PostgreSQL accepts it: running transactions in order, between the bounds. */
function isSnapshot(text: string): boolean {
  const { min, max } = parseBounds(text)
  const list = text.split(':')[2]!
  const running = list === '' ? [] : list.split(',')
  if (running.some(id => !/^\d{1,18}$/.test(id))) return false
  const ids = running.map(BigInt)
  return (
    min > 0n &&
    min <= max &&
    ids.every((id, index) => id >= min && id < max && (index === 0 || id > ids[index - 1]!))
  )
}

/** Deletes changes that nobody can resume from, in batches. Returns true if there may be more. */
export async function deleteOldChanges(tx: Tx): Promise<boolean> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql`
    delete from inbox_changes where tenant_id = ${tenantId} and (conversation_id, message_id) in (
      select conversation_id, message_id from inbox_changes
      where tenant_id = ${tenantId} and changed_at < ${new Date(machineNow() - keptMs)}
      order by changed_at limit ${deletedAtOnce})
    returning message_id`.execute(tx)
  return rows.length === deletedAtOnce
}

export async function listTenantsWithOldChanges({ owner }: Database): Promise<string[]> {
  const { rows } = await sql<{ tenantId: string }>`
    select distinct tenant_id as "tenantId" from inbox_changes
    where changed_at < ${new Date(machineNow() - keptMs)}`.execute(owner)
  return rows.map(({ tenantId }) => tenantId)
}
