/** The fields of the form of an event type: what is asked, what was typed, and what is wrong with it. */
import { toIdentifier } from '../../../domain/contact/identifiers.ts'
import { toPersonName } from '../../../domain/contact/typed-text.ts'
import { type AnswerError, findAnswerErrors } from '../../../domain/scheduling/answers.ts'
import { agentCalls } from '../appointments/location.ts'
import type { EventTypeRow } from '../event-types/queries.ts'
import type { Field } from './form-html.ts'
import type { BookingWords } from './words.ts'

/** What was typed, as `bookAppointment` takes it. */
export interface FormInput {
  name: string
  email: string | null
  phone: string | null
  answers: Record<string, string | boolean>
  notes: string | null
}

export interface ReadForm {
  fields: Field[]
  input: FormInput
}

const maximum = { name: 60, email: 254, phone: 50, notes: 2000 }
const answerMaximum = { text: 500, textarea: 5000, select: 200, checkbox: 0, phone: 50 }
const kinds = {
  text: 'text',
  textarea: 'textarea',
  select: 'select',
  checkbox: 'checkbox',
  phone: 'tel',
} as const
/** The ids of questions could be those of the other fields. */
const toAnswerName = (id: string): string => `answer-${id}`

/** The agency has to reach the visitor: by phone if it calls, otherwise by e-mail. */
function listNeeds(eventType: EventTypeRow) {
  const calls = agentCalls(eventType)
  return { phone: calls, email: !calls || eventType.config.bookingPage.requireCode }
}

/** An empty form. */
export const createFields = (eventType: EventTypeRow, words: BookingWords): Field[] =>
  toFields(eventType, words, new URLSearchParams())

/** `country`: of phone numbers without a prefix. */
export function readForm(
  eventType: EventTypeRow,
  words: BookingWords,
  { form, country }: { form: URLSearchParams; country: string },
): ReadForm {
  const fields = toFields(eventType, words, form)
  const isPhone = (text: string) => toIdentifier('phone', text, country) !== null
  const isEmail = (text: string) => toIdentifier('email', text, country) !== null
  const input = toInput(eventType, fields)
  const wrongAnswers = new Map(
    findAnswerErrors(eventType.config.questions, input.answers, isPhone).map(({ questionId, code }) => [
      toAnswerName(questionId),
      code,
    ]),
  )
  const check = ({ name, kind, value, isRequired, maxLength }: Field): string | null => {
    const { errors } = words
    if (isRequired && value.trim() === '') return kind === 'checkbox' ? errors.tick : errors.required
    if (kind !== 'checkbox' && value.length > maxLength) return errors.tooLong(maxLength)
    if (value.trim() === '') return null
    if (name === 'name') return toPersonName(value) === null ? errors.name : null
    if (kind === 'email') return isEmail(value) ? null : errors.email
    if (kind === 'tel' && name === 'phone') return isPhone(value) ? null : errors.phone
    const wrong = wrongAnswers.get(name)
    return wrong === undefined ? null : toSentence(words, wrong)
  }
  return { fields: fields.map(field => ({ ...field, error: check(field) })), input }
}

const toSentence = ({ errors }: BookingWords, code: AnswerError['code']): string =>
  code === 'WRONG_FORMAT' ? errors.phone : code === 'NOT_ALLOWED' ? errors.option : errors.required

function toFields(eventType: EventTypeRow, words: BookingWords, form: URLSearchParams): Field[] {
  const needs = listNeeds(eventType)
  const field = (name: keyof typeof maximum | string, label: string, details: Partial<Field>): Field => ({
    name,
    id: name,
    label,
    kind: 'text',
    isRequired: false,
    maxLength: Object.hasOwn(maximum, name) ? maximum[name as keyof typeof maximum] : 0,
    autocomplete: null,
    options: [],
    value: form.get(name) ?? '',
    error: null,
    ...details,
  })
  return [
    field('name', words.name, { isRequired: true, autocomplete: 'name' }),
    field('email', words.email, { kind: 'email', isRequired: needs.email, autocomplete: 'email' }),
    field('phone', words.phone, { kind: 'tel', isRequired: needs.phone, autocomplete: 'tel' }),
    ...eventType.config.questions.map(({ id, label, type, required, options }, at) =>
      field(toAnswerName(id), label, {
        id: `q${at}`,
        kind: kinds[type],
        isRequired: required,
        maxLength: answerMaximum[type],
        options,
      }),
    ),
    field('notes', words.message, { kind: 'textarea' }),
  ]
}

function toInput({ config }: EventTypeRow, fields: Field[]): FormInput {
  const values = new Map(fields.map(({ name, value }) => [name, value.trim()]))
  const get = (name: string) => values.get(name) || null
  const answers: FormInput['answers'] = {}
  for (const { id, type } of config.questions) {
    const value = get(toAnswerName(id))
    if (type === 'checkbox') answers[id] = value === 'yes'
    else if (value !== null) answers[id] = value
  }
  // Messages repeat it to an address that nobody has proven.
  const name = toPersonName(get('name') ?? '') ?? ''
  return { name, email: get('email'), phone: get('phone'), answers, notes: get('notes') }
}
