/** The agendas that an appointment of an event type may occupy. */
import type { EventTypeRow } from './queries.ts'

export const listAgendaIds = ({ agendaId, config: { assignment } }: EventTypeRow): string[] =>
  assignment.kind === 'single' ? [agendaId] : assignment.members.map(member => member.agendaId)
