/** Moves of appointments over HTTP: confirm, reschedule, assign, cancel, no-show, outcome. */
import type { Drive } from '../../../domain/slots/travel.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { ProblemType } from '../../../kit/problem.ts'
import { type Route, route } from '../../../kit/route.ts'
import { id, type Static, strictObject, type TObject } from '../../../kit/schema.ts'
import { type Requester, readAuthor } from '../../../kit/writer.ts'
import { slotTaken, slotUnavailable } from '../problems.ts'
import { cancelAppointment } from './cancel.ts'
import { confirmAppointment, recordNoShow, recordOutcome } from './complete.ts'
import { appointmentExample } from './examples.ts'
import { findAssignDrives, findRescheduleDrives } from './find-drives.ts'
import type { AppointmentDependencies } from './links.ts'
import { toAppointment } from './reply.ts'
import { assignAppointment, rescheduleAppointment } from './reschedule.ts'
import type { AppointmentRow } from './row.ts'
import { Appointment, Assign, Cancel, NewOutcome, Reschedule } from './schemas.ts'

interface Move<B extends TObject = TObject> {
  action: string
  operation: string
  summary: string
  description?: string
  /** Omitted: it needs none. */
  body?: B
  example?: Static<B>
  replyExample: Static<typeof Appointment>
  errors?: ProblemType[]
  /** Finds the drives that decide about it; omitted: none do. */
  findDrives?(tx: Tx, id: string, body: Static<B>): Promise<Drive[]>
  move(tx: Tx, id: string, body: Static<B>, caller: Requester): Promise<AppointmentRow>
}

const params = strictObject({ id: id('The appointment.') })

/** Makes the route of a move: a POST that replies with the changed appointment. */
const moveRoute = <B extends TObject>(
  {
    action,
    operation,
    summary,
    description,
    body,
    example,
    replyExample,
    errors = [],
    findDrives,
    move,
  }: Move<B>,
  dependencies: AppointmentDependencies,
): Route =>
  route({
    method: 'POST',
    path: `/scheduling/appointments/{id}/${action}`,
    operation,
    tag: 'Scheduling',
    summary,
    ...(description ? { description } : {}),
    scope: 'scheduling:write',
    params,
    ...(body ? { body, example } : {}),
    status: 200,
    reply: Appointment,
    replyExample,
    errors: ['INVALID_TRANSITION', ...errors],
    errorExamples: {
      INVALID_TRANSITION: `The appointment is cancelled and has not begun: ${action} is not possible. Possible now: nothing.`,
    },
    async prepare({ params, body, caller, database }) {
      if (!findDrives) return
      await dependencies.travelTimes.prepare(database, caller, {
        purpose: 'booking',
        find: tx => findDrives(tx, params.id, body),
      })
    },
    handle: async ({ params, body, caller, tx }) =>
      toAppointment(tx, await move(tx, params.id, body, caller), dependencies),
  })

export const moveRoutes = (dependencies: AppointmentDependencies): Route[] => [
  moveRoute(
    {
      action: 'confirm',
      operation: 'confirmAppointment',
      summary: 'Confirm a pending appointment',
      replyExample: appointmentExample,
      move: (tx, id) => confirmAppointment(tx, id),
    },
    dependencies,
  ),
  moveRoute(
    {
      action: 'reschedule',
      operation: 'rescheduleAppointment',
      summary: 'Move an appointment to another time',
      description:
        'It keeps its id, its iCalendar UID and its links; `sequence` grows. Its former time is free at once. If the new time is taken, nothing changes. The agent stays the same, if they are free then. It keeps its status. A visitor who moves it on its page waits for a confirmation again, if the event type requires one.',
      body: Reschedule,
      example: { start: '2026-12-02T10:00:00.000Z' },
      replyExample: {
        ...appointmentExample,
        start: '2026-12-02T10:00:00.000Z',
        end: '2026-12-02T10:30:00.000Z',
        sequence: 1,
      },
      errors: [slotTaken, slotUnavailable],
      findDrives: findRescheduleDrives,
      move: (tx, id, body) => rescheduleAppointment(tx, id, { ...body, by: 'agent' }),
    },
    dependencies,
  ),
  moveRoute(
    {
      action: 'assign',
      operation: 'assignAppointment',
      summary: 'Assign an appointment to another agent',
      description: 'It takes place at the same time, so the other agent has to be free then.',
      body: Assign,
      example: { agendaId: '01980a4e-6666-7c3e-9d7a-2f6b1c0d9e8f' },
      replyExample: {
        ...appointmentExample,
        agendaId: '01980a4e-6666-7c3e-9d7a-2f6b1c0d9e8f',
        sequence: 1,
      },
      errors: [slotTaken, slotUnavailable],
      findDrives: findAssignDrives,
      move: (tx, id, { agendaId }) => assignAppointment(tx, id, agendaId),
    },
    dependencies,
  ),
  moveRoute(
    {
      action: 'cancel',
      operation: 'cancelAppointment',
      summary: 'Cancel an appointment',
      description: 'Its time is free at once.',
      body: Cancel,
      example: { reason: 'The owner is away.' },
      replyExample: {
        ...appointmentExample,
        status: 'cancelled',
        cancelledBy: 'agent',
        cancelReason: 'The owner is away.',
        sequence: 1,
      },
      move: (tx, id, { reason }) =>
        cancelAppointment(tx, id, { by: 'agent', reason: reason?.trim() || null }),
    },
    dependencies,
  ),
  moveRoute(
    {
      action: 'no-show',
      operation: 'recordNoShow',
      summary: 'Record that the visitor did not come',
      description: 'Possible once it has begun. It does not count for the fairness among agents.',
      replyExample: { ...appointmentExample, status: 'no_show' },
      move: (tx, id) => recordNoShow(tx, id),
    },
    dependencies,
  ),
  moveRoute(
    {
      action: 'outcome',
      operation: 'recordOutcome',
      summary: 'Record what came of an appointment',
      description:
        'Possible once it has begun. It replaces an earlier outcome, except the feedback that the visitor gave on the page, and takes back a no-show that was recorded by mistake: the appointment is completed.',
      body: NewOutcome,
      example: { result: 'interested', feedback: { rating: 4, text: 'Likes the light.' } },
      replyExample: {
        ...appointmentExample,
        status: 'completed',
        outcome: {
          result: 'interested',
          recordedBy: 'agent',
          feedback: { result: null, rating: 4, text: 'Likes the light.', givenAt: null },
          recordedAt: '2026-12-01T11:00:00.000Z',
          byUserId: '01980a4e-4444-7c3e-9d7a-2f6b1c0d9e8f',
        },
      },
      async move(tx, id, body, caller) {
        const { userId } = await readAuthor(tx, caller)
        return recordOutcome(tx, id, body, userId)
      },
    },
    dependencies,
  ),
]
