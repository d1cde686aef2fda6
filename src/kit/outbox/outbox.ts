/**
 * An outbox: items that were stored in a transaction and are sent outside after its commit, such as webhook deliveries,
 * messages, e-mails and calendar writes. A feature keeps the items in a table of its own and says here how they are
 * read, sent and noted; `outboxService` does the rest:
 *
 * - Each destination (a subscription, an account, a mailbox) has a sender of its own. None waits for another's.
 * - One process at a time sends to a destination. It holds a lock that PostgreSQL releases when the process dies.
 * - Items with one `orderKey` are sent one after the other, in the order in which they were claimed.
 * - A destination that fails gets one item at a time; one that answers well up to `concurrency.max`.
 */
import type { Database, Tx } from '../db/index.ts'
import type { Log } from '../log.ts'

export interface Destination {
  tenantId: string
  destinationId: string
}

export type DueDestination = Destination & { dueAt: Date }

export interface OutboxItem {
  id: string
  /** Items with the same key are never under way at once. */
  orderKey: string
}

export interface Claim<Target, Item extends OutboxItem> {
  /** Null: nothing is to be sent to it, for now or any more. */
  target: Target | null
  /** The last attempt failed. */
  isFailing: boolean
  /** The longest due first. */
  items: Item[]
  /** There may be more. */
  isFull: boolean
  /** When the next one is due that is not due yet; null: there is none. */
  nextAt: Date | null
}

export interface Attempt {
  /** Why it failed; null: it succeeded. */
  error: string | null
  /** How long the destination asks not to be called; 0: it does not ask. */
  retryAfterMs: number
}

/** An item that was sent, or could not be. */
export interface Sent<Target, Item, Result> {
  item: Item
  attempt: Result
  target: Target
}

export interface Outbox<Target, Item extends OutboxItem, Result extends Attempt> {
  /** Such as `webhook`. Of all outboxes; part of the names of locks. */
  name: string
  /** Topics of notifications, each with a detail. */
  topics: {
    /** Something is due; the tenant's id. */
    due: string
    /** The destination is no longer what its sender knows of it; the destination's id. */
    changed: string
    /** Items that were claimed and not sent yet are no longer what they were; the tenant's id. */
    erased: string
  }
  /** How many items of a destination are under way at once: `first` to begin with, twice as many after each success. */
  concurrency: { first: number; max: number }
  /** How many items are claimed at once. Few for items that something may still forbid to send. */
  batch: number
  /** Destinations with something to send, now or later; of all tenants if none is given. */
  listDue(database: Database, tenantId: string | null): Promise<DueDestination[]>
  /**
   * Reads at most `limit` items that are due, but for those in `excludedIds`, which are under way. For items that must
   * not be sent twice, it also writes that they are claimed: one that is claimed and not in `excludedIds` was left by a
   * process that died, and is reconciled here.
   */
  claim(
    tx: Tx,
    destinationId: string,
    options: { excludedIds: string[]; limit: number },
  ): Promise<Claim<Target, Item>>
  /** Gives back items that were claimed and not sent, and are not to be sent as they are: `claim` reads them anew. */
  release?(tx: Tx, destinationId: string, items: Item[]): Promise<void>
  /** Sends one item. Throws if the signal is aborted, and never otherwise. */
  send(target: Target, item: Item, signal: AbortSignal): Promise<Result>
  /**
   * Notes what became of items, in their order; twice the same is once. `continues`: false if nothing more is to be
   * sent for now. `nextAt`: when the first of them is tried again; null: none is.
   */
  record(
    tx: Tx,
    destinationId: string,
    sent: Sent<Target, Item, Result>[],
  ): Promise<{ continues: boolean; nextAt: Date | null }>
  /** Logs failures. Addresses may hold secrets: what of a target may stand in a log, the feature knows. */
  logFailures(log: Log, destinationId: string, failed: Sent<Target, Item, Result>[]): void
}

/** An outbox, whatever it sends. */
// biome-ignore lint/suspicious/noExplicitAny: a runner passes targets and items through, and never looks into them
export type AnyOutbox = Outbox<any, any, any>
