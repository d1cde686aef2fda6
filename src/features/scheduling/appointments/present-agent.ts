/** Agents to whom a person has assigned an appointment, though its event type has others. */
import { listAgendaIds } from '../event-types/agenda-ids.ts'
import type { EventTypeRow } from '../event-types/queries.ts'
import type { AppointmentRow } from './row.ts'

/** The event type, with the present agent of the appointment among those who can receive the visitor. */
export function addPresentAgent(
  eventType: EventTypeRow,
  { agendaId }: Pick<AppointmentRow, 'agendaId'>,
): EventTypeRow {
  const { kind, members } = eventType.config.assignment
  if (kind === 'collective' || listAgendaIds(eventType).includes(agendaId)) return eventType
  const others = kind === 'single' ? [toMember(eventType.agendaId)] : members
  const assignment = { kind: 'round_robin' as const, members: [...others, toMember(agendaId)] }
  return { ...eventType, config: { ...eventType.config, assignment } }
}

const toMember = (agendaId: string) => ({ agendaId, weight: 1, areas: [] })
