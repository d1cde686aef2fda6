/** Validates leads that callers send, by rules that their schema cannot express, and converts them to `LeadInput`. */
import { parseFeatureNames } from '../../../domain/listing/features.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { InputError } from '../../../kit/problem.ts'
import { mapYielding } from '../../../kit/yielding.ts'
import { findUsers, validateUser } from '../../identity/service.ts'
import { type LeadInput, validateIdentifiers } from '../record/lead-input.ts'
import { getWorkspaceLocale } from '../record/workspace-locale.ts'
import type { LeadChanges } from './input-schemas.ts'

/** The facts about a workspace that validation needs. */
interface WorkspaceFacts {
  /** ISO 3166-1 alpha-2: phone numbers without a prefix belong to this country. */
  country: string
  /** The owners of the leads that are users of the workspace. */
  userIds: ReadonlySet<string>
}

export async function getWorkspaceFacts(
  tx: Tx,
  leads: Pick<LeadChanges, 'ownerUserId'>[],
): Promise<WorkspaceFacts> {
  const named = leads.flatMap(({ ownerUserId }) => ownerUserId ?? [])
  return { country: (await getWorkspaceLocale(tx)).country, userIds: await findUsers(tx, named) }
}

/** The errors of a lead; fields that do not fit the schema are left out by the caller. */
function validateLead(lead: LeadChanges, { country, userIds }: WorkspaceFacts): InputError[] {
  return [
    ...validateFeatures(lead),
    ...validateIdentifiers(lead.contact ?? {}, country),
    ...validateUser(lead.ownerUserId, userIds, '/ownerUserId'),
  ]
}

/**
 * The errors of each lead. Yields to the event loop: parsing a phone number takes up to 0.1 ms, and a batch may have
 * 10,000.
 */
export function validateLeads(leads: LeadChanges[], workspace: WorkspaceFacts): Promise<InputError[][]> {
  return mapYielding(leads, lead => validateLead(lead, workspace))
}

/** The errors of one lead; reads the country and the user from the database. */
export async function findLeadErrors(tx: Tx, lead: LeadChanges): Promise<InputError[]> {
  return validateLead(lead, await getWorkspaceFacts(tx, [lead]))
}

/** An error for each unknown feature; suggests the nearest one. */
export function validateFeatures({ property }: Pick<LeadChanges, 'property'>): InputError[] {
  return parseFeatureNames(property?.features ?? []).unknown.map(({ index, message }) => ({
    path: `/property/features/${index}`,
    code: 'NOT_ALLOWED',
    message,
  }))
}

/** Converts a valid lead. */
export function toInput({ contact, ...rest }: LeadChanges): LeadInput {
  const property = rest.property && withFeatures(rest.property)
  const base = property ? { ...rest, property } : (rest as Omit<typeof rest, 'property'>)
  if (!contact) return base
  const { name, phone, email, identifiers, advertiserType } = contact
  const toList = (value: string | null | undefined) =>
    value === undefined ? undefined : value ? [value] : []
  const fields = {
    name,
    advertiserType,
    phones: toList(phone),
    emails: toList(email),
    otherIdentifiers: identifiers,
  }
  return {
    ...base,
    contact: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
  }
}

function withFeatures({
  features: texts,
  ...property
}: NonNullable<LeadChanges['property']>): NonNullable<LeadInput['property']> {
  return texts ? { ...property, features: parseFeatureNames(texts).features } : property
}
