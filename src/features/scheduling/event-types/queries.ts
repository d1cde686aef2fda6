/** The SQL statements of event types. */
import { type RawBuilder, sql } from 'kysely'
import { createId, getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { fixedPlan } from '../../../kit/db/plans.ts'
import type { Position } from '../../../kit/page.ts'
import { notFound } from '../../../kit/problem.ts'
import { sanitizeJson, sanitizeText } from '../../../kit/sanitize-text.ts'
import type { EventTypeConfig } from './config-schemas.ts'
import type { EventType, EventTypeFilter } from './schemas.ts'

/** An event type with all its defaults. */
export interface EventTypeRow extends Omit<EventType, 'links'> {
  /** ISO 8601; null: it can be booked. */
  deletedAt: string | null
}

type StoredRow = EventTypeRow & { members: EventTypeConfig['assignment']['members'] }

const columns = sql.raw(`
  e.id, e.owner_agent_user_id as "ownerAgentUserId", e.agenda_id as "agendaId", e.name, e.slug, e.description,
  e.duration_min as "durationMin", e.buffer_before_min as "bufferBeforeMin", e.buffer_after_min as "bufferAfterMin",
  e.location_mode as "locationMode", e.location_details as "locationDetails", e.color, e.visibility, e.config, e.availability,
  e.template_id as "templateId", aldaba.iso_time(e.created_at) as "createdAt", aldaba.iso_time(e.updated_at) as "updatedAt",
  aldaba.iso_time(e.deleted_at) as "deletedAt"`)

async function selectEventTypes(
  tx: Tx,
  condition: RawBuilder<unknown>,
  limit: RawBuilder<unknown>,
): Promise<EventTypeRow[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<StoredRow>`
    select ${columns}, (
      select coalesce(json_agg(json_build_object('agendaId', m.agenda_id, 'weight', m.weight, 'areas', m.areas)
        order by m.agenda_id), '[]')
      from event_type_members m where m.tenant_id = ${tenantId} and m.event_type_id = e.id) as members
    from event_types e where e.tenant_id = ${tenantId} and ${condition}
    order by e.id desc ${limit}`.execute(tx)
  return rows.map(({ members, config, ...row }) => ({
    ...row,
    config: { ...config, assignment: { kind: config.assignment.kind, members } },
  }))
}

/** Throws 404 if there is none, or if it was deleted. */
export async function getEventType(tx: Tx, id: string): Promise<EventTypeRow> {
  const row = await findEventType(tx, id)
  if (!row || row.deletedAt !== null) throw notFound('event type')
  return row
}

/** Finds deleted ones too: their appointments stay. */
export async function findEventType(tx: Tx, id: string): Promise<EventTypeRow | null> {
  const [row] = await selectEventTypes(tx, sql`${fixedPlan} e.id = ${id}`, sql``)
  return row ?? null
}

/** Newest first, without deleted ones. Returns `limit + 1` rows if there are more. */
export function listEventTypes(
  tx: Tx,
  { limit, visibility, ownerAgentUserId, agendaId, slug }: EventTypeFilter,
  after: Position | null,
): Promise<EventTypeRow[]> {
  const conditions = [sql`e.deleted_at is null`]
  if (after) conditions.push(sql`e.id < ${after[0]}`)
  if (visibility) conditions.push(sql`e.visibility = ${visibility}`)
  if (ownerAgentUserId) conditions.push(sql`e.owner_agent_user_id = ${ownerAgentUserId}`)
  if (agendaId) conditions.push(sql`e.agenda_id = ${agendaId}`)
  if (slug) conditions.push(sql`e.slug = ${slug}`)
  return selectEventTypes(tx, sql.join(conditions, sql` and `), sql`limit ${limit + 1}`)
}

/** Serializes the writers of event types of a tenant, so that each finds the slugs of the others. */
export async function lockEventTypes(tx: Tx): Promise<void> {
  const key = `event-types ${getTenantId(tx)}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
}

/** Counts the event types that are not deleted. Until the transaction ends, no other one can be written. */
export async function countEventTypes(tx: Tx): Promise<number> {
  await lockEventTypes(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from event_types where tenant_id = ${getTenantId(tx)} and deleted_at is null`.execute(
    tx,
  )
  return rows[0]!.count
}

/** Lock the event types before. `exceptId` null: none is excepted. */
export async function isSlugTaken(
  tx: Tx,
  { ownerAgentUserId, slug, exceptId }: { ownerAgentUserId: string; slug: string; exceptId: string | null },
): Promise<boolean> {
  const { rows } = await sql`
    select from event_types
    where tenant_id = ${getTenantId(tx)} and owner_agent_user_id = ${ownerAgentUserId} and slug = ${slug}
      and deleted_at is null and id is distinct from ${exceptId}::uuid`.execute(tx)
  return rows.length > 0
}

type WrittenFields = Omit<EventTypeRow, 'id' | 'templateId' | 'createdAt' | 'updatedAt' | 'deletedAt'>

const toColumns = (fields: WrittenFields) => ({
  owner_agent_user_id: fields.ownerAgentUserId,
  agenda_id: fields.agendaId,
  name: sanitizeText(fields.name),
  slug: fields.slug,
  description: fields.description && sanitizeText(fields.description),
  duration_min: fields.durationMin,
  buffer_before_min: fields.bufferBeforeMin,
  buffer_after_min: fields.bufferAfterMin,
  location_mode: fields.locationMode,
  location_details: sanitizeJson(fields.locationDetails),
  color: fields.color,
  visibility: fields.visibility,
  config: sanitizeJson({ ...fields.config, assignment: { kind: fields.config.assignment.kind } }),
  availability: sanitizeJson(fields.availability),
})

/** Returns the id. */
export async function insertEventType(
  tx: Tx,
  { templateId, ...fields }: WrittenFields & { templateId: string | null },
): Promise<string> {
  const id = createId(tx)
  const now = getNow(tx)
  await tx
    .insertInto('event_types')
    .values({
      tenant_id: getTenantId(tx),
      id,
      ...toColumns(fields),
      template_id: templateId,
      created_at: now,
      updated_at: now,
    })
    .execute()
  await insertMembers(tx, id, fields)
  return id
}

export async function updateEventType(tx: Tx, id: string, fields: WrittenFields): Promise<void> {
  const tenantId = getTenantId(tx)
  await tx
    .updateTable('event_types')
    .set({ ...toColumns(fields), updated_at: getNow(tx) })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
  await sql`delete from event_type_members where tenant_id = ${tenantId} and event_type_id = ${id}`.execute(
    tx,
  )
  await insertMembers(tx, id, fields)
}

async function insertMembers(tx: Tx, eventTypeId: string, { config }: WrittenFields): Promise<void> {
  const { members } = config.assignment
  if (members.length === 0) return
  await tx
    .insertInto('event_type_members')
    .values(
      members.map(({ agendaId, weight, areas }) => ({
        tenant_id: getTenantId(tx),
        event_type_id: eventTypeId,
        agenda_id: agendaId,
        weight,
        areas,
      })),
    )
    .execute()
}

/** It can no longer be booked. Returns false if there is none. */
export async function deleteEventType(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    update event_types set deleted_at = ${getNow(tx)}, updated_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and id = ${id} and deleted_at is null returning id`.execute(tx)
  return rows.length > 0
}
