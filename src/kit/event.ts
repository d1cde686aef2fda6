/** An event is a row: written, and its deliveries to subscribers with it, in the transaction of what it tells. */
import { sql, type Tx } from './db/index.ts'
import { newId } from './id.ts'
import type { Static, TObject } from './schema.ts'
import { storableJson } from './storable.ts'

export interface EventDefinition<T extends TObject = TObject> {
  /** Such as `extraction.completed`. */
  type: string
  summary: string
  data: T
  /** Which of the data holds the id of what it tells of: the first that is not null. None: it tells of the workspace. */
  object: string[]
  example: Static<T>
}

/** Declares an event: its name, the schema of its data, what it tells of, and an example for the documentation. */
export function event<T extends TObject>(
  definition: EventDefinition<T> & { object: (keyof Static<T> & string)[] },
): EventDefinition<T> {
  return definition
}

/** Writes the event, and a delivery to each subscription that wants it; both are there if `tx` commits. Returns its id. */
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
 * numbered 1, 2, 3, … in the order of their commits: until this one, others that tell of the same wait.
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
  await sql`
    with told as (
      select id, coalesce(object_id, aldaba.current_tenant()) as object_id, data
      from unnest(${ids}::uuid[], ${objects}::uuid[], ${texts}::jsonb[]) as t (id, object_id, data)
    ), counted as (
      -- In one order for all, lest two that tell of the same objects wait for each other.
      insert into event_sequences as s (object_id, last)
      select object_id, count(*) from told group by object_id order by object_id
      on conflict (tenant_id, object_id) do update set last = s.last + excluded.last
      returning object_id, last
    )
    insert into events (id, type, data, object_id, sequence)
    select id, ${type}, data, object_id,
      last - count(*) over (partition by object_id) + row_number() over (partition by object_id order by id)
    from told join counted using (object_id)`.execute(tx)
  return ids
}

function objectOf<T extends TObject>(names: string[], data: Static<T>): string | null {
  const values = data as Record<string, string | null>
  return names.map(name => values[name]).find(value => value != null) ?? null
}
