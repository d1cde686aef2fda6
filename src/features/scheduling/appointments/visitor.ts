/** Reads the visitor and the answers of a request: normalized, or with all errors. */
import { type Identifier, toIdentifier } from '../../../domain/contact/identifiers.ts'
import { findAnswerErrors, toStoredAnswers } from '../../../domain/scheduling/answers.ts'
import type { InputError } from '../../../kit/problem.ts'
import { checkTimezone } from '../../../kit/time-zone.ts'
import type { EventTypeRow } from '../event-types/queries.ts'
import { agentCalls } from './location.ts'
import type { AppointmentRow } from './row.ts'
import type { NewAppointment, NewVisitor, Visitor } from './schemas.ts'

/** `country`: for phone numbers without a prefix. A value that is not valid stays as it is. */
export function normalizeVisitor(
  { name, email = null, phone = null, language = null }: NewVisitor,
  country: string,
): Visitor & { name: string } {
  const normalize = (kind: 'email' | 'phone', text: string | null) =>
    text === null ? null : (toIdentifier(kind, text, country)?.value ?? text)
  return {
    name: name.trim(),
    email: normalize('email', email),
    phone: normalize('phone', phone),
    language,
  }
}

/** Requires a visitor without errors. The phone comes first. */
export function toVisitorIdentifiers({ email, phone }: Partial<Visitor>): Identifier[] {
  const found: Identifier[] = []
  if (phone) found.push({ kind: 'phone', value: phone })
  if (email) found.push({ kind: 'email', value: email })
  return found
}

export function findVisitorErrors({ email, phone }: Partial<NewVisitor>, country: string): InputError[] {
  const errors: InputError[] = []
  if (phone != null && !toIdentifier('phone', phone, country))
    errors.push({
      path: '/visitor/phone',
      code: 'WRONG_FORMAT',
      message: 'must be a phone number, such as +34612345678',
    })
  if (email != null && !toIdentifier('email', email, country))
    errors.push({ path: '/visitor/email', code: 'WRONG_FORMAT', message: 'must be an e-mail address' })
  return errors
}

/** The errors of the answers to the questions of the event type. */
export function findErrorsOfAnswers(
  { config: { questions } }: Pick<EventTypeRow, 'config'>,
  answers: NonNullable<NewAppointment['answers']>,
  country: string,
): InputError[] {
  const isPhone = (text: string) => toIdentifier('phone', text, country) !== null
  return findAnswerErrors(questions, answers, isPhone).map(({ questionId, code, message }) => ({
    path: `/answers/${questionId.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    code,
    message,
  }))
}

const phoneRequired: InputError = {
  path: '/visitor/phone',
  code: 'REQUIRED',
  message: 'is required: the agent calls the visitor',
}

/** `phone`: undefined: it stays what it is. */
export const findMissingPhone = (eventType: EventTypeRow, phone: string | null | undefined): InputError[] =>
  phone === null && agentCalls(eventType) ? [phoneRequired] : []

/** All errors of a booking that need the event type. */
export const findBookingErrors = (
  { timezone, visitor, answers }: NewAppointment,
  eventType: EventTypeRow,
  country: string,
): InputError[] => [
  ...checkTimezone(timezone ?? undefined, '/timezone'),
  ...findVisitorErrors(visitor, country),
  ...findMissingPhone(eventType, visitor.phone ?? null),
  ...findErrorsOfAnswers(eventType, answers ?? {}, country),
]

export const toAnswers = (
  { config: { questions } }: Pick<EventTypeRow, 'config'>,
  answers: NonNullable<NewAppointment['answers']>,
): AppointmentRow['answers'] => toStoredAnswers(questions, answers)

/** The address to which the visitor's notices go; null: there is none. */
export const getNoticeAddress = ({ email, phone }: Partial<Visitor>): string | null => email ?? phone ?? null
