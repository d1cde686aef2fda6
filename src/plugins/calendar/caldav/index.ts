/** Calendars over CalDAV (RFC 4791): Nextcloud, iCloud, Fastmail, mailbox.org, Radicale and others. */
import type { CalendarProvider } from '../../calendar.ts'
import { CalDavCredentials } from './credentials.ts'
import { listCalendars } from './discover.ts'
import { readChanges } from './read.ts'
import { writes } from './write.ts'

export const caldav: CalendarProvider<typeof CalDavCredentials> = {
  id: 'caldav',
  label: 'CalDAV',
  baseUrl: null,
  credentials: CalDavCredentials,
  readIntervalMin: 10,
  listCalendars,
  read: readChanges,
  writes,
}
