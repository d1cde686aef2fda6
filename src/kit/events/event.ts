/** An event is a row, written in the transaction of what it reports. Features declare theirs here. */
import type { Tx } from '../db/index.ts'
import type { Static, TObject, TSchema } from '../schema.ts'

/** The object that an event reports on. Its message carries it as it is when the message is written; it is not stored with the event. */
export interface EmbeddedObject<T extends TSchema = TSchema> {
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
  /** Which of the data holds the id of the object it reports on: the first that is not null. None: it reports on the workspace. */
  object: string[]
  /** What its message carries besides the data. */
  embeds?: EmbeddedObject
  example: Static<T>
}

/** Declares an event: its name, the schema of its data, what it reports on, and an example for the documentation. */
export function event<T extends TObject>(
  definition: EventDefinition<T> & { object: (keyof Static<T> & string)[] },
): EventDefinition<T> {
  return definition
}

/** The object of no event: its sequence counts all events of the tenant. */
export const allEventsId = '00000000-0000-0000-0000-000000000000'
