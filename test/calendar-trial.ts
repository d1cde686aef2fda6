/** Simulated calendars as trials of the contract. */
import { createHttpClient } from '../src/kit/http/client.ts'
import type { CalendarTrial } from '../src/plugins/check-calendar-behaviour.ts'
import type { SimulatedOAuth } from '../src/simulator/calendars/oauth.ts'
import type { CalendarSimulator } from '../src/simulator/calendars/server.ts'
import { simulatedCalendars } from '../src/simulator/calendars/store.ts'

const readIcalendar = async () => {
  throw new Error('this provider has no iCalendar')
}

/** `close` ends the client; the simulator stays. */
export function createOAuthTrial(
  simulator: CalendarSimulator & { oauth: SimulatedOAuth },
): CalendarTrial & { close(): Promise<void> } {
  const { store, oauth } = simulator
  const http = createHttpClient({ reach: 'any' })
  const [own, holidays] = simulatedCalendars
  return {
    credentials: { ...oauth.grant(), expiresAt: Date.parse('2026-11-26T11:00:00Z') },
    context: { http, guardedHttp: http, baseUrl: simulator.url, client: oauth.client, readIcalendar },
    calendarId: own!.id,
    readOnlyCalendarId: holidays!.id,
    create: async event => store.create(event).id,
    async change(id, times) {
      store.change(id, times)
    },
    async remove(id, occurrence) {
      store.change(id, occurrence === undefined ? { isDeleted: true } : { skipped: [occurrence] })
    },
    faults: {
      refuse: fault => simulator.addFault(fault),
      expireCursors: simulator.expireCursors,
      expireAccess: oauth.expireAccess,
      revoke: oauth.revoke,
    },
    close: () => http.close(),
  }
}
