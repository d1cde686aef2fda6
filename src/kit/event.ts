/** An event is a row, written in the transaction of what it tells; who sends it to subscribers is notified at the commit. */
import { notifyChange } from './db/changes.ts'
import { sql, type Tx } from './db/index.ts'
import { newId } from './id.ts'
import type { Static, TObject, TSchema } from './schema.ts'
import { storableJson } from './storable.ts'

/** The object that an event reports on. Its message carries it as it is when the message is written; it is not stored with the event. */
export interface CarriedObject<T extends TSchema = TSchema> {
  /** Its field in the data of the message, such as `lead`. */
  name: string
  schema: T
  example: Static<T>
  /** The objects with these ids as JSON, by their ids: null in place of one with more than `maxBytes`. What is gone is missing. */
  read(tx: Tx, ids: string[], maxBytes: number): Promise<Map<string, string | null>>
}

export interface EventDefinition<T extends TObject = TObject> {
  /** Such as `extraction.completed`. */
  type: string
  summary: string
  data: T
  /** Which of the data holds the id of what it tells of: the first that is not null. None: it tells of the workspace. */
  object: string[]
  /** What its message carries besides the data. */
  carries?: CarriedObject
  example: Static<T>
}

/** Declares an event: its name, the schema of its data, what it tells of, and an example for the documentation. */
export function event<T extends TObject>(
  definition: EventDefinition<T> & { object: (keyof Static<T> & string)[] },
): EventDefinition<T> {
  return definition
}

/** Told with the tenant when there is something to send to a subscription. */
export const deliveriesTopic = 'webhook-deliveries'

/** The object of no event: it counts all events of the tenant. */
const allEventsId = '00000000-0000-0000-0000-000000000000'

/** SQL: the position of the tenant's last event. */
export const lastPosition = sql<number>`coalesce((select last from event_sequences where object_id = ${allEventsId}), 0)`

/** Writes the event, which is sent to each subscription that wants it, if `tx` commits. Returns its id. */
export async function emit<T extends TObject>(
  tx: Tx,
  definition: EventDefinition<T>,
  data: Static<T>,
): Promise<string> {
  const [id] = await emitMany(tx, definition, [data])
  return id!
}

/**
 * Does for many what `emit` does for one, with one statement. Returns their ids, in their order. Events of one object are
 * numbered 1, 2, 3, … in the order of their commits, and so are all events of the tenant (`position`): until this one, others
 * that emit wait.
 */
export async function emitMany<T extends TObject>(
  tx: Tx,
  { type, object }: EventDefinition<T>,
  data: Static<T>[],
): Promise<string[]> {
  if (data.length === 0) return []
  // Of one millisecond, ids are in any order.
  const ids = data.map(() => newId()).sort()
  const objects = data.map(each => objectOf(object, each))
  const texts = data.map(each => storableJson(each))
  const written = sql`
    with told as (
      select id, coalesce(object_id, aldaba.current_tenant()) as object_id, data
      from unnest(${ids}::uuid[], ${objects}::uuid[], ${texts}::jsonb[]) as t (id, object_id, data)
    ), counted as (
      -- In one order for all, lest two that tell of the same objects wait for each other.
      insert into event_sequences as s (object_id, last)
      select object_id, count(*) from (select object_id from told union all select ${allEventsId} from told) t
      group by object_id order by object_id
      on conflict (tenant_id, object_id) do update set last = s.last + excluded.last
      returning object_id, last
    )
    insert into events (id, type, data, object_id, sequence, position)
    select id, ${type}, data, told.object_id,
      own.last - count(*) over (partition by told.object_id) + row_number() over (partition by told.object_id order by id),
      everything.last - count(*) over () + row_number() over (order by id)
    from told join counted own on own.object_id = told.object_id
      join counted everything on everything.object_id = ${allEventsId}`
  await Promise.all([written.execute(tx), notifySender(tx, type)])
  return ids
}

/** Commits that notify wait for each other: only where somebody wants the event. */
async function notifySender(tx: Tx, type: string): Promise<void> {
  const { rows } = await sql<{ tenantId: string }>`
    select tenant_id as "tenantId" from webhooks where status = 'enabled' and events && array['*', ${type}] limit 1`.execute(
    tx,
  )
  if (rows[0]) await notifyChange(tx, `${deliveriesTopic} ${rows[0].tenantId}`)
}

function objectOf<T extends TObject>(names: string[], data: Static<T>): string | null {
  const values = data as Record<string, string | null>
  return names.map(name => values[name]).find(value => value != null) ?? null
}
