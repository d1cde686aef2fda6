/** The simulated calendars as the command serves them: on ports in a row. */
import { controlPath } from '../control-routes.ts'
import { startCalDav } from './caldav.ts'
import { startGoogleCalendar } from './google.ts'
import { startMicrosoftCalendar } from './microsoft.ts'

export interface ServedCalendars {
  /** By provider: its address, and what connects a calendar to it. */
  providers: Record<'google' | 'microsoft' | 'caldav', { address: string; credentials: object }>
  /** By provider, the address of its control. */
  controls: Record<string, string>
  close(): Promise<void>
}

/** The number of their ports. */
export const calendarPortsCount = 3

/** A port that is in use, and 0, is replaced by a free one. */
export async function serveCalendars([
  googlePort = 0,
  microsoftPort = 0,
  caldavPort = 0,
]: number[]): Promise<ServedCalendars> {
  const google = await startGoogleCalendar({ port: googlePort })
  const microsoft = await startMicrosoftCalendar({ port: microsoftPort })
  const caldav = await startCalDav({ port: caldavPort })
  const toClient = ({ id, secret }: { id: string; secret: string }) => ({ client: `${id}:${secret}` })
  const served = { google, microsoft, caldav }
  return {
    providers: {
      google: { address: google.url, credentials: toClient(google.oauth.client) },
      microsoft: { address: microsoft.url, credentials: toClient(microsoft.oauth.client) },
      caldav: { address: caldav.url, credentials: caldav.credentials },
    },
    controls: Object.fromEntries(Object.entries(served).map(([id, { url }]) => [id, `${url}${controlPath}`])),
    async close() {
      await Promise.all(Object.values(served).map(one => one.close()))
    },
  }
}
