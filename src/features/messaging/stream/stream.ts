/** The live updates of an inbox for one client: what it missed, then what changes. */
import type { Database } from '../../../kit/db/index.ts'
import type { Tenant } from '../../../kit/db/tenant.ts'
import type { StreamedEvent } from '../../../kit/route.ts'
import { type Batch, type Hub, type ReadUpdates, readBatch } from './hub.ts'
import { parseEventId, readSnapshot, type Snapshot, toEventId } from './read-changes.ts'
import type { InboxEvents, Update } from './updates.ts'

/** A key that is revoked receives nothing after this time. */
const confirmedMs = 2000
/** How often the key is confirmed while nothing changes. */
const silentMs = 30_000

type Event = StreamedEvent<InboxEvents>

interface Options {
  database: Database
  caller: Tenant
  lastEventId: string | null
  signal: AbortSignal
  hub: Hub<Update>
  readUpdates: ReadUpdates<Update>
}

/**
 * Yields `ready`, then every change. After a reconnection, changes that were committed meanwhile come first. Only the
 * last event of a batch has an id, so that a client which was interrupted in between receives the batch again. Ends if
 * the client does not read fast enough: it reconnects, and continues.
 */
export async function* streamInbox(options: Options): AsyncGenerator<Event> {
  const { database, caller, lastEventId, signal, hub } = options
  const subscription = hub.subscribe(database, caller.tenantId)
  try {
    await subscription.started
    const snapshot = await database.readTenant(caller, readSnapshot)
    let confirmedAtMs = performance.now()
    const since = lastEventId === null ? null : parseEventId(lastEventId, snapshot)
    const missed = since && (await readMissed(options, since))
    yield { event: 'ready', data: { isResumed: missed !== null }, id: toEventId(since ?? snapshot) }
    if (missed) yield* toEvents(missed)
    while (!signal.aborted) {
      const batch = await subscription.next(silentMs, signal)
      if (batch === 'ended' || signal.aborted) return
      if (performance.now() - confirmedAtMs > (batch === 'silent' ? 0 : confirmedMs)) {
        await database.readTenant(caller, readSnapshot)
        confirmedAtMs = performance.now()
      }
      if (batch !== 'silent') yield* toEvents(batch)
    }
  } finally {
    subscription.close()
  }
}

/** Null: so much that the inbox is to be loaded again. */
async function readMissed(
  { database, caller, readUpdates }: Options,
  since: Snapshot,
): Promise<Batch<Update> | null> {
  const batch = await readBatch(database, caller.tenantId, since, readUpdates)
  return batch.updates && batch
}

function toEvents({ updates, snapshot }: Batch<Update>): Event[] {
  if (!updates) return [{ event: 'ready', data: { isResumed: false }, id: toEventId(snapshot) }]
  return updates.map((update, index) =>
    index === updates.length - 1 ? { ...update, id: toEventId(snapshot) } : update,
  )
}
