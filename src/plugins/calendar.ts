/**
 * The contract of a calendar provider: what connects a calendar, reads its busy times and writes appointments. `check-calendar`
 * holds every implementation to it. Providers keep no state: connections and events belong to features.
 */
import type { Static, TObject } from 'typebox'
import type { HttpClient } from '../kit/http/client.ts'

export interface CalendarProvider<Credentials extends TObject = TObject> {
  /** Lower-case identifier in bodies, such as `caldav`. */
  id: string
  /** The name for people. */
  label: string
  /** The provider's own base URL, without a trailing slash; null: users enter the address. The operator may configure another. */
  baseUrl: string | null
  /** Schema of what connecting requires. Every field is encrypted and never returned. */
  credentials: Credentials
  /** How often a calendar is read. */
  readIntervalMin: number
  /** Present if users authorize the program on a page of the provider. */
  authorization?: CalendarAuthorization<Static<Credentials>>
  /** Lists the calendars that the credentials give access to, at most 200. Throws CalendarError. */
  listCalendars(
    credentials: Static<Credentials>,
    context: CalendarContext<Static<Credentials>>,
  ): Promise<ExternalCalendar[]>
  /** Reads what has changed since `cursor`; null: everything in the range. Throws CalendarError. */
  read(
    connection: CalendarConnection<Static<Credentials>>,
    options: { cursor: string | null; range: CalendarRange },
    context: CalendarContext<Static<Credentials>>,
  ): Promise<CalendarChanges>
  /** Present if appointments can be written. */
  writes?: CalendarWrites<Static<Credentials>>
}

/** Half open. */
export interface CalendarRange {
  from: Temporal.Instant
  to: Temporal.Instant
}

export interface CalendarWrites<Credentials> {
  /**
   * Creates the event, or replaces it if it exists: the same UID never becomes two events. `version`: that of the event that was
   * written last; if the calendar has another one, CalendarError CONFLICT. Null: the event is replaced whatever it is now.
   */
  put(
    connection: CalendarConnection<Credentials>,
    event: OutgoingEvent,
    written: { externalId: string; version: string | null } | null,
    context: CalendarContext<Credentials>,
  ): Promise<{ externalId: string; version: string | null }>
  /**
   * Reads one event that the program wrote, to be sure before its appointment is changed; null: it is gone. `busy` is its time if
   * that is in the range. Throws CalendarError.
   */
  find(
    connection: CalendarConnection<Credentials>,
    event: { uid: string; externalId: string },
    range: CalendarRange,
    context: CalendarContext<Credentials>,
  ): Promise<ExternalEvent | null>
  /** Deletes the event. One that is gone is deleted. */
  remove(
    connection: CalendarConnection<Credentials>,
    event: { uid: string; externalId: string },
    context: CalendarContext<Credentials>,
  ): Promise<void>
}

export interface CalendarAuthorization<Credentials> {
  /** The page of the provider on which the user agrees. `baseUrl`: as in the context. */
  createUrl(options: { redirectUrl: string; state: string; baseUrl: string }, client: OAuthClient): string
  /** Exchanges the code of the redirect for credentials. Throws CalendarError. */
  exchange(
    options: { code: string; redirectUrl: string },
    context: CalendarContext<Credentials>,
  ): Promise<Credentials>
}

/** The registration of the deployment with a provider. The operator configures it. */
export interface OAuthClient {
  id: string
  secret: string
}

/** The services that a provider may use. It opens no other connections. */
export interface CalendarContext<Credentials> {
  /** For the provider's own address, which the operator configures. */
  http: HttpClient
  /** For addresses that users enter: refuses private ones. */
  guardedHttp: HttpClient
  /** The base URL of the provider: its own, or one that the operator configured. Without a trailing slash. */
  baseUrl: string
  /** Null: the operator has not registered the deployment. */
  client: OAuthClient | null
  /** The environment's time. */
  now: Temporal.Instant
  /**
   * Reads an iCalendar text on a thread, so that a long or hostile one delays nobody: events by UID, with their occurrences
   * in the range. `timezone`: of all-day and floating events. In a text of several events, those that do not block are left out.
   * Throws CalendarError NOT_A_CALENDAR or TOO_LARGE.
   */
  readIcalendar(text: string, options: { range: CalendarRange; timezone: string }): Promise<IcalendarContent>
  /** Stores refreshed credentials. */
  saveCredentials(credentials: Credentials): Promise<void>
  signal: AbortSignal
}

/** What an iCalendar text says. */
export interface IcalendarContent {
  /** Null: it has no name. */
  name: string | null
  events: { uid: string; busy: ExternalEvent['busy'] }[]
  warnings: CalendarChanges['warnings']
}

export interface ExternalCalendar {
  id: string
  name: string
  isPrimary: boolean
  isWritable: boolean
  /** IANA; null: unknown. */
  timezone: string | null
}

export interface CalendarConnection<Credentials> {
  calendarId: string
  externalId: string
  credentials: Credentials
  /** The time zone of all-day and floating events: that of the agenda. */
  timezone: string
}

export interface CalendarChanges {
  /** True: `events` is all of the range, and what is missing is gone. */
  isComplete: boolean
  events: ExternalEvent[]
  /** Ids of deleted events. */
  removedIds: string[]
  /** Null: the next read is complete again. */
  cursor: string | null
  /** What could not be read, such as an unknown time zone. */
  warnings: { code: string; message: string; count: number }[]
}

/** An event with all its occurrences in the range. */
export interface ExternalEvent {
  /** The provider's id. */
  id: string
  /** The UID of iCalendar, by which the program recognizes the events that it wrote. */
  uid: string
  version: string | null
  /** Empty: the event does not block, or has no occurrence in the range. */
  busy: { start: Temporal.Instant; end: Temporal.Instant }[]
}

/** An appointment as an event. */
export interface OutgoingEvent {
  uid: string
  sequence: number
  start: Temporal.Instant
  end: Temporal.Instant
  /** IANA: in which the event is shown. */
  timezone: string
  summary: string
  description: string
  location: string | null
  url: string | null
  isTentative: boolean
  updatedAt: Temporal.Instant
}

export const calendarErrorCodes = [
  'INVALID_CREDENTIALS',
  'FORBIDDEN_HOST',
  'NOT_FOUND',
  'NOT_A_CALENDAR',
  'TOO_LARGE',
  'READ_ONLY',
  'CONFLICT',
  'CURSOR_EXPIRED',
  'RATE_LIMITED',
  'UNAVAILABLE',
  'REJECTED',
  'NOT_CONFIGURED',
] as const
export type CalendarErrorCode = (typeof calendarErrorCodes)[number]

/** The sentence of a message that says what the program does; a person who waits for the call reads another one. */
export const triedAgain = 'It is tried again later.'

/** A failed call. `message`: a sentence for people, what happened and what to do. */
export class CalendarError extends Error {
  readonly code: CalendarErrorCode
  /** The wait that the provider requests; 0: none. */
  readonly retryAfterMs: number

  constructor(
    code: CalendarErrorCode,
    message: string,
    { retryAfterMs = 0, cause }: { retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.code = code
    this.retryAfterMs = retryAfterMs
  }

  /** The same call may succeed later without a person. */
  get isRetryable(): boolean {
    return this.code === 'RATE_LIMITED' || this.code === 'UNAVAILABLE' || this.code === 'CURSOR_EXPIRED'
  }
}
