/** The calendars of this deployment with their providers: opens a calendar for reading and writing. */
import { machineNow, toEnvironmentTime } from '../../kit/clock/clock.ts'
import type { Cipher } from '../../kit/crypto.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Database, Tx } from '../../kit/db/index.ts'
import type { HttpClient } from '../../kit/http/client.ts'
import type { Environment } from '../../kit/key.ts'
import { notFound } from '../../kit/problem.ts'
import type {
  CalendarConnection,
  CalendarContext,
  CalendarProvider,
  OAuthClient,
} from '../../plugins/calendar.ts'
import {
  type CalendarRow,
  findCalendars,
  findWriteTarget,
  getEnvironment,
  updateCalendar,
} from './queries.ts'
import { readIcalendar } from './read-icalendar.ts'

export interface CalendarsOptions {
  providers: CalendarProvider[]
  /** Makes the provider of the test environment, which opens no connections. */
  simulateProvider(provider: CalendarProvider): CalendarProvider
  cipher: Cipher
  /** For the providers' own addresses. */
  http: HttpClient
  /** For addresses that users enter. */
  guardedHttp: HttpClient
  /** Base URLs of the operator, by provider id. */
  urls: Record<string, string>
  /** Registrations of the operator, by provider id. */
  clients: Record<string, OAuthClient>
  /** The public URL with the base path. */
  baseUrl: string
}

/** A calendar that was read for a piece of work. */
export interface OpenCalendar {
  calendar: CalendarRow
  provider: CalendarProvider
  connection: CalendarConnection<Record<string, unknown>>
  tenantId: string
  /** The shift of the environment's clock against the machine's. */
  clockShiftMs: number
}

/** For whom a provider is called. */
export interface CallOptions {
  database: Database
  signal: AbortSignal
}

type AnyContext = CalendarContext<Record<string, unknown>>

export interface Calendars {
  /** All providers, as they are in live. */
  list(): CalendarProvider[]
  /** Returns the provider; undefined if the program has none with this id. */
  getProvider(providerId: string, environment: Environment): CalendarProvider | undefined
  /** Null: the operator has not registered the deployment. */
  getClient(provider: CalendarProvider): OAuthClient | null
  getBaseUrl(provider: CalendarProvider): string
  /** Opens a calendar with its decrypted credentials. Throws 404 if there is none, or if its provider is gone. */
  open(tx: Tx, calendarId: string): Promise<OpenCalendar>
  /** The same; undefined if there is none. */
  find(tx: Tx, calendarId: string): Promise<OpenCalendar | undefined>
  /** The same, also if it was disconnected and has events that are still to be deleted. */
  findForWrites(tx: Tx, calendarId: string): Promise<OpenCalendar | undefined>
  /** Creates what a provider needs for one call. `calendarId`: whose refreshed credentials are stored; null: it is new. */
  createContext(
    called: { provider: CalendarProvider; tenantId: string; clockShiftMs: number; calendarId: string | null },
    options: CallOptions,
  ): AnyContext
  encryptCredentials(credentials: object): Buffer
  cipher: Cipher
  baseUrl: string
}

/** Creates the calendars of this deployment. Throws if two providers have the same id. */
export function createCalendars(options: CalendarsOptions): Calendars {
  const { providers, cipher, http, guardedHttp, urls, clients, baseUrl } = options
  const byId = new Map(providers.map(provider => [provider.id, provider]))
  if (byId.size < providers.length) throw new Error('Two calendar providers have the same id.')
  const simulated = new Map(providers.map(provider => [provider.id, options.simulateProvider(provider)]))
  const getProvider = (id: string, environment: Environment) =>
    (environment === 'test' ? simulated : byId).get(id)
  const getBaseUrl = (provider: CalendarProvider) => urls[provider.id] ?? provider.baseUrl ?? ''
  const getClient = ({ id }: CalendarProvider) => clients[id] ?? null
  const encryptCredentials = (credentials: object) => cipher.encrypt(JSON.stringify(credentials))

  const connect = async (tx: Tx, calendar: CalendarRow): Promise<OpenCalendar | undefined> => {
    const provider = getProvider(calendar.provider, await getEnvironment(tx))
    if (!provider) return undefined
    const { id, externalId, timezone } = calendar
    const credentials = calendar.credentials ? JSON.parse(await cipher.decrypt(calendar.credentials)) : {}
    return {
      calendar,
      provider,
      connection: { calendarId: id, externalId: externalId ?? '', credentials, timezone },
      tenantId: getTenantId(tx),
      clockShiftMs: readClockShift(tx),
    }
  }

  const find = async (tx: Tx, calendarId: string): Promise<OpenCalendar | undefined> => {
    const [calendar] = await findCalendars(tx, [calendarId])
    return calendar && connect(tx, calendar)
  }

  return {
    baseUrl,
    cipher,
    list: () => providers,
    getProvider,
    getClient,
    getBaseUrl,
    find,
    async findForWrites(tx, calendarId) {
      const calendar = await findWriteTarget(tx, calendarId)
      return calendar && connect(tx, calendar)
    },
    encryptCredentials,
    async open(tx, calendarId) {
      const opened = await find(tx, calendarId)
      if (!opened) throw notFound('calendar')
      return opened
    },
    createContext({ provider, tenantId, clockShiftMs, calendarId }, { database, signal }) {
      return {
        http,
        guardedHttp,
        baseUrl: getBaseUrl(provider),
        client: getClient(provider),
        now: Temporal.Instant.fromEpochMilliseconds(machineNow() + clockShiftMs),
        readIcalendar: (text, reading) => readIcalendar({ tenantId, signal }, text, reading),
        async saveCredentials(credentials) {
          if (calendarId === null) return
          await database.withTenant({ tenantId }, tx =>
            updateCalendar(tx, calendarId, { credentials: encryptCredentials(credentials) }),
          )
        },
        signal,
      }
    },
  }
}

/** The shift of the environment's clock against the machine's. */
export function readClockShift(tx: Tx): number {
  const now = machineNow()
  return toEnvironmentTime(tx, new Date(now)).getTime() - now
}
