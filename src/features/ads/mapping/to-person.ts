/** A submitted form as the person that leads store. */
import type { ImportedLead } from '../../../domain/table/imported-lead.ts'
import { getCustomFieldName, type Mapping } from '../../../domain/table/lead-fields.ts'
import { parseRow } from '../../../domain/table/parse-row.ts'
import { sanitizeText } from '../../../kit/sanitize-text.ts'
import type { AdLead, AdQuestion } from '../../../plugins/ads.ts'
import { type FormPerson, parseInputIdentifiers } from '../../leads/service.ts'
import type { FormRow } from '../forms.ts'
import { findConsent } from './consent.ts'
import { mapQuestion } from './field-mapping.ts'

interface PersonOptions {
  /** The name of the network. */
  label: string
  country: string
  currency: string
  now: Date
}

const noteMax = 10_000
/** Nothing identifies the person. */
const nobody: Pick<ImportedLead, 'contact' | 'property' | 'customFields'> = {
  contact: { phones: [], emails: [] },
  property: { features: [], images: [] },
  customFields: {},
}

/** `form` undefined: the network does not have it any more. Answers that a field can't hold become custom fields. */
export function toFormPerson(lead: AdLead, form: FormRow | undefined, options: PersonOptions): FormPerson {
  const all = lead.answers.map(({ name, value }) => {
    const question = findQuestion(form, name)
    return { question, value: sanitizeText(value), field: mapQuestion(question, form?.fieldMapping ?? {}) }
  })
  const answers = all.filter(({ field }) => field !== null)
  const mapping: Mapping = Object.fromEntries(answers.map(({ question, field }) => [question.key, field]))
  const headings = answers.map(({ question }) => question.key)
  const cells = answers.map(({ value }) => value)
  const parsed = parseRow(cells, mapping, { ...options, headings })
  const unread = new Set(parsed.problems.map(({ column }) => column))
  const { contact, property, customFields: stated } = parsed.lead ?? nobody
  const written = { phones: contact.phones, emails: contact.emails }
  const customFields = {
    ...toCustomFields(stated),
    ...Object.fromEntries(
      answers
        .filter(({ question }) => parsed.lead === null || unread.has(question.key))
        .map(({ question, value }) => [toFieldName(question, mapping), value]),
    ),
  }
  const text = answers.map(({ question, value }) => `${question.label}: ${value}`).join('\n')
  const title = `${options.label}, ${form?.name ?? lead.formId}, ${lead.submittedAt.toString()}`
  return {
    name: contact.name ?? null,
    identifiers: parseInputIdentifiers({ contact: written }, options.country),
    property: toProperty(property),
    customFields,
    consent: findConsent(lead, form, options),
    note: (parsed.lead?.note ?? '').slice(0, noteMax) || null,
    knownNote: `${title}\n${text}`.slice(0, noteMax).toWellFormed(),
    sourceId: lead.id,
  }
}

function findQuestion(form: FormRow | undefined, name: string): AdQuestion {
  const key = sanitizeText(name)
  return (
    form?.questions.find(question => question.key === key) ?? {
      key,
      label: key.replaceAll('_', ' '),
      field: null,
    }
  )
}

function toFieldName(question: AdQuestion, mapping: Mapping): string {
  const field = mapping[question.key] ?? null
  return (field && getCustomFieldName(field)) ?? question.key.replace(/[~"\\]/g, ' ').slice(0, 100)
}

/** An empty list does not clear the list of a known lead. */
function toProperty({ features, images, ...property }: ImportedLead['property']): FormPerson['property'] {
  return {
    ...property,
    ...(features.length > 0 ? { features } : {}),
    ...(images.length > 0 ? { images } : {}),
  }
}

const toCustomFields = (fields: ImportedLead['customFields']): NonNullable<FormPerson['customFields']> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
