/**
 * Who reacts to events. Features list their subscribers as data, and `app.ts` binds them: from an `emit`, the code leads to
 * `listSubscribers`, and from there to the lists of the features.
 */
import type { Tx } from '../db/index.ts'
import type { EventDefinition } from './event.ts'

export interface Subscriber {
  name: string
  /** The events it receives. */
  on: 'all' | EventDefinition[]
  /** Called in the transaction that emits, after the events were written, `count` of them: leaves word that there is something to do. */
  onEmitted(tx: Tx, definition: EventDefinition, count: number): Promise<unknown>
  /**
   * Called in the transaction in which stored events are changed or deleted, which is done for one reason: to forget what they
   * say. `changedIds`: those that are still there.
   */
  onErased?(tx: Tx, changedIds: string[]): Promise<unknown>
}

/** Null: no features were listed. An event would then reach nobody, unnoticed. */
let boundSubscribers: Subscriber[] | null = null

/** For `app.ts`, which lists the features. */
export function bindSubscribers(features: { subscribers?: Subscriber[] }[]): void {
  boundSubscribers = features.flatMap(({ subscribers = [] }) => subscribers)
}

function listAll(): Subscriber[] {
  if (!boundSubscribers)
    throw new Error('no features are bound: events are emitted by a process that lists them')
  return boundSubscribers
}

/** Those that receive this event. */
export function listSubscribers(definition: EventDefinition): Subscriber[] {
  return listAll().filter(({ on }) => on === 'all' || on.includes(definition))
}

/** Notifies every subscriber that events were changed or deleted. */
export async function notifyErased(tx: Tx, changedIds: string[]): Promise<void> {
  for (const { onErased } of listAll()) await onErased?.(tx, changedIds)
}
