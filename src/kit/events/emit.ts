/** Writes events, and notifies their subscribers. */
import type { RawBuilder } from 'kysely'
import { createId, getNow } from '../clock/clock.ts'
import { getTenantId } from '../db/context.ts'
import { sql, type Tx } from '../db/index.ts'
import { fixedPlan } from '../db/plans.ts'
import { sanitizeJson } from '../sanitize-text.ts'
import type { Static, TObject } from '../schema.ts'
import { allEventsId, type EventDefinition } from './event.ts'
import { listSubscribers } from './subscriber.ts'

/** SQL: the position of the tenant's last event. */
export const sqlLastPosition = (tx: Tx): RawBuilder<number> => sql<number>`coalesce((
  select last from event_sequences where tenant_id = ${getTenantId(tx)} and object_id = ${allEventsId}), 0)`

/** The position of the last event; 0 if there is none. */
export async function readLastPosition(tx: Tx): Promise<number> {
  const { rows } = await sql<{ position: number }>`select ${sqlLastPosition(tx)} as position`.execute(tx)
  return rows[0]!.position
}

/** Writes an event; its subscribers receive it if `tx` commits. Returns its id. */
export async function emit<T extends TObject>(
  tx: Tx,
  definition: EventDefinition<T>,
  data: Static<T>,
): Promise<string> {
  const [id] = await emitMany(tx, definition, [data])
  return id!
}

/**
 * Writes many events with one statement. Returns their ids, in the same order. Events of one object are numbered 1, 2,
 * 3, … in the order of their commits (`sequence`), and so are all events of the tenant (`position`). Therefore other
 * transactions of the tenant that emit wait until this one ends.
 */
export async function emitMany<T extends TObject>(
  tx: Tx,
  definition: EventDefinition<T>,
  data: Static<T>[],
): Promise<string[]> {
  if (data.length === 0) return []
  const { type, object } = definition
  // Ids of the same millisecond are in random order, so they are sorted.
  const now = getNow(tx)
  const tenantId = getTenantId(tx)
  const ids = data.map(() => createId(tx)).sort()
  const objects = data.map(each => findObjectId(object, each))
  const texts = data.map(each => sanitizeJson(each))
  const written = sql`
    ${fixedPlan} with emitted as (
      select id, coalesce(object_id, ${tenantId}::uuid) as object_id, data
      from unnest(${ids}::uuid[], ${objects}::uuid[], ${texts}::jsonb[]) as t (id, object_id, data)
    ), counted as (
      -- Always in the same order, so that two transactions on the same objects cannot deadlock.
      insert into event_sequences as s (tenant_id, object_id, last)
      select ${tenantId}::uuid, object_id, count(*) from (select object_id from emitted union all select ${allEventsId} from emitted) t
      group by object_id order by object_id
      on conflict (tenant_id, object_id) do update set last = s.last + excluded.last
      returning object_id, last
    )
    insert into events (tenant_id, id, type, data, object_id, sequence, position, created_at)
    select ${tenantId}::uuid, id, ${type}, data, emitted.object_id,
      own.last - count(*) over (partition by emitted.object_id) + row_number() over (partition by emitted.object_id order by id),
      everything.last - count(*) over () + row_number() over (order by id), ${now}::timestamptz
    from emitted join counted own on own.object_id = emitted.object_id
      join counted everything on everything.object_id = ${allEventsId}
    returning 1`
  await Promise.all([
    written.execute(tx),
    ...listSubscribers(tx, definition).map(({ onEmitted }) => onEmitted(tx, definition, ids.length)),
  ])
  return ids
}

function findObjectId<T extends TObject>(names: string[], data: Static<T>): string | null {
  const values = data as Record<string, string | null>
  return names.map(name => values[name]).find(value => value != null) ?? null
}
