/** Declares events. An event is a row that is written in the transaction of the change it reports. */
import type { Tx } from '../db/index.ts'
import type { Static, TObject, TSchema } from '../schema.ts'

/** The object that an event is about. Messages carry its current state, which is not stored with the event. */
export interface EmbeddedObject<T extends TSchema = TSchema> {
  /** Its field in the message's data, such as `lead`. */
  name: string
  schema: T
  example: Static<T>
  /**
   * Reads objects as JSON by id. The value is null for an object larger than `maxBytes`; deleted objects are missing.
   */
  read(tx: Tx, ids: string[], maxBytes: number): Promise<Map<string, string | null>>
}

export interface EventDefinition<T extends TObject = TObject> {
  /** Such as `extraction.completed`. */
  type: string
  summary: string
  data: T
  /**
   * The data fields that may hold the id of the event's object: the first that is not null counts. Empty: the
   * workspace.
   */
  object: string[]
  /** The object that the message carries in addition to the data. */
  embeds?: EmbeddedObject
  example: Static<T>
}

/** Declares an event: its type, the schema of its data, its object, and an example for the documentation. */
export function event<T extends TObject>(
  definition: EventDefinition<T> & { object: (keyof Static<T> & string)[] },
): EventDefinition<T> {
  return definition
}

/** A reserved object id whose sequence counts all events of the tenant. */
export const allEventsId = '00000000-0000-0000-0000-000000000000'
