/**
 * The calendar provider of the test environment: the rules of a real provider without its network. Every calendar has no busy
 * times, and accepts every appointment.
 */
import { createHash } from 'node:crypto'
import type { CalendarProvider } from '../calendar.ts'

const sandboxId = 'sandbox'

/** The same provider with all I/O replaced. Credentials are not checked, and nobody has to agree on a page. */
export function simulateCalendarProvider(provider: CalendarProvider): CalendarProvider {
  const { authorization: _, writes, ...facts } = provider
  return {
    ...facts,
    listCalendars: async () => [
      { id: sandboxId, name: 'Sandbox', isPrimary: true, isWritable: writes !== undefined, timezone: null },
    ],
    read: async () => ({ isComplete: true, events: [], removedIds: [], cursor: null, warnings: [] }),
    ...(writes && {
      writes: {
        put: async (_connection, event) => ({
          externalId: toExternalId(event.uid),
          version: String(event.sequence),
        }),
        find: async (_connection, { uid, externalId }) => ({ id: externalId, uid, version: null, busy: [] }),
        remove: async () => {},
      },
    }),
  }
}

const toExternalId = (uid: string) => `sandbox-${createHash('sha256').update(uid).digest('hex').slice(0, 32)}`
