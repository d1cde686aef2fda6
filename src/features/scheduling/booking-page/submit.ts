/** Books what a form says: once for each form, and not more than a visitor may have open. */
import type { Tx } from '../../../kit/db/index.ts'
import { notFound } from '../../../kit/problem.ts'
import { type BookingRequest, bookAppointment } from '../appointments/book.ts'
import { type LinkDependencies, readLinks } from '../appointments/links.ts'
import type { Visitor } from '../appointments/schemas.ts'
import { normalizeVisitor } from '../appointments/visitor.ts'
import type { EventTypeRow } from '../event-types/queries.ts'
import { toStart } from './calendar-html.ts'
import { deleteCode } from './codes.ts'
import type { FormInput } from './fields.ts'
import {
  countOpenAppointments,
  type FormAppointment,
  findAppointmentOfForm,
  lockSubmission,
  setFormOfAppointment,
} from './queries.ts'
import type { Visit } from './visit.ts'

export interface Submission {
  eventType: EventTypeRow
  formId: string
  startMs: number
  input: FormInput
  country: string
  visit: Pick<Visit, 'language' | 'timezone'>
}

/** How many appointments to come a visitor may have, by e-mail address or phone number. */
export const openAppointmentsMax = 5

/**
 * Returns the token of the appointment's link, also if the form has booked it before. `tooMany`: the visitor has too many appointments;
 * `otherForm`: its ticket has booked another time, or for somebody else. Throws what `bookAppointment` throws.
 */
export async function submitBooking(
  tx: Tx,
  submission: Submission,
  dependencies: LinkDependencies,
): Promise<{ token: string } | { problem: 'tooMany' | 'otherForm' }> {
  const { eventType, formId, country } = submission
  const request = toBookingRequest(submission)
  const normal = normalizeVisitor(request.visitor, country)
  await lockSubmission(
    tx,
    formId,
    [normal.email, normal.phone].filter(address => address !== null),
  )
  const known = await findAppointmentOfForm(tx, formId)
  if (known)
    return isSame(known, submission.startMs, normal)
      ? { token: await readToken(tx, known.id, dependencies) }
      : { problem: 'otherForm' }
  if ((await countOpenAppointments(tx, normal)) >= openAppointmentsMax) return { problem: 'tooMany' }
  const { appointment, links } = await bookAppointment(tx, request, dependencies)
  await setFormOfAppointment(tx, appointment.id, formId)
  if (eventType.config.bookingPage.requireCode)
    await deleteCode(tx, dependencies.cipher, { eventTypeId: eventType.id, email: normal.email! })
  return { token: toToken(links.page) }
}

const isSame = ({ start, visitor }: FormAppointment, startMs: number, sent: Visitor): boolean =>
  start.getTime() === startMs &&
  (['name', 'email', 'phone'] as const).every(field => visitor[field] === sent[field])

export function toBookingRequest({ eventType, startMs, input, visit }: Submission): BookingRequest {
  const { name, email, phone, answers, notes } = input
  return {
    eventTypeId: eventType.id,
    start: toStart(startMs),
    timezone: visit.timezone,
    visitor: { name, email, phone, language: visit.language },
    answers,
    notes,
    source: 'page',
    hasProvenEmail: eventType.config.bookingPage.requireCode,
    isChecked: false,
  }
}

/** Throws 404 if the link has ended, as after the erasure of the visitor. */
async function readToken(tx: Tx, appointmentId: string, dependencies: LinkDependencies): Promise<string> {
  const links = (await readLinks(tx, [appointmentId], dependencies)).get(appointmentId)
  if (!links) throw notFound('appointment')
  return toToken(links.page)
}

const toToken = (page: string): string => page.split('/').at(-1)!
