/** An event is a row: written, and its dispatch enqueued, in the transaction of what it tells. */
import type { Tx } from './db/index.ts'
import { enqueue } from './enqueue.ts'
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
  const id = newId()
  await tx
    .insertInto('events')
    .values({ id, type: definition.type, data: JSON.stringify(data) })
    .execute()
  await enqueue(tx, dispatchName, { eventId: id, type: definition.type })
  return id
}

/** The queue's task that hands an event to its listeners. */
export const dispatchName = 'dispatch-event'
