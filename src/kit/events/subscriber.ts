/**
 * Subscribers of events. Features list their subscribers as data. A program binds them to its database, so that `emit` finds
 * them through `listSubscribers`.
 */
import { getContext } from '../db/context.ts'
import type { Database, Tx } from '../db/index.ts'
import type { EventDefinition } from './event.ts'

export interface Subscriber {
  name: string
  /** The events it receives. */
  on: 'all' | EventDefinition[]
  /** Called in the emitting transaction after `count` events were written, to notify the subscriber's own worker. */
  onEmitted(tx: Tx, definition: EventDefinition, count: number): Promise<unknown>
  /**
   * Called in the transaction in which stored events are changed or deleted to erase personal data. The subscriber
   * deletes its copies. `changedIds`: the changed events, which still exist; empty if events were deleted.
   */
  onErased?(tx: Tx, changedIds: string[]): Promise<unknown>
}

const boundSubscribers = new WeakMap<object, Subscriber[]>()

/** Binds the subscribers of a program's features to its database. */
export function bindSubscribers(database: Database, features: { subscribers?: Subscriber[] }[]): void {
  boundSubscribers.set(
    database,
    features.flatMap(({ subscribers = [] }) => subscribers),
  )
}

/** Throws if `bindSubscribers` was not called, so that no event is lost unnoticed. */
function getSubscribers(tx: Tx): Subscriber[] {
  const subscribers = boundSubscribers.get(getContext(tx).database)
  if (!subscribers) throw new Error('no subscribers are bound: call bindSubscribers before emitting events')
  return subscribers
}

/** Returns the subscribers that receive this event. */
export function listSubscribers(tx: Tx, definition: EventDefinition): Subscriber[] {
  return getSubscribers(tx).filter(({ on }) => on === 'all' || on.includes(definition))
}

/** Notifies every subscriber that events were changed or deleted. */
export async function notifyErased(tx: Tx, changedIds: string[]): Promise<void> {
  for (const { onErased } of getSubscribers(tx)) await onErased?.(tx, changedIds)
}
