/** The data that appointments hold about a person, for subject access requests. */
import { sql } from 'kysely'
import { appointmentStatuses } from '../../../domain/scheduling/appointment-status.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { PersonData } from '../../../kit/person-data.ts'
import { id, nullable, oneOf, strictObject, Type, time } from '../../../kit/schema.ts'
import { isOfPeople } from './erasure.ts'
import { payloadExample } from './examples.ts'
import { AppointmentLocation, AppointmentWithoutLinks, Outcome, Visitor, VisitorAnswer } from './schemas.ts'

const { id: appointmentId, status, start, end, visitor, location, answers, createdAt } = payloadExample

export const appointmentPersonData: PersonData = {
  fields: {
    appointments: Type.Array(
      strictObject({
        id: id('The appointment.'),
        status: oneOf(appointmentStatuses, { description: 'Its status.' }),
        start: time('When it begins.'),
        end: time('When it ends.'),
        visitor: Visitor,
        location: AppointmentLocation,
        answers: AppointmentWithoutLinks.properties.answers,
        notes: nullable(Type.String({ description: 'Notes of the agency.' })),
        cancelReason: nullable(Type.String({ description: 'Why it was cancelled.' })),
        visitorAnswer: nullable(VisitorAnswer),
        outcome: nullable(Outcome),
        createdAt: time('When it was booked.'),
      }),
      {
        description:
          'The appointments of leads of the person, and those booked with a phone number or e-mail address of the person, oldest first.',
      },
    ),
  },
  example: {
    appointments: [
      {
        id: appointmentId,
        status,
        start,
        end,
        visitor,
        location,
        answers,
        notes: null,
        cancelReason: null,
        visitorAnswer: null,
        outcome: null,
        createdAt,
      },
    ],
  },
  async read(tx, { leadIds, identifiers }) {
    const { rows } = await sql<{ json: string }>`
      select coalesce(json_agg(json_build_object('id', a.id, 'status', a.status, 'start', aldaba.iso_time(a.starts_at),
        'end', aldaba.iso_time(a.ends_at), 'visitor', json_build_object('name', a.visitor -> 'name', 'email', a.visitor -> 'email',
        'phone', a.visitor -> 'phone', 'language', a.visitor -> 'language'), 'location', a.location, 'answers', a.answers,
        'notes', a.notes, 'cancelReason', a.cancel_reason, 'visitorAnswer', a.visitor_answer, 'outcome', a.outcome,
        'createdAt', aldaba.iso_time(a.created_at)) order by a.id), '[]')::text as json
      from appointments a
      where a.tenant_id = ${getTenantId(tx)} and ${isOfPeople(leadIds, identifiers)}`.execute(tx)
    return { appointments: rows[0]!.json }
  },
}
