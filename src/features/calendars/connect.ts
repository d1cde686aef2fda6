/** Connects a calendar: its credentials are verified with the provider, then stored. */
import type { Caller } from '../../kit/caller.ts'
import { createId, getNow } from '../../kit/clock/clock.ts'
import type { Database, Tx } from '../../kit/db/index.ts'
import { emit } from '../../kit/events/emit.ts'
import { type InputError, invalidInput, notFound, Problem, throwIfInvalid } from '../../kit/problem.ts'
import { sanitizeText } from '../../kit/sanitize-text.ts'
import { compile, type Validate } from '../../kit/schema.ts'
import { CalendarError, type CalendarProvider, type ExternalCalendar } from '../../plugins/calendar.ts'
import type { Calendars, OpenCalendar } from './calendar-connections.ts'
import { readClockShift } from './calendar-connections.ts'
import { callForRequest } from './call-provider.ts'
import { calendarStatusChanged } from './events.ts'
import {
  calendarNotReady,
  calendarsMax,
  createNotConfigured,
  toConnectionProblem,
  tooManyCalendars,
} from './problems.ts'
import {
  type CalendarRow,
  countCalendars,
  insertCalendar,
  lockAgenda,
  lockCalendar,
  type CalendarChanges as StoredChanges,
} from './queries.ts'
import { enqueueRead } from './reads/enqueue-read.ts'
import type { CalendarChanges, NewCalendar } from './schemas.ts'
import { changeCalendarStatus } from './status.ts'
import { notifyWrites } from './writes/plan-writes.ts'
import { wantAllAbsent, wantAllPresent } from './writes/queries.ts'

interface ConnectOptions {
  calendars: Calendars
  caller: Caller
  database: Database
  signal: AbortSignal
}

/** What a provider says of new credentials. */
export interface Verified {
  provider: CalendarProvider
  /** Null: it is to be chosen. */
  external: ExternalCalendar | null
}

/** Verifies a new calendar. Null: the agent has to agree first. Throws a `Problem` with the provider's reason. */
export async function verifyNew(body: NewCalendar, options: ConnectOptions): Promise<Verified | null> {
  const { calendars, caller, database, signal } = options
  const provider = calendars.getProvider(body.provider, caller.environment)!
  if (provider.authorization) {
    if (!calendars.getClient(provider)) throw toConnectionProblem(createNotConfigured(provider))
    return null
  }
  const { credentials = {} } = body
  const clockShiftMs = await database.readTenant(caller, async tx => readClockShift(tx))
  const called = { provider, tenantId: caller.tenantId, clockShiftMs, calendarId: null }
  const all = await callForRequest(signal, signal =>
    provider.listCalendars(credentials, calendars.createContext(called, { database, signal })),
  )
  return { provider, external: findExternal(all, body) }
}

/** Verifies changes that depend on the provider: other credentials, or another calendar. Throws a `Problem`. */
export async function verifyChanges(
  calendarId: string,
  body: CalendarChanges,
  options: ConnectOptions,
): Promise<Verified | null> {
  const { calendars, caller, database } = options
  const opened = await database.readTenant(caller, tx => calendars.open(tx, calendarId))
  const { provider, calendar } = opened
  if (body.credentials) throwIfInvalid(checkCredentials(provider, body.credentials))
  if (body.receives && !provider.writes) throw createReadOnly(provider)
  const needsProvider =
    body.credentials || (body.externalId !== undefined && body.externalId !== calendar.externalId)
  if (!needsProvider && !(body.receives && !calendar.receives)) return null
  const all = await listExternal(opened, options, body.credentials)
  const { externalId = calendar.externalId ?? undefined, receives = calendar.receives } = body
  return { provider, external: findExternal(all, { ...(externalId ? { externalId } : {}), receives }) }
}

/** Lists the calendars that credentials give access to. Throws a `Problem`. */
export async function listExternal(
  { provider, connection, calendar, tenantId, clockShiftMs }: OpenCalendar,
  { calendars, database, signal }: Omit<ConnectOptions, 'caller'>,
  credentials: Record<string, unknown> = connection.credentials,
): Promise<ExternalCalendar[]> {
  if (calendar.status === 'AUTHORIZING') throw new Problem(calendarNotReady, calendarNotReady.example)
  const isStored = credentials === connection.credentials
  const called = { provider, tenantId, clockShiftMs, calendarId: isStored ? calendar.id : null }
  return callForRequest(signal, signal =>
    provider.listCalendars(credentials, calendars.createContext(called, { database, signal })),
  )
}

function findExternal(
  all: ExternalCalendar[],
  { externalId, receives }: Pick<CalendarChanges, 'externalId' | 'receives'>,
): ExternalCalendar | null {
  const external = externalId === undefined ? chooseExternal(all) : all.find(({ id }) => id === externalId)
  if (external === undefined)
    throw invalidInput('/externalId', 'NOT_ALLOWED', 'is no calendar of these credentials')
  if (receives && external && !external.isWritable)
    throw toConnectionProblem(
      new CalendarError(
        'READ_ONLY',
        `${external.name} cannot be written. Choose another calendar, or send receives: false.`,
      ),
    )
  return external
}

/** The only calendar, or the main one; null: a person has to choose. */
export const chooseExternal = (all: ExternalCalendar[]): ExternalCalendar | null =>
  all.length === 1 ? all[0]! : (all.find(({ isPrimary }) => isPrimary) ?? null)

/** Stores a new calendar, and returns its id. Throws 404 if there is no agenda; 422. */
export async function storeCalendar(
  tx: Tx,
  calendars: Calendars,
  body: NewCalendar,
  verified: Verified | null,
): Promise<string> {
  const { agendaId, provider, blocks = true, receives = false } = body
  if ((await lockAgenda(tx, agendaId)) === undefined) throw notFound('agenda')
  const { all, ofAgenda } = await countCalendars(tx, agendaId)
  if (all >= calendarsMax.all || ofAgenda >= calendarsMax.ofAgenda)
    throw new Problem(tooManyCalendars, tooManyCalendars.example)
  const id = createId(tx)
  const status = verified ? 'CONNECTED' : 'AUTHORIZING'
  const external = verified?.external ?? null
  await insertCalendar(tx, id, {
    agenda_id: agendaId,
    provider,
    name: sanitizeText(body.name ?? external?.name ?? provider).slice(0, 200),
    external_id: external?.id ?? body.externalId ?? null,
    credentials: body.credentials ? calendars.encryptCredentials(body.credentials) : null,
    blocks,
    receives,
    status,
    status_changed_at: getNow(tx),
  })
  await emit(tx, calendarStatusChanged, { calendarId: id, agendaId, status, previousStatus: null })
  if (verified) await begin(tx, { id, agendaId, receives, externalId: external?.id ?? null })
  return id
}

/** The agent has agreed. Throws 404. */
export async function finishConnecting(
  tx: Tx,
  calendars: Calendars,
  calendarId: string,
  { credentials, external }: { credentials: object; external: ExternalCalendar | null },
): Promise<void> {
  const calendar = await lockExisting(tx, calendarId)
  await reconnect(tx, calendar, external, {
    credentials: calendars.encryptCredentials(credentials),
    ...(external && calendar.status === 'AUTHORIZING' && calendar.name === calendar.provider
      ? { name: sanitizeText(external.name).slice(0, 200) }
      : {}),
  })
}

/** Throws 404. */
export async function changeCalendar(
  tx: Tx,
  calendars: Calendars,
  { id, body, verified }: { id: string; body: CalendarChanges; verified: Verified | null },
): Promise<void> {
  const calendar = await lockExisting(tx, id)
  const { name, blocks, receives = calendar.receives, credentials } = body
  const changes: StoredChanges = {
    ...(name === undefined ? {} : { name: sanitizeText(name) }),
    ...(blocks === undefined ? {} : { blocks }),
    receives,
    ...(credentials ? { credentials: calendars.encryptCredentials(credentials) } : {}),
  }
  if (verified) await reconnect(tx, { ...calendar, receives }, verified.external, changes)
  else await changeCalendarStatus(tx, calendar, calendar.status, calendar.statusReason, changes)
}

/** What was read before stays until the next read, which is complete. */
async function reconnect(
  tx: Tx,
  calendar: CalendarRow,
  external: ExternalCalendar | null,
  changes: StoredChanges,
): Promise<void> {
  const externalId = external?.id ?? null
  if (calendar.externalId !== null && calendar.externalId !== externalId) await wantAllAbsent(tx, calendar.id)
  await changeCalendarStatus(tx, calendar, 'CONNECTED', null, {
    ...changes,
    external_id: externalId,
    cursor: null,
    failures: 0,
  })
  await begin(tx, { ...calendar, externalId })
}

/** Reads the calendar at once, and writes the appointments to come. */
async function begin(
  tx: Tx,
  { id, agendaId, receives, externalId }: Pick<CalendarRow, 'id' | 'agendaId' | 'receives' | 'externalId'>,
): Promise<void> {
  if (externalId === null) return
  await enqueueRead(tx, id)
  if (receives) await wantAllPresent(tx, { id, agendaId, externalId })
  await notifyWrites(tx)
}

async function lockExisting(tx: Tx, id: string): Promise<CalendarRow> {
  const calendar = await lockCalendar(tx, id)
  if (!calendar) throw notFound('calendar')
  return calendar
}

const createReadOnly = ({ label }: CalendarProvider): Problem =>
  toConnectionProblem(
    new CalendarError(
      'READ_ONLY',
      `${label} cannot be written. Send receives: false, or choose another provider.`,
    ),
  )

/** Finds the errors of a body that depend on the provider. */
export function checkNewCalendar(calendars: Calendars, body: Partial<NewCalendar>): InputError[] {
  if (body.provider === undefined) return []
  const providers = calendars.list()
  const provider = providers.find(({ id }) => id === body.provider)
  if (!provider) {
    const known = providers.map(({ id }) => id).join(', ')
    return [{ path: '/provider', code: 'NOT_ALLOWED', message: `must be one of ${known}` }]
  }
  const errors: InputError[] =
    body.receives && !provider.writes
      ? [
          {
            path: '/receives',
            code: 'NOT_ALLOWED',
            message: `must be false: ${provider.label} cannot be written`,
          },
        ]
      : []
  if (!provider.authorization) return [...errors, ...checkCredentials(provider, body.credentials ?? {})]
  return body.credentials
    ? [
        ...errors,
        {
          path: '/credentials',
          code: 'NOT_ALLOWED',
          message: 'must be absent: the agent agrees on a page of the provider',
        },
      ]
    : errors
}

const validators = new WeakMap<CalendarProvider['credentials'], Validate>()

/** Finds the errors of credentials. Messages contain no value, because values are secret. */
function checkCredentials(provider: CalendarProvider, credentials: object): InputError[] {
  const validate = validators.get(provider.credentials) ?? compile(provider.credentials)
  validators.set(provider.credentials, validate)
  return validate(credentials).map(({ path, code, message }) => ({
    path: `/credentials${path}`,
    code,
    message,
  }))
}
