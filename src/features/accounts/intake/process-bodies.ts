/** The job that reads the stored bodies of an account, in their order, and passes their events on. */

import { getNow, machineNow } from '../../../kit/clock/clock.ts'
import type { Cipher } from '../../../kit/crypto.ts'
import { isDatabaseUnavailable, sqlState, type Tx } from '../../../kit/db/index.ts'
import { createFairQueue, type FairQueue } from '../../../kit/fair-queue.ts'
import { type JobContext, type JobDefinition, job, RequeueJob } from '../../../kit/jobs/job.ts'
import { nextAttemptAt } from '../../../kit/outbox/retry-schedule.ts'
import type { InboundEvent } from '../../../plugins/chat.ts'
import type { ChatAccounts, OpenAccount } from '../chat-accounts.ts'
import { dispatchEvents } from './dispatch-events.ts'
import {
  findDueBodies,
  findNextAttempt,
  keptDays,
  lockBody,
  lockNewBodies,
  markEventsDone,
  markProcessed,
  recordAttempt,
  type WaitingBody,
} from './queries.ts'
import { enqueueProcessing, processBodiesName, readBody } from './store-body.ts'
import { yieldToBacklog } from './yield-to-backlog.ts'

/** The limits of the bodies that are read at once. */
const batch = { bodies: 100, bytes: 4 * 1024 * 1024 }
/** While many bodies arrive. */
const backlogBatch = { ...batch, bodies: 10 }
/** A body with more events is not processed. */
const eventsMax = 10_000
/** Events per transaction. */
const chunk = 200
/** Events of several bodies per transaction: meanwhile the tenant claims no messages. */
const groupMax = 50
/** The waits before a body is tried again, in ms: each day, until it is deleted. A newer program may be able to read it. */
const retrySchedule = [10, 60, 600, 3600, ...Array(keptDays.failed).fill(86_400)].map(
  seconds => seconds * 1000,
)
const errorLengthMax = 300

interface Dependencies {
  accounts: ChatAccounts
  cipher: Cipher
  /** True while many bodies arrive in this process: they come first. */
  hasBacklog: () => boolean
}

/**
 * Transactions of a tenant would wait for each other's lock of leads, with connections that its requests need: so it has one
 * at a time in a process.
 */
const createTurns = (): FairQueue =>
  createFairQueue({
    name: 'bodies',
    capacity: 8,
    tenantMax: 1,
    waitingMax: { all: 0, tenant: 0, key: 0 },
    waitMaxMs: 0,
    retryAfterSeconds: 1,
  })

export function processBodies(dependencies: Dependencies): JobDefinition<never> {
  const turns = createTurns()
  return job<{ accountId: string }>({
    name: processBodiesName,
    async run({ accountId }, context) {
      const { database, tenantId, signal } = context
      const opened = await database.readTenant({ tenantId }, tx =>
        dependencies.accounts.findConnection(tx, accountId),
      )
      // Without its provider the bodies wait for a program that has it.
      if (!opened) return
      for (;;) {
        const limits = dependencies.hasBacklog() ? backlogBatch : batch
        const due = await database.readTenant({ tenantId }, tx => findDueBodies(tx, accountId, limits))
        if (due.length === 0) break
        const bodies = await Promise.all(due.map(body => readEvents(body, opened, dependencies)))
        logUnreadable(bodies, accountId, context)
        for (const group of toGroups(bodies)) {
          if (signal.aborted) throw new RequeueJob()
          await processGroup(group, opened, { context, turns, hasBacklog: dependencies.hasBacklog })
        }
        if (await context.hasWaitingJobs()) throw new RequeueJob()
      }
      await scheduleRetry(accountId, context)
    },
  }) as JobDefinition<never>
}

/** A body with its events, or why they can't be read. */
type ReadBody = { body: WaitingBody; events: InboundEvent[] } | { body: WaitingBody; error: unknown }
type ParsedBody = Extract<ReadBody, { events: unknown }>

async function readEvents(
  body: WaitingBody,
  opened: OpenAccount,
  { cipher }: Dependencies,
): Promise<ReadBody> {
  try {
    return { body, events: await parseBody(opened, await readBody(cipher, body.body), body.receivedAt) }
  } catch (error) {
    return { body, error }
  }
}

/** Logs why bodies can't be read as a whole, never what they contain. */
function logUnreadable(bodies: ReadBody[], accountId: string, { log }: JobContext): void {
  for (const read of bodies) {
    const reason = 'events' in read ? explainUnreadable(read.events) : null
    if (reason) log.warn({ accountId, bodyId: read.body.id, reason }, 'a part of a chat body was not read')
  }
}

/** Groups new bodies that follow each other, if they have few events. Every other body is alone. */
function toGroups(bodies: ReadBody[]): ReadBody[][] {
  const groups: ReadBody[][] = []
  let room = 0
  for (const body of bodies) {
    const events = 'events' in body && body.body.attempts === 0 ? body.events.length : null
    if (events !== null && events <= room) {
      groups.at(-1)!.push(body)
      room -= events
    } else {
      groups.push([body])
      room = events === null ? 0 : groupMax - events
    }
  }
  return groups
}

async function processGroup(
  group: ReadBody[],
  opened: OpenAccount,
  { context, turns, hasBacklog }: { context: JobContext; turns: FairQueue; hasBacklog: () => boolean },
): Promise<void> {
  const { database, tenantId, signal, log } = context
  const inTenant: InTenant = work =>
    turns.run(
      { tenantId },
      async () => {
        await yieldToBacklog(hasBacklog)
        await database.withTenant({ tenantId }, work)
      },
      { signal, waitsForever: true },
    )
  if (group.length > 1)
    try {
      return await inTenant(tx => dispatchTogether(tx, group as ParsedBody[], opened))
    } catch (error) {
      if (signal.aborted) throw new RequeueJob()
      if (isDatabaseUnavailable(error)) throw error
      log.warn(
        { err: toLoggable(error), accountId: opened.account.id, bodies: group.length },
        'chat bodies are processed one by one',
      )
    }
  for (const body of group) await processBody(body, opened, inTenant, context)
}

async function dispatchTogether(tx: Tx, bodies: ParsedBody[], opened: OpenAccount): Promise<void> {
  const locked = new Set(
    await lockNewBodies(
      tx,
      bodies.map(({ body }) => body.id),
    ),
  )
  const waiting = bodies.filter(({ body }) => locked.has(body.id))
  await dispatchEvents(
    tx,
    opened,
    waiting.flatMap(({ events }) => events),
  )
  await markProcessed(
    tx,
    waiting.map(({ body, events }) => ({ id: body.id, error: explainUnreadable(events) })),
  )
}

async function processBody(
  read: ReadBody,
  opened: OpenAccount,
  inTenant: InTenant,
  { log, signal }: JobContext,
): Promise<void> {
  const { body } = read
  try {
    if ('error' in read) throw read.error
    await dispatchBody(body, read.events, opened, inTenant)
  } catch (error) {
    if (signal.aborted) throw new RequeueJob()
    if (isDatabaseUnavailable(error)) throw error
    log.error(
      { err: toLoggable(error), accountId: opened.account.id, bodyId: body.id },
      'a chat body was not processed',
    )
    await inTenant(tx =>
      recordAttempt(tx, body.id, {
        error: toErrorText(error),
        nextAttemptAt: nextAttemptAt(retrySchedule, {
          attemptsBefore: body.attempts,
          retryAfterMs: 0,
          now: getNow(tx),
        }),
      }),
    )
  }
}

type InTenant = (work: (tx: Tx) => Promise<void>) => Promise<void>

/**
 * Dispatches the events that are not done, and marks the body if all are. Throws the first error. An event is marked in its
 * own transaction, so that none is handled again when newer ones have been.
 */
async function dispatchBody(
  body: WaitingBody,
  events: InboundEvent[],
  opened: OpenAccount,
  inTenant: InTenant,
): Promise<void> {
  const errors: unknown[] = []
  const dispatch = async (start: number, end: number): Promise<void> => {
    try {
      await inTenant(async tx => {
        const stored = await lockBody(tx, body.id)
        if (!stored) return
        // A newer program may read other events.
        const isKnown = stored.eventsDone?.length === events.length
        const done = isKnown ? stored.eventsDone! : events.map(() => false)
        await dispatchEvents(
          tx,
          opened,
          events.slice(start, end).filter((_, index) => !done[start + index]),
        )
        done.fill(true, start, end)
        if (done.every(Boolean)) await markProcessed(tx, [{ id: body.id, error: explainUnreadable(events) }])
        else await markEventsDone(tx, body.id, done)
      })
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      if (end - start <= 1) errors.push(error)
      else {
        // One bad event stops no other one.
        const middle = (start + end) >> 1
        await dispatch(start, middle)
        await dispatch(middle, end)
      }
    }
  }
  for (let start = 0; start === 0 || start < events.length; start += chunk)
    await dispatch(start, Math.min(start + chunk, events.length))
  if (errors.length > 0) throw errors[0]
}

async function parseBody(
  { account, provider }: OpenAccount,
  bytes: Buffer,
  receivedAt: Date,
): Promise<InboundEvent[]> {
  const reader = provider.webhook ?? provider.mailbox
  if (!reader) throw new Error('the provider receives nothing')
  const events = await reader.parse(bytes, receivedAt.toTemporalInstant(), account.id)
  if (events.length > eventsMax) throw new Error(`the body has more than ${eventsMax} events`)
  return events
}

function explainUnreadable(events: InboundEvent[]): string | null {
  const reasons = new Set(events.flatMap(event => (event.type === 'unreadable' ? event.reason : [])))
  return reasons.size === 0 ? null : [...reasons].join('; ').slice(0, errorLengthMax)
}

/** Messages of the database may contain values of the body, so only its code is kept. */
function toErrorText(error: unknown): string {
  const state = sqlState(error)
  return state ? `database error ${state}` : (error as Error).message.slice(0, errorLengthMax)
}

const toLoggable = (error: unknown) => (sqlState(error) ? toErrorText(error) : error)

async function scheduleRetry(accountId: string, { database, tenantId }: JobContext): Promise<void> {
  await database.withTenant({ tenantId }, async tx => {
    const at = await findNextAttempt(tx, accountId)
    if (at) {
      const waitMs = Math.max(0, at.getTime() - getNow(tx).getTime())
      await enqueueProcessing(tx, accountId, { runAt: new Date(machineNow() + waitMs) })
    }
  })
}
