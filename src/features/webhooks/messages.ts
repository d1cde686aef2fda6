/** Messages, as they are sent and as the feed shows them: stored events, with the objects that they report on as they are now. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'
import type { CarriedObject } from '../../kit/events/event.ts'
import { carriedMaxBytes } from '../../kit/events/event-body.ts'
import type { Catalogue } from './events.ts'

export interface StoredEvent {
  eventId: string
  type: string
  objectId: string
  /** An example that somebody asked for. */
  isTest: boolean
  timestamp: string
  environment: string
  workspaceId: string
  sequence: number
  /** JSON. */
  data: string
}

/** The columns of a StoredEvent, of an event `e` and its tenant `t`. */
export const storedEvent =
  sql.raw(`e.id as "eventId", e.type, e.object_id as "objectId", e.is_test as "isTest", aldaba.iso_time(e.created_at) as timestamp,
  t.environment, t.workspace_id as "workspaceId", e.sequence, e.data::text as data`)

/**
 * The message of each event, JSON. An object is read after its event was, so it is never older than what the event reports, and
 * what was deleted or erased meanwhile is in no message.
 */
export async function writeMessages(tx: Tx, catalogue: Catalogue, events: StoredEvent[]): Promise<string[]> {
  const genuine = events.filter(({ isTest }) => !isTest)
  const objects = new Map<CarriedObject, Map<string, string | null>>()
  for (const [carries, same] of Map.groupBy(genuine, ({ type }) => catalogue.get(type)?.carries))
    if (carries) {
      const ids = new Set(same.map(({ objectId }) => objectId))
      objects.set(carries, await carries.read(tx, [...ids], carriedMaxBytes))
    }
  return events.map(event => {
    const carries = catalogue.get(event.type)?.carries
    if (!carries) return messageOf(event, event.data)
    const json = event.isTest ? JSON.stringify(carries.example) : objects.get(carries)!.get(event.objectId)
    const omitted = json === undefined ? '"gone"' : json === null ? '"too_large"' : 'null'
    const object = `"${carries.name}":${json ?? 'null'},"objectOmitted":${omitted}`
    return messageOf(event, `${event.data.slice(0, -1)},${object}}`)
  })
}

function messageOf(
  { eventId, type, timestamp, environment, workspaceId, sequence }: StoredEvent,
  data: string,
): string {
  const head = JSON.stringify({ id: eventId, type, timestamp, environment, workspaceId, sequence })
  return `${head.slice(0, -1)},"data":${data}}`
}
