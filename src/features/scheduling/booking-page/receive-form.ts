/** Receives the form of the booking page: checks it, proves the e-mail address if necessary, and books. */
import type { Database } from '../../../kit/db/index.ts'
import { issueTicket, readTicket } from '../../../kit/form-ticket.ts'
import type { PublicReplies } from '../../../kit/public-route.ts'
import { findBookingDrives } from '../appointments/find-drives.ts'
import type { AppointmentDependencies } from '../appointments/links.ts'
import { countPageUse } from './booking-counts.ts'
import { toFormPage } from './booking-html.ts'
import type { OpenPage } from './context.ts'
import { readForm } from './fields.ts'
import { codeName, trapName } from './form-html.ts'
import { parseStart, toSlot } from './month.ts'
import { proveEmail } from './prove-email.ts'
import { type Refusal, toRefusal } from './refusal.ts'
import { openAppointmentsMax, submitBooking, toBookingRequest } from './submit.ts'
import { toQuery } from './visit.ts'

interface Sent {
  tenantId: string
  /** The client address. */
  address: string
  form: URLSearchParams
  query: URLSearchParams
}

export async function receiveForm(
  database: Database,
  { eventType, context }: OpenPage,
  { tenantId, address, form, query }: Sent,
  dependencies: AppointmentDependencies,
): Promise<PublicReplies['page']> {
  const { visit, country } = context
  const { errors } = visit.words
  const startMs = parseStart(form.get('start')) ?? parseStart(query.get('start'))
  if (startMs === null) return { redirect: toQuery(visit) }
  const sentTicket = form.get('ticket') ?? ''
  const ticket = readTicket(dependencies.cipher, eventType.id, sentTicket)
  const { fields, input } = readForm(eventType, visit.words, { form, country })
  const keptTicket =
    ticket && ticket.age !== 'old' ? sentTicket : issueTicket(dependencies.cipher, eventType.id)
  const show = ({ problems, nearest }: Refusal, nextTicket = keptTicket) =>
    toFormPage(context, {
      fields,
      slot: toSlot(eventType, startMs),
      problems,
      nearest,
      ticket: nextTicket,
      code: form.get(codeName),
      isRequest: eventType.config.confirmation.required,
    })
  if (fields.some(({ error }) => error !== null)) return show({ problems: [], nearest: null })
  if (ticket?.age !== 'due' || form.get(trapName)) return show({ problems: [errors.repeat], nearest: null })
  if (eventType.config.bookingPage.requireCode) {
    const step = await proveEmail(
      database,
      { eventType, context },
      { tenantId, address, form, startMs },
      dependencies,
    )
    if (step) return step
  }
  const use = { tenantId, eventTypeId: eventType.id, address, kind: 'booking' } as const
  if (!(await countPageUse(database, dependencies.cipher, use)))
    return show({ problems: [errors.tooOften], nearest: null })
  const submission = { eventType, formId: ticket.formId, startMs, input, country, visit }
  await dependencies.travelTimes.prepare(
    database,
    { tenantId },
    { purpose: 'booking', find: tx => findBookingDrives(tx, toBookingRequest(submission)) },
  )
  try {
    const booked = await database.withTenant({ tenantId }, tx => submitBooking(tx, submission, dependencies))
    if ('token' in booked) {
      const { redirectUrl } = eventType.config.bookingPage
      return { redirect: redirectUrl ?? `../appointment/${booked.token}${toQuery(visit)}` }
    }
    return booked.problem === 'tooMany'
      ? show({ problems: [errors.tooMany(openAppointmentsMax)], nearest: null })
      : show({ problems: [errors.repeat], nearest: null }, issueTicket(dependencies.cipher, eventType.id))
  } catch (error) {
    return show(toRefusal(error, visit.words))
  }
}
