/** Changes and deletes stored events. Only this file does so, to erase personal data. */
import { createId, getNow } from '../clock/clock.ts'
import { getTenantId } from '../db/context.ts'
import { sql, type Tx } from '../db/index.ts'
import { notifyErased } from './subscriber.ts'

/** The events about one lead between two times. */
export interface EventRange {
  leadId: string
  /** Timestamps of PostgreSQL, including `-infinity` and `infinity`. */
  from: string
  to: string
}

/**
 * Removes the `changes` of these events whose field does not match `allowedFields`, a PostgreSQL regular expression.
 */
export async function eraseChanges(tx: Tx, ranges: EventRange[], allowedFields: string): Promise<void> {
  if (ranges.length === 0) return
  const { rows } = await sql<{ id: string }>`
    update events e set data = jsonb_set(e.data, '{changes}', (
      select coalesce(jsonb_agg(change), '[]') from jsonb_array_elements(e.data -> 'changes') change
      where change ->> 'field' ~ ${allowedFields}))
    from jsonb_to_recordset(${JSON.stringify(ranges)}::jsonb) as s ("leadId" uuid, "from" timestamptz, "to" timestamptz)
    where e.tenant_id = ${getTenantId(tx)} and e.lead_id = s."leadId" and e.created_at between s."from" and s."to"
      and e.data ? 'changes' and exists (
        select from jsonb_array_elements(e.data -> 'changes') change where change ->> 'field' !~ ${allowedFields})
    returning e.id`.execute(tx)
  await notifyErasedIds(tx, rows)
}

/** Notifies subscribers, which may have read these events in order to send them. */
async function notifyErasedIds(tx: Tx, events: { id: string }[]): Promise<void> {
  if (events.length > 0)
    await notifyErased(
      tx,
      events.map(({ id }) => id),
    )
}

/** Deletes all events about these leads. */
export async function deleteLeadEvents(tx: Tx, leadIds: string[]): Promise<void> {
  const { numAffectedRows } = await sql`
    delete from events where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[])`.execute(tx)
  if (numAffectedRows) await notifyErased(tx, [])
}

/**
 * Sets a field of the data to null in at most `limit` events of a type whose id is lower than `before`. Returns the
 * number of changed events.
 */
export async function eraseField(
  tx: Tx,
  { type, field, before, limit }: { type: string; field: string; before: string; limit: number },
): Promise<number> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ id: string }>`
    update events set data = jsonb_set(data, array[${sql.lit(field)}], 'null')
    where tenant_id = ${tenantId} and id in (
      select id from events
      where tenant_id = ${tenantId} and type = ${sql.lit(type)} and data ->> ${sql.lit(field)} is not null and id < ${before}::uuid
      order by id limit ${limit})
    returning id`.execute(tx)
  await notifyErasedIds(tx, rows)
  return rows.length
}

/** The time of the first event that still has a value in this field; null if there is none. */
export async function findFirstWithField(
  tx: Tx,
  { type, field }: { type: string; field: string },
): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(created_at) as at from events
    where tenant_id = ${getTenantId(tx)} and type = ${sql.lit(type)} and data ->> ${sql.lit(field)} is not null`.execute(
    tx,
  )
  return rows[0]!.at
}

/**
 * Makes subscribers discard cached copies of these objects. The events keep their data; only their row version changes.
 */
export async function invalidateEmbedded(tx: Tx, objectIds: string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update events set data = data
    where tenant_id = ${getTenantId(tx)} and object_id = any(${objectIds}::uuid[])
    returning id`.execute(tx)
  await notifyErasedIds(tx, rows)
}

/** Stores an example event about this object. No event feed and no other subscription receives it. Returns its id. */
export async function insertExampleEvent(
  tx: Tx,
  objectId: string,
  { type, data }: { type: string; data: object },
): Promise<string> {
  const now = getNow(tx)
  const id = createId(tx)
  await tx
    .insertInto('events')
    .values({
      tenant_id: getTenantId(tx),
      id,
      type,
      data: JSON.stringify(data),
      object_id: objectId,
      sequence: 0,
      is_test: true,
      created_at: now,
    })
    .execute()
  return id
}

/** Deletes the example events among these ids. */
export async function deleteExampleEvents(tx: Tx, ids: string[]): Promise<void> {
  await sql`delete from events where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[]) and is_test`.execute(
    tx,
  )
}

/** Deletes the example events about this object. */
export async function deleteObjectExampleEvents(tx: Tx, objectId: string): Promise<void> {
  await tx
    .deleteFrom('events')
    .where('tenant_id', '=', getTenantId(tx))
    .where('object_id', '=', objectId)
    .where('is_test', '=', true)
    .execute()
}
