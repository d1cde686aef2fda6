/**
 * Subscribers of events. Features list their subscribers as data, and `app.ts` binds them at the start, so that `emit`
 * finds them through `listSubscribers`.
 */
import type { Tx } from '../db/index.ts'
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

/** Null until `bindSubscribers` is called: emitting then throws, so that no event is lost unnoticed. */
let boundSubscribers: Subscriber[] | null = null

/** Registers the subscribers of all features. Called by `app.ts` and by tests. */
export function bindSubscribers(features: { subscribers?: Subscriber[] }[]): void {
  boundSubscribers = features.flatMap(({ subscribers = [] }) => subscribers)
}

function getSubscribers(): Subscriber[] {
  if (!boundSubscribers)
    throw new Error('no subscribers are bound: call bindSubscribers before emitting events')
  return boundSubscribers
}

/** The subscribers that receive this event. */
export function listSubscribers(definition: EventDefinition): Subscriber[] {
  return getSubscribers().filter(({ on }) => on === 'all' || on.includes(definition))
}

/** Notifies every subscriber that events were changed or deleted. */
export async function notifyErased(tx: Tx, changedIds: string[]): Promise<void> {
  for (const { onErased } of getSubscribers()) await onErased?.(tx, changedIds)
}
