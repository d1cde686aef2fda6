/** What a caller sends of a lead, read: each telephone, address and feature is looked at, and refused with its place if it is none. */
import { readFeatureNames } from '../../../domain/listing/features.ts'
import { Problem } from '../../../kit/problem.ts'
import { assertIdentifiers, type LeadDraft } from '../record/lead-draft.ts'
import type { LeadChanges } from './writing-schemas.ts'

/** `country`: ISO 3166-1 alpha-2, where telephones without a prefix are read as dialled. Throws 400. */
export function readDraft({ contact, ...rest }: LeadChanges, country: string): LeadDraft {
  const property = rest.property && withFeatures(rest.property)
  const others = property ? { ...rest, property } : (rest as Omit<typeof rest, 'property'>)
  if (!contact) return others
  assertIdentifiers(contact, country)
  const { name, phone, email, identifiers, advertiserType } = contact
  const listed = (value: string | null | undefined) =>
    value === undefined ? undefined : value ? [value] : []
  const given = { name, advertiserType, phones: listed(phone), emails: listed(email), further: identifiers }
  return {
    ...others,
    contact: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  }
}

/** Features by their names, whatever they were called. Throws 400 naming each that is unknown. */
function withFeatures({
  features: texts,
  ...property
}: NonNullable<LeadChanges['property']>): NonNullable<LeadDraft['property']> {
  if (!texts) return property
  const { features, unknown } = readFeatureNames(texts)
  if (unknown.length === 0) return { ...property, features }
  const errors = unknown.map(({ at, message }) => ({
    path: `/property/features/${at}`,
    code: 'NOT_ALLOWED',
    message,
  }))
  throw new Problem('INVALID_INPUT', `A feature ${errors[0]!.message}.`, { errors })
}
