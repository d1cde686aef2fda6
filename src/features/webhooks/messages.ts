/** Builds the messages of webhooks and of the feed: stored events with the current state of their objects embedded. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'
import type { EmbeddedObject } from '../../kit/events/event.ts'
import { embeddedMaxBytes } from '../../kit/events/event-schema.ts'
import type { Catalogue } from './events.ts'

export interface StoredEvent {
  eventId: string
  type: string
  objectId: string
  /** true: a test event that a user requested. */
  isTest: boolean
  timestamp: string
  environment: string
  workspaceId: string
  sequence: number
  /** JSON. */
  data: string
}

/** The columns of `StoredEvent`, from an event `e` and its tenant `t`. */
export const storedEventColumns =
  sql.raw(`e.id as "eventId", e.type, e.object_id as "objectId", e.is_test as "isTest", aldaba.iso_time(e.created_at) as timestamp,
  t.environment, t.workspace_id as "workspaceId", e.sequence, e.data::text as data`)

/**
 * Returns the message of each event, JSON. Objects are read after their events, so an object is never older than its
 * event, and deleted or erased objects are in no message.
 */
export async function buildMessages(tx: Tx, catalogue: Catalogue, events: StoredEvent[]): Promise<string[]> {
  const genuine = events.filter(({ isTest }) => !isTest)
  const objects = new Map<EmbeddedObject, Map<string, string | null>>()
  for (const [embeds, same] of Map.groupBy(genuine, ({ type }) => catalogue.get(type)?.embeds))
    if (embeds) {
      const ids = new Set(same.map(({ objectId }) => objectId))
      objects.set(embeds, await embeds.read(tx, [...ids], embeddedMaxBytes))
    }
  return events.map(event => {
    const embeds = catalogue.get(event.type)?.embeds
    if (!embeds) return formatMessage(event, event.data)
    const json = event.isTest ? JSON.stringify(embeds.example) : objects.get(embeds)!.get(event.objectId)
    const omitted = json === undefined ? '"gone"' : json === null ? '"too_large"' : 'null'
    const object = `"${embeds.name}":${json ?? 'null'},"objectOmitted":${omitted}`
    return formatMessage(event, `${event.data.slice(0, -1)},${object}}`)
  })
}

function formatMessage(
  { eventId, type, timestamp, environment, workspaceId, sequence }: StoredEvent,
  data: string,
): string {
  const head = JSON.stringify({ id: eventId, type, timestamp, environment, workspaceId, sequence })
  return `${head.slice(0, -1)},"data":${data}}`
}
