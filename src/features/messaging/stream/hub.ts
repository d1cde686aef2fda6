/**
 * Live updates of inboxes: one reader per tenant in a process, however many people watch. It reads what has changed,
 * once, and passes it to the streams.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Tx } from '../../../kit/db/index.ts'
import { pollIntervalMs } from '../../../kit/operations/long-poll.ts'
import { type InboxChange, toInboxTopic } from '../inbox-changes.ts'
import { readChanges, readSnapshot, type Snapshot } from './read-changes.ts'

/** Merges the changes of a moment into one read. */
const mergedMs = 100
const retryMs = 1000
/** Objects that are read together. */
const chunkSize = 100
/** Events that wait for a client; one that does not read them is dropped. */
const waitingMax = 3000

/** What has changed, in the order of the changes. Null: so much that the inbox is to be loaded again. */
export interface Batch<Update> {
  updates: Update[] | null
  snapshot: Snapshot
}

/** Reads changed objects. */
export type ReadUpdates<Update> = (tx: Tx, changes: InboxChange[]) => Promise<Update[]>

export interface Subscription<Update> {
  /** From then on every committed change comes in a batch. */
  started: Promise<unknown>
  /** Waits for the next batch, at most `timeoutMs`. `ended`: the client did not read fast enough. */
  next(timeoutMs: number, signal: AbortSignal): Promise<Batch<Update> | 'silent' | 'ended'>
  close(): void
}

interface Listener<Update> {
  push(batch: Batch<Update>): void
}

interface Reader<Update> {
  listeners: Set<Listener<Update>>
  started: Promise<Snapshot>
  stop(): void
}

/** Reads the updates of changes in chunks, so that no transaction reads thousands of objects. */
export async function readBatch<Update>(
  database: Database,
  tenantId: string,
  since: Snapshot,
  readUpdates: ReadUpdates<Update>,
): Promise<Batch<Update>> {
  const { changes, snapshot } = await database.readTenant({ tenantId }, tx => readChanges(tx, since))
  if (!changes) return { updates: null, snapshot }
  const updates: Update[] = []
  for (let start = 0; start < changes.length; start += chunkSize) {
    const chunk = changes.slice(start, start + chunkSize)
    updates.push(...(await database.readTenant({ tenantId }, tx => readUpdates(tx, chunk))))
  }
  return { updates, snapshot }
}

export interface Hub<Update> {
  subscribe(database: Database, tenantId: string): Subscription<Update>
}

export function createHub<Update>(readUpdates: ReadUpdates<Update>): Hub<Update> {
  const readers = new Map<string, Reader<Update>>()

  const startReader = (database: Database, tenantId: string): Reader<Update> => {
    const listeners = new Set<Listener<Update>>()
    const stopping = new AbortController()
    // The watch begins before the first snapshot, so that no change falls between them.
    const watcher = database.notifications.watch(toInboxTopic(tenantId))
    const started = database.readTenant({ tenantId }, readSnapshot)
    const run = async () => {
      let since = await started
      while (!stopping.signal.aborted) {
        await watcher.next({ timeoutMs: pollIntervalMs, signal: stopping.signal })
        await sleep(mergedMs)
        if (stopping.signal.aborted) return
        const batch = await readBatch(database, tenantId, since, readUpdates).catch(() => null)
        if (batch) {
          since = batch.snapshot
          if (batch.updates?.length !== 0) for (const listener of listeners) listener.push(batch)
        } else await sleep(retryMs)
      }
    }
    const reader = {
      listeners,
      started,
      stop() {
        stopping.abort()
        watcher.stop()
        if (readers.get(tenantId) === reader) readers.delete(tenantId)
      },
    }
    // If the first snapshot can't be read, every stream that waits for it fails.
    void run().catch(() => reader.stop())
    return reader
  }

  return {
    subscribe(database, tenantId) {
      const reader = readers.get(tenantId) ?? startReader(database, tenantId)
      readers.set(tenantId, reader)
      const queue = createQueue<Update>()
      reader.listeners.add(queue)
      return {
        started: reader.started,
        next: queue.next,
        close() {
          reader.listeners.delete(queue)
          if (reader.listeners.size === 0) reader.stop()
        },
      }
    },
  }
}

/** The batches that wait for one client. */
function createQueue<Update>(): Listener<Update> & Pick<Subscription<Update>, 'next'> {
  let waiting: Batch<Update>[] = []
  let count = 0
  let isFull = false
  let wake = () => {}
  return {
    push(batch) {
      if (isFull) return
      count += batch.updates?.length ?? 1
      isFull = count > waitingMax
      if (isFull) waiting = []
      else waiting.push(batch)
      wake()
    },
    async next(timeoutMs, signal) {
      if (waiting.length === 0 && !isFull && !signal.aborted)
        await new Promise<void>(resolve => {
          const timer = setTimeout(() => wake(), timeoutMs)
          wake = () => {
            clearTimeout(timer)
            signal.removeEventListener('abort', wake)
            resolve()
          }
          signal.addEventListener('abort', wake, { once: true })
        })
      if (isFull) return 'ended'
      const batch = waiting.shift()
      if (!batch) return 'silent'
      count -= batch.updates?.length ?? 1
      return batch
    },
  }
}
