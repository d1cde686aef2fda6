/** An event is a row: written, and its dispatch enqueued, in the transaction of what it tells. */
import { sql, type Tx } from './db/index.ts'
import { enqueue } from './enqueue.ts'
import { newId } from './id.ts'
import type { Static, TObject } from './schema.ts'
import { storableJson } from './storable.ts'

export interface EventDefinition<T extends TObject = TObject> {
  /** Such as `extraction.completed`. */
  type: string
  summary: string
  data: T
  example: Static<T>
}

/** Declares an event: its name, the schema of its data, and an example for the documentation. */
export function event<T extends TObject>(definition: EventDefinition<T>): EventDefinition<T> {
  return definition
}

/** Writes the event and enqueues its dispatch to every job that listens; both happen if `tx` commits. Returns its id. */
export async function emit<T extends TObject>(
  tx: Tx,
  definition: EventDefinition<T>,
  data: Static<T>,
): Promise<string> {
  const [id] = await emitMany(tx, definition, [data])
  return id!
}

/** So many events are handed on by one job. */
const dispatchedMax = 1000

/** Does for many what `emit` does for one, with one statement and one dispatch for each thousand. Returns their ids, in their order. */
export async function emitMany<T extends TObject>(
  tx: Tx,
  { type }: EventDefinition<T>,
  data: Static<T>[],
): Promise<string[]> {
  if (data.length === 0) return []
  // Of one millisecond, ids are in any order.
  const ids = data.map(() => newId()).sort()
  const texts = data.map(each => storableJson(each))
  await sql`
    insert into events (id, type, data)
    select id, ${type}, data from unnest(${ids}::uuid[], ${texts}::jsonb[]) as told (id, data)`.execute(tx)
  for (let at = 0; at < ids.length; at += dispatchedMax)
    await enqueue(tx, dispatchName, { eventIds: ids.slice(at, at + dispatchedMax), type })
  return ids
}

/** The queue's task that hands events of one type to their listeners. */
export const dispatchName = 'dispatch-event'
