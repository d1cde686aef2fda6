/** Checks the calls of a calendar provider with servers that answer badly: bounded, and failed with errors of the contract. */
import { createHttpClient, type HttpClient } from '../kit/http/client.ts'
import {
  type CalendarChanges,
  type CalendarConnection,
  type CalendarContext,
  CalendarError,
  type CalendarProvider,
  calendarErrorCodes,
  type ExternalCalendar,
  type OutgoingEvent,
} from './calendar.ts'
import { buildExample } from './check-credentials.ts'
import { hostileAnswers, serveHostile } from './hostile-server.ts'

type Credentials = Record<string, unknown>

const deadlineMs = 20_000
const dayMs = 86_400_000
const now = Temporal.Instant.from('2026-11-26T10:00:00Z')
export const exampleRange = {
  from: Temporal.Instant.from('2026-12-01T00:00:00Z'),
  to: Temporal.Instant.from('2027-01-31T00:00:00Z'),
}
export const exampleEvent: OutgoingEvent = {
  uid: '019a0000-0000-7000-8000-000000000001@aldaba',
  sequence: 0,
  start: Temporal.Instant.from('2026-12-09T09:00:00Z'),
  end: Temporal.Instant.from('2026-12-09T09:30:00Z'),
  timezone: 'Europe/Madrid',
  summary: 'Visita: «Calle Mayor, 1»; 2º',
  description: 'Marta Soler\n+34 612 345 678',
  location: 'Calle Mayor, 1, Madrid',
  url: 'https://aldaba.example/appointment/a',
  isTentative: false,
  updatedAt: now,
}

/** One sentence per problem. */
export async function checkCalendarCalls(provider: CalendarProvider): Promise<string[]> {
  const http = createHttpClient({ reach: 'any' })
  try {
    const problems = [
      ...(await checkServer('a refused connection', provider, http, 'http://127.0.0.1:1')),
      ...(await checkPrivateAddress(provider)),
    ]
    for (const [name, listener] of Object.entries(hostileAnswers)) {
      const server = await serveHostile(listener)
      problems.push(...(await checkServer(name, provider, http, server.url)))
      await server.close()
    }
    return problems
  } finally {
    await http.close()
  }
}

/** Credentials of the examples, whose access has not ended. Users' addresses lead to the server. */
function aimCredentials({ credentials, baseUrl }: CalendarProvider, url: string): Credentials {
  const example = buildExample(credentials)
  return {
    ...example,
    ...('expiresAt' in example ? { expiresAt: now.epochMilliseconds + dayMs } : {}),
    ...(baseUrl === null && 'url' in example ? { url: `${url}/calendar` } : {}),
  }
}

const refused = new Proxy({} as HttpClient, {
  get: () => async () => {
    throw new Error('the wrong client')
  },
})

function createContext(
  { baseUrl }: CalendarProvider,
  client: HttpClient,
  url: string,
  signal: AbortSignal,
): CalendarContext<Credentials> {
  return {
    http: baseUrl === null ? refused : client,
    guardedHttp: baseUrl === null ? client : refused,
    baseUrl: url,
    client: { id: 'client', secret: 'secret' },
    now,
    readIcalendar: async () => {
      throw new CalendarError('NOT_A_CALENDAR', 'The text is no iCalendar.')
    },
    saveCredentials: async () => {},
    signal,
  }
}

type Call = [name: string, run: (context: CalendarContext<Credentials>) => Promise<unknown> | undefined]

function listCalls(provider: CalendarProvider, url: string): Call[] {
  const connection = connect(aimCredentials(provider, url), `${url}/calendar/`)
  const externalId = `${url}/calendar/1.ics`
  const { credentials } = connection
  const ended = { ...credentials, expiresAt: 0 }
  return [
    ['listCalendars', context => provider.listCalendars(credentials, context)],
    ['read', context => provider.read(connection, { cursor: null, range: exampleRange }, context)],
    [
      'read with a cursor',
      context => provider.read(connection, { cursor: 'damaged', range: exampleRange }, context),
    ],
    ['writes.put', context => provider.writes?.put(connection, exampleEvent, null, context)],
    [
      'writes.put again',
      context => provider.writes?.put(connection, exampleEvent, { externalId, version: '"1"' }, context),
    ],
    [
      'writes.find',
      context => provider.writes?.find(connection, { uid: 'a', externalId }, exampleRange, context),
    ],
    ['writes.remove', context => provider.writes?.remove(connection, { uid: 'a', externalId }, context)],
    ...(provider.authorization
      ? ([
          [
            'authorization.exchange',
            context => provider.authorization?.exchange({ code: 'a', redirectUrl: `${url}/back` }, context),
          ],
          ['listCalendars after an hour', context => provider.listCalendars(ended, context)],
        ] satisfies Call[])
      : []),
  ]
}

const connect = (credentials: Credentials, externalId: string): CalendarConnection<Credentials> => ({
  calendarId: '019a0000-0000-7000-8000-000000000002',
  externalId,
  credentials,
  timezone: 'Europe/Madrid',
})

async function checkServer(
  name: string,
  provider: CalendarProvider,
  client: HttpClient,
  url: string,
): Promise<string[]> {
  const outcomes = listCalls(provider, url).map(async ([call, run]) => {
    const context = createContext(provider, client, url, AbortSignal.timeout(2 * deadlineMs))
    const problem = findProblem(call, provider, await settle(run(context)))
    return problem ? [`\`${call}\` with ${name} ${problem}`] : []
  })
  const stopped = createContext(provider, client, url, AbortSignal.abort(new Error('stopped')))
  const aborted = await settle(listCalls(provider, url)[1]![1](stopped))
  return [
    ...(await Promise.all(outcomes)).flat(),
    ...(aborted.kind === 'thrown' ? [] : ['`read` must fail when the signal is aborted']),
  ]
}

/** Addresses that users enter must not lead into the network of the deployment. */
async function checkPrivateAddress(provider: CalendarProvider): Promise<string[]> {
  if (provider.baseUrl !== null) return []
  const client = createHttpClient({ reach: 'public' })
  const url = 'https://127.0.0.1:8443'
  const context = createContext(provider, client, url, AbortSignal.timeout(deadlineMs))
  const outcomes = listCalls(provider, url).map(async ([call, run]) => {
    const outcome = await settle(run(context))
    const isRefused =
      (outcome.kind === 'returned' && outcome.value === undefined) ||
      (outcome.kind === 'thrown' && (outcome.error as CalendarError).code === 'FORBIDDEN_HOST')
    return isRefused ? [] : [`\`${call}\` of a private address must fail with FORBIDDEN_HOST`]
  })
  const problems = await Promise.all(outcomes)
  await client.close()
  return problems.flat()
}

export type Outcome =
  | { kind: 'returned'; value: unknown }
  | { kind: 'thrown'; error: unknown }
  | { kind: 'late' }

export async function settle(call: Promise<unknown> | undefined): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Outcome>(resolve => {
    timer = setTimeout(() => resolve({ kind: 'late' }), deadlineMs)
  })
  const settled = (async (): Promise<Outcome> => ({ kind: 'returned', value: await call }))()
  const outcome = await Promise.race([
    settled.catch((error: unknown): Outcome => ({ kind: 'thrown', error })),
    late,
  ])
  clearTimeout(timer)
  return outcome
}

/** A server that has no API of its own says with the status alone that something was written. */
function findProblem(call: string, { baseUrl }: CalendarProvider, outcome: Outcome): string | null {
  if (outcome.kind === 'late') return 'must end: limit its time and the size of the reply'
  if (outcome.kind === 'thrown') return findErrorProblem(outcome.error)
  if (outcome.value === undefined) return null
  if (call.startsWith('read')) return 'must fail, and not take the reply for an empty calendar'
  if (call.startsWith('writes.put') && baseUrl === null) return null
  const isList = call.startsWith('listCalendars') && Array.isArray(outcome.value)
  return isList && (outcome.value as ExternalCalendar[]).every(isCalendar) ? null : 'must fail'
}

/** Null: the error is one of the contract. */
export function findErrorProblem(error: unknown): string | null {
  if (!(error instanceof CalendarError)) return `must throw a CalendarError, if it throws: ${error}`
  const { code, message, retryAfterMs } = error
  const isValid =
    calendarErrorCodes.includes(code) &&
    /^\p{Lu}.*[.?!]$/su.test(message) &&
    message.length < 1000 &&
    retryAfterMs >= 0 &&
    retryAfterMs <= dayMs
  return isValid ? null : 'must fail with a code, a sentence and a wait of at most a day'
}

export const isCalendar = (calendar: ExternalCalendar): boolean =>
  typeof calendar.id === 'string' &&
  calendar.id !== '' &&
  typeof calendar.name === 'string' &&
  typeof calendar.isPrimary === 'boolean' &&
  typeof calendar.isWritable === 'boolean' &&
  (calendar.timezone === null || typeof calendar.timezone === 'string')

export const isChanges = ({ isComplete, events, removedIds, cursor, warnings }: CalendarChanges): boolean =>
  typeof isComplete === 'boolean' &&
  events.every(({ id, uid, busy }) => id !== '' && uid !== '' && busy.every(isBusy)) &&
  removedIds.every(id => id !== '') &&
  (cursor === null || (cursor !== '' && cursor.length < 100_000)) &&
  warnings.every(({ message, count }) => /^\p{Lu}.*[.?!]$/su.test(message) && count > 0)

const isBusy = ({ start, end }: { start: Temporal.Instant; end: Temporal.Instant }) =>
  Temporal.Instant.compare(start, end) < 0
