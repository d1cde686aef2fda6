/** Appointments as an outbox: each calendar is a destination; the events of an appointment are written in order. */
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { Attempt, Claim, Outbox, OutboxItem, Sent } from '../../../kit/outbox/outbox.ts'
import { nextAttemptAt } from '../../../kit/outbox/retry-schedule.ts'
import { CalendarError, type CalendarErrorCode, type OutgoingEvent } from '../../../plugins/calendar.ts'
import { findAppointments } from '../../scheduling/service.ts'
import { toAgentEvent } from '../appointment-event.ts'
import type { Calendars, OpenCalendar } from '../calendar-connections.ts'
import { callWithin } from '../call-provider.ts'
import { deleteIfDone } from '../disconnect-queries.ts'
import { type CalendarRow, lockCalendar } from '../queries.ts'
import { changeCalendarStatus } from '../status.ts'
import { writesTopic } from './plan-writes.ts'
import {
  type CalendarWrite,
  claimWrites,
  findNextWrite,
  listDueWrites,
  listEventTypeNames,
  moveStaleWrites,
  toItemId,
} from './queries.ts'
import { recordFailedWrite, recordRemoved, recordWritten, type WrittenEvent } from './results.ts'

interface WriteItem extends OutboxItem {
  write: CalendarWrite
  event: OutgoingEvent
}

interface WriteAttempt extends Attempt {
  /** Null: the event is gone, or the attempt failed. */
  written: WrittenEvent | null
  code: CalendarErrorCode | null
}

const timeoutMs = 30_000
const minuteMs = 60_000
/** The waits before further attempts. */
const schedule = [1, 5, 30, 120, 300, 600, 1440].map(minutes => minutes * minuteMs)

export function calendarOutbox(calendars: Calendars): Outbox<OpenCalendar, WriteItem, WriteAttempt> {
  return {
    name: 'calendar',
    topics: { due: writesTopic, changed: 'calendar-changed', erased: 'calendar-erased' },
    concurrency: { first: 1, max: 4 },
    batch: 20,
    listDue: listDueWrites,
    claim: (tx, calendarId, options) => claim(tx, calendars, calendarId, options),
    async send(target, item, { database, forceStop }) {
      try {
        const written = await callWithin(forceStop, timeoutMs, signal => {
          const { provider, tenantId, clockShiftMs, calendar } = target
          const called = { provider, tenantId, clockShiftMs, calendarId: calendar.id }
          return write(target, item, calendars.createContext(called, { database, signal }))
        })
        return { error: null, retryAfterMs: 0, written, code: null }
      } catch (error) {
        if (forceStop.aborted) throw error
        const { retryAfterMs = 0, code = null } = error instanceof CalendarError ? error : {}
        return { error: (error as Error).message, retryAfterMs, written: null, code }
      }
    },
    record: recordWrites,
    logFailures(log, calendarId, failed) {
      const { attempt } = failed.at(-1)!
      log.warn(
        { calendarId, count: failed.length, code: attempt.code },
        'appointments were not written to a calendar',
      )
    },
  }
}

async function claim(
  tx: Tx,
  calendars: Calendars,
  calendarId: string,
  options: { excludedIds: string[]; limit: number },
): Promise<Claim<OpenCalendar, WriteItem>> {
  const target = await calendars.findForWrites(tx, calendarId)
  const isReady = target?.provider.writes && ['CONNECTED', 'FAILING'].includes(target.calendar.status)
  if (!isReady) return { target: null, isFailing: false, items: [], isFull: false, nextAt: null }
  await moveStaleWrites(tx, calendarId)
  const writes = await claimWrites(tx, calendarId, options)
  const appointments = await findAppointments(
    tx,
    writes.map(({ appointmentId }) => appointmentId),
  )
  const names = await listEventTypeNames(
    tx,
    appointments.map(({ eventTypeId }) => eventTypeId),
  )
  const items = writes.flatMap(write => {
    const appointment = appointments.find(({ id }) => id === write.appointmentId)
    if (!appointment) return []
    const name = names.get(appointment.eventTypeId) ?? ''
    const event = toAgentEvent(appointment, name, target.connection.timezone)
    return [{ id: toItemId(write), orderKey: appointment.id, write, event }]
  })
  return {
    target,
    isFailing: false,
    items,
    isFull: writes.length >= options.limit,
    nextAt: await findNextWrite(tx, calendarId),
  }
}

type Context = ReturnType<Calendars['createContext']>

/** Returns what the calendar has; null: the event is deleted. */
async function write(
  { provider: { writes }, connection: chosen }: OpenCalendar,
  { write, event }: WriteItem,
  context: Context,
): Promise<WrittenEvent | null> {
  const { wanted, externalCalendarId, externalId, externalVersion, attempts } = write
  const connection = { ...chosen, externalId: externalCalendarId }
  const known = externalId === null ? null : { externalId, version: externalVersion }
  if (wanted === 'present') return writes!.put(connection, event, known, context)
  if (known === null && attempts <= 1) return null
  // A process that died may have created the event: writing it again shows its id.
  const { externalId: id } = known ?? (await writes!.put(connection, event, null, context))
  await writes!.remove(connection, { uid: event.uid, externalId: id }, context)
  return null
}

async function recordWrites(
  tx: Tx,
  calendarId: string,
  sent: Sent<OpenCalendar, WriteItem, WriteAttempt>[],
): Promise<{ continues: boolean; nextAt: Date | null }> {
  const now = getNow(tx)
  const refused = sent.filter(({ attempt }) => attempt.code === 'INVALID_CREDENTIALS')
  const calendar = refused.length > 0 ? await lockCalendar(tx, calendarId) : undefined
  const ended = new Set(refused.filter(each => calendar === undefined || isCurrent(calendar, each)))
  let isDue = false
  for (const each of sent) isDue = (await recordResult(tx, each, ended.has(each))) || isDue
  const [expired] = ended
  if (calendar && expired && calendar.status !== 'AUTHORIZING')
    await changeCalendarStatus(tx, calendar, 'EXPIRED', expired.attempt.error, { next_read_at: null })
  await deleteIfDone(tx, calendarId, expired !== undefined)
  return { continues: !expired, nextAt: isDue ? now : await findNextWrite(tx, calendarId) }
}

const noBytes = Buffer.alloc(0)

/** Replaced credentials may be valid, and need not give access to a calendar of before. */
const isCurrent = (calendar: CalendarRow, { target, item }: Sent<OpenCalendar, WriteItem, WriteAttempt>) =>
  item.write.externalCalendarId === calendar.externalId &&
  Buffer.compare(calendar.credentials ?? noBytes, target.calendar.credentials ?? noBytes) === 0

/** `hasExpired`: it waits for other credentials. Returns whether it is still to be written. */
function recordResult(
  tx: Tx,
  { item: { write }, attempt }: Sent<OpenCalendar, WriteItem, WriteAttempt>,
  hasExpired: boolean,
): Promise<boolean> {
  if (attempt.error !== null) return recordFailure(tx, write, attempt, hasExpired)
  return attempt.written ? recordWritten(tx, write, attempt.written) : recordRemoved(tx, write)
}

/** When two changes happen at the same time, that of the program counts: the next read finds what a person does later. */
async function recordFailure(
  tx: Tx,
  write: CalendarWrite,
  { code, error, retryAfterMs }: WriteAttempt,
  hasExpired: boolean,
): Promise<boolean> {
  const now = getNow(tx)
  const isConflict = code === 'CONFLICT'
  const at = nextAttemptAt(schedule, { attemptsBefore: write.attempts - 1, retryAfterMs, now })
  return recordFailedWrite(tx, write, {
    failure: error!,
    keepsVersion: !isConflict,
    nextAttemptAt: hasExpired || (isConflict && write.attempts <= 2) ? now : at,
  })
}
