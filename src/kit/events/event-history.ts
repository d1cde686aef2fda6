/** Changing and deleting stored events, which is done here alone: to forget what they say. */
import { createId, getNow } from '../clock/clock.ts'
import { getTenantId } from '../db/context.ts'
import { sql, type Tx } from '../db/index.ts'
import { notifyErased } from './subscriber.ts'

/** The events whose `leadId` is this one, from one time to another. */
export interface EventRange {
  leadId: string
  /** Timestamps of PostgreSQL: `-infinity` and `infinity` too. */
  from: string
  to: string
}

/** Removes from the `changes` of these events those whose field does not match `allowedFields`, a regular expression of PostgreSQL. */
export async function eraseChanges(tx: Tx, spans: EventRange[], allowedFields: string): Promise<void> {
  if (spans.length === 0) return
  const { rows } = await sql<{ id: string }>`
    update events e set data = jsonb_set(e.data, '{changes}', (
      select coalesce(jsonb_agg(change), '[]') from jsonb_array_elements(e.data -> 'changes') change
      where change ->> 'field' ~ ${allowedFields}))
    from jsonb_to_recordset(${JSON.stringify(spans)}::jsonb) as s ("leadId" uuid, "from" timestamptz, "to" timestamptz)
    where e.tenant_id = ${getTenantId(tx)} and e.lead_id = s."leadId" and e.created_at between s."from" and s."to"
      and e.data ? 'changes' and exists (
        select from jsonb_array_elements(e.data -> 'changes') change where change ->> 'field' !~ ${allowedFields})
    returning e.id`.execute(tx)
  await notifyErasedIds(tx, rows)
}

/** Subscribers may have read these events, in order to send them. */
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

/** Sets a field of the data to null in events of a type that are older than the id `before`, at most `limit`. Returns in how many. */
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

/** When the first event was emitted that still has a value in this field. */
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

/** Makes subscribers forget what they keep on these objects. Their events stay as they are; the rows get a new version. */
export async function invalidateEmbedded(tx: Tx, objectIds: string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update events set data = data
    where tenant_id = ${getTenantId(tx)} and object_id = any(${objectIds}::uuid[])
    returning id`.execute(tx)
  await notifyErasedIds(tx, rows)
}

/** Stores an example of an event about this object, which no feed and no other subscription has. Returns its id. */
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

/** Deletes those examples among these events. */
export async function deleteTestEvents(tx: Tx, ids: string[]): Promise<void> {
  await sql`delete from events where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[]) and is_test`.execute(
    tx,
  )
}

/** Deletes the examples about this object. */
export async function deleteObjectTestEvents(tx: Tx, objectId: string): Promise<void> {
  await tx
    .deleteFrom('events')
    .where('tenant_id', '=', getTenantId(tx))
    .where('object_id', '=', objectId)
    .where('is_test', '=', true)
    .execute()
}
