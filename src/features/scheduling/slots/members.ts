/** Whose bookings decide about the slots of an event type, and when. */
import type { Interval } from '../../../domain/slots/types.ts'
import type { EventTypeRow } from '../event-types/queries.ts'
import type { VisitPlace } from './place.ts'

export interface Member {
  agendaId: string
  weight: number
}

/** The longest day, and the longest buffers: what is in the way of a slot lies that near. */
const marginMs = 2 * 86_400_000

/** The time of which bookings are in the way of slots that begin in the range. */
export const toSurroundings = (
  { durationMin }: Pick<EventTypeRow, 'durationMin'>,
  { startMs, endMs }: Interval,
): Interval => ({ startMs: startMs - marginMs, endMs: endMs + durationMin * 60_000 + marginMs })

/** True if all these agents go to that place. */
export function goThere(eventType: EventTypeRow, agendaIds: string[], { postcode }: VisitPlace): boolean {
  const members = new Set(findMembers(eventType, postcode).map(({ agendaId }) => agendaId))
  return agendaIds.every(agendaId => members.has(agendaId))
}

/** The members that show properties of this postcode; unknown: all members. */
export function findMembers({ agendaId, config }: EventTypeRow, postcode: string | null): Member[] {
  const { kind, members } = config.assignment
  if (kind === 'single') return [{ agendaId, weight: 1 }]
  if (kind === 'collective' || postcode === null) return members
  const normal = normalizePostcode(postcode)
  return members.filter(
    ({ areas }) => areas.length === 0 || areas.some(area => normal.startsWith(normalizePostcode(area))),
  )
}

const normalizePostcode = (postcode: string): string => postcode.replace(/[\s-]/g, '').toUpperCase()
