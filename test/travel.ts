/** Two places of one agent, for tests of travel times. */
import type { SlotList } from '../src/features/scheduling/slots/schemas.ts'
import { book, type MadeEventType, makeEventType, toTime } from './scheduling.ts'
import type { TestTenant } from './tenant.ts'

export const sol = { latitude: 40.4169, longitude: -3.7035 }
export const getafe = { latitude: 40.305, longitude: -3.7327 }
/** The way takes 36 minutes by the estimate, and by the router 127 or 13. */
export const slow = 6
export const fast = 60

/** An appointment in Madrid from 9:00 to 9:30, and an event type of the same agent in Getafe. */
export async function makePlaces(
  tenant: TestTenant,
): Promise<{ center: MadeEventType; south: MadeEventType }> {
  const onSite = (locationDetails: object, more = {}) =>
    makeEventType(tenant, {
      locationMode: 'onsite',
      locationDetails,
      config: { travel: { enabled: true, speedKmh: 30 } },
      ...more,
    })
  const center = await onSite(sol)
  const south = await onSite(getafe, { agendaId: center.agendaId })
  await book(tenant, center, toTime(3, 9))
  return { center, south }
}

/** The listed times of three days from now, from 8:00 to 12:00. */
export const listTimes = async (tenant: TestTenant, { id }: MadeEventType): Promise<string[]> => {
  const path = `/scheduling/event-types/${id}/slots?from=${toTime(3, 8)}&to=${toTime(3, 12)}`
  const { status, text, body } = await tenant.call<SlotList>('GET', path)
  if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`)
  return Object.values(body.data)
    .flat()
    .map(({ start }) => start.slice(11, 16))
}
