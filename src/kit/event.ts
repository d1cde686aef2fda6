/** An event is a row: written, and its dispatch enqueued, in the transaction of what it tells. */
import { sql, type Tx } from './db/index.ts'
import { enqueueMany } from './enqueue.ts'
import { newId } from './id.ts'
import type { Static, TObject } from './schema.ts'

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

/** Does for many what `emit` does for one, with two statements in all. Returns their ids, in their order. */
export async function emitMany<T extends TObject>(
  tx: Tx,
  { type }: EventDefinition<T>,
  data: Static<T>[],
): Promise<string[]> {
  if (data.length === 0) return []
  // Of one millisecond, ids are in any order.
  const ids = data.map(() => newId()).sort()
  const texts = data.map(each => JSON.stringify(each))
  await sql`
    insert into events (id, type, data)
    select id, ${type}, data from unnest(${ids}::uuid[], ${texts}::jsonb[]) as told (id, data)`.execute(tx)
  await enqueueMany(
    tx,
    dispatchName,
    ids.map(eventId => ({ eventId, type })),
  )
  return ids
}

/** The queue's task that hands an event to its listeners. */
export const dispatchName = 'dispatch-event'
