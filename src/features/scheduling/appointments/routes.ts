/** Appointments over HTTP: book, list, read and change them. */
import { createPager, pageSchema } from '../../../kit/page.ts'
import { type Route, route } from '../../../kit/route.ts'
import { id, strictObject } from '../../../kit/schema.ts'
import { slotTaken, slotUnavailable } from '../problems.ts'
import { type BookingRequest, bookAppointment } from './book.ts'
import { appointmentExample } from './examples.ts'
import type { AppointmentDependencies } from './links.ts'
import { moveRoutes } from './move-routes.ts'
import { holdNotValid } from './problems.ts'
import { listAppointments } from './queries.ts'
import { refuseTaken } from './refuse-taken.ts'
import { readAppointment, toAppointment, toAppointments, toAppointmentWithoutLinks } from './reply.ts'
import { Appointment, AppointmentChanges, AppointmentFilter, NewAppointment } from './schemas.ts'
import { updateDetails } from './update.ts'

export const tag = 'Scheduling'
export const params = strictObject({ id: id('The appointment.') })

export function appointmentRoutes(dependencies: AppointmentDependencies): Route[] {
  return [
    bookRoute(dependencies),
    route({
      method: 'GET',
      path: '/scheduling/appointments',
      operation: 'listAppointments',
      tag,
      summary: 'List appointments by their beginning',
      scope: 'scheduling:read',
      query: AppointmentFilter,
      status: 200,
      reply: pageSchema(Appointment),
      replyExample: { data: [appointmentExample], nextCursor: null },
      errors: ['INVALID_CURSOR'],
      async handle({ query, caller, tx }) {
        const list = createPager('appointments', caller.tenantId, query)
        const rows = await listAppointments(tx, query, list.after)
        const page = rows.slice(0, query.limit)
        const last = page.at(-1)
        return list.reply({
          json: JSON.stringify(await toAppointments(tx, page, dependencies)),
          last: last && rows.length > page.length ? [last.start.toISOString(), last.id] : null,
        })
      },
    }),
    route({
      method: 'GET',
      path: '/scheduling/appointments/{id}',
      operation: 'getAppointment',
      tag,
      summary: 'Retrieve an appointment',
      scope: 'scheduling:read',
      params,
      status: 200,
      reply: Appointment,
      replyExample: appointmentExample,
      handle: ({ params, tx }) => readAppointment(tx, params.id, dependencies),
    }),
    route({
      method: 'PATCH',
      path: '/scheduling/appointments/{id}',
      operation: 'updateAppointment',
      tag,
      summary: 'Change the visitor, the answers or the notes of an appointment',
      description:
        'To change its time, reschedule it. A visitor with another address gets the confirmation and the invitation there, and a new link; the former link ends.',
      scope: 'scheduling:write',
      params,
      body: AppointmentChanges,
      example: { notes: 'Prefers the lift.' },
      status: 200,
      reply: Appointment,
      replyExample: { ...appointmentExample, notes: 'Prefers the lift.' },
      handle: async ({ params, body, tx }) =>
        toAppointment(tx, await updateDetails(tx, params.id, body, dependencies), dependencies),
    }),
    ...moveRoutes(dependencies),
  ]
}

const bookRoute = (dependencies: AppointmentDependencies): Route =>
  route({
    method: 'POST',
    path: '/scheduling/appointments',
    operation: 'bookAppointment',
    tag,
    summary: 'Book an appointment',
    description:
      'Two appointments of one agenda never overlap, buffers included. If the slot is taken, the error lists the nearest free slots. With several agents, the one with the fewest appointments for their weight receives the visitor. The lead is found by phone or e-mail address, or created with the platform `booking`.',
    scope: 'scheduling:write',
    comesInBursts: true,
    body: NewAppointment,
    example: {
      eventTypeId: appointmentExample.eventTypeId,
      start: appointmentExample.start,
      timezone: 'Europe/Madrid',
      visitor: { name: 'Marta Soler', email: 'marta@example.com', phone: '+34612345678' },
      answers: { budget: '300,000', financing: true },
    },
    status: 201,
    reply: Appointment,
    replyExample: appointmentExample,
    errors: [slotTaken, slotUnavailable, holdNotValid],
    prepare: ({ body, caller, database }) => refuseTaken(database, caller, body, dependencies),
    async handle({ body, prepared: isChecked, tx }) {
      const request: BookingRequest = { ...body, source: 'api', isChecked }
      const { appointment, links } = await bookAppointment(tx, request, dependencies)
      return { ...toAppointmentWithoutLinks(appointment), links }
    },
  })
