/** What a caller sends of a lead, read: each telephone, address and feature is looked at, and refused with its place if it is none. */
import { readFeatureNames } from '../../../domain/listing/features.ts'
import { type InputError, Problem } from '../../../kit/problem.ts'
import { errorsOfIdentifiers, type LeadDraft } from '../record/lead-draft.ts'
import type { LeadChanges } from './writing-schemas.ts'

/** `country`: ISO 3166-1 alpha-2, where telephones without a prefix are read as dialled. Throws 400. */
export function readDraft({ contact, ...rest }: LeadChanges, country: string): LeadDraft {
  const errors = [...errorsOfLead(rest), ...(contact ? errorsOfIdentifiers(contact, country) : [])]
  if (errors.length > 0)
    throw new Problem('INVALID_INPUT', errors.map(({ message }) => message).join(' '), { errors })
  const property = rest.property && withFeatures(rest.property)
  const others = property ? { ...rest, property } : (rest as Omit<typeof rest, 'property'>)
  if (!contact) return others
  const { name, phone, email, identifiers, advertiserType } = contact
  const listed = (value: string | null | undefined) =>
    value === undefined ? undefined : value ? [value] : []
  const given = { name, advertiserType, phones: listed(phone), emails: listed(email), further: identifiers }
  return {
    ...others,
    contact: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  }
}

function withFeatures({
  features: texts,
  ...property
}: NonNullable<LeadChanges['property']>): NonNullable<LeadDraft['property']> {
  return texts ? { ...property, features: readFeatureNames(texts).features } : property
}

/** What no schema can state of a lead that is written: an error for each feature that is unknown. */
export function errorsOfLead({ property }: Pick<LeadChanges, 'property'>): InputError[] {
  return readFeatureNames(property?.features ?? []).unknown.map(({ at, message }) => ({
    path: `/property/features/${at}`,
    code: 'NOT_ALLOWED',
    message,
  }))
}
