/**
 * An outbox: items that are stored in a transaction and sent to other systems after its commit, such as webhook
 * deliveries, messages, e-mails and calendar writes. A feature keeps the items in its own table and defines here how
 * they are read, sent and recorded. `outboxService` does the rest:
 *
 * - Each destination (a subscription, an account, a mailbox) has its own sender. None waits for another.
 * - One process at a time sends to a destination. It holds a lock that PostgreSQL releases when the process dies.
 * - Items with the same `orderKey` are sent one after the other, in the order in which they were claimed.
 * - A failing destination gets one item at a time, a successful one up to `concurrency.max`.
 */
import type { ScheduledTask } from '../clock/scheduled-tasks.ts'
import type { Database, Tx } from '../db/index.ts'
import type { Log } from '../log.ts'

export interface Destination {
  tenantId: string
  destinationId: string
}

export type DueDestination = Destination & { dueAt: Date }

export interface OutboxItem {
  id: string
  /** Items with the same key are never in flight at the same time. */
  orderKey: string
}

export interface Claim<Target, Item extends OutboxItem> {
  /** Where to send. Null if nothing may be sent to the destination now. */
  target: Target | null
  /** True if the last attempt to this destination failed. */
  isFailing: boolean
  /** The due items, the earliest first. */
  items: Item[]
  /** True if more items may be due. */
  isFull: boolean
  /** When the next item becomes due; null if there is none. */
  nextAt: Date | null
}

export interface Attempt {
  /** Why it failed; null if it succeeded. */
  error: string | null
  /** The wait that the destination requests with Retry-After; 0 if none. */
  retryAfterMs: number
}

export interface SendContext {
  database: Database
  /** Once aborted, start no further attempts: what waits for its turn is returned as not sent. */
  stopping: AbortSignal
  /** Once aborted, stop waiting for replies. */
  forceStop: AbortSignal
}

/** An item and the result of its attempt. */
export interface Sent<Target, Item, Result> {
  item: Item
  attempt: Result
  target: Target
}

export interface Outbox<Target, Item extends OutboxItem, Result extends Attempt> {
  /** Such as `webhook`. Unique among outboxes; part of the names of locks. */
  name: string
  /** Topics of notifications, each with an id as detail. */
  topics: {
    /** An item is due. Detail: the tenant's id. */
    due: string
    /** A destination has changed. Detail: the destination's id. */
    changed: string
    /** Stored items were changed to erase data. Detail: the tenant's id. */
    erased: string
  }
  /** How many items of a destination are in flight: `first` initially, doubled after each success up to `max`. */
  concurrency: { first: number; max: number }
  /** How many items are claimed at once. Choose a low number for items whose sending may still be cancelled. */
  batch: number
  /** Lists the destinations with items to send, now or later, of one tenant, or of all (in the owner's role). */
  listDue(db: Database['owner'], tenantId: string | null): Promise<DueDestination[]>
  /**
   * Replaces `outboxSchedule` for items that are stored as claimed while they are in flight. `listDue` does not list these,
   * but advancing a clock waits until they are recorded.
   */
  schedule?: ScheduledTask
  /**
   * Reads at most `limit` due items, except `excludedIds`, which this sender already holds. For items that must not be
   * sent twice, it also stores that they are claimed. A claimed item that is not in `excludedIds` was left by a process
   * that died, and is reconciled here.
   */
  claim(
    tx: Tx,
    destinationId: string,
    options: { excludedIds: string[]; limit: number },
  ): Promise<Claim<Target, Item>>
  /** Releases claimed items that were not sent, so that `claim` reads them again. */
  release?(tx: Tx, destinationId: string, items: Item[]): Promise<void>
  /** Sends one item. Throws only if `forceStop` is aborted; failures are returned. */
  send(target: Target, item: Item, context: SendContext): Promise<Result>
  /**
   * Records the results of items, in their order. Must be idempotent. `continues`: false if nothing more may be sent
   * for now. `nextAt`: when the first failed item is retried; null if none is.
   */
  record(
    tx: Tx,
    destinationId: string,
    sent: Sent<Target, Item, Result>[],
  ): Promise<{ continues: boolean; nextAt: Date | null }>
  /** Logs failures. Only the feature knows which parts of a target are secret and must not be logged. */
  logFailures(log: Log, destinationId: string, failed: Sent<Target, Item, Result>[]): void
}

/** An outbox with any kind of items. */
// biome-ignore lint/suspicious/noExplicitAny: the service only passes targets and items through
export type AnyOutbox = Outbox<any, any, any>
