/** A lead that a caller sends: its errors that no schema can state, and the draft that it is without any. */
import { sql } from 'kysely'
import { parseFeatureNames } from '../../../domain/listing/features.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { InputError } from '../../../kit/problem.ts'
import { mapYielding } from '../../../kit/yielding.ts'
import { type LeadInput, validateIdentifiers } from '../record/lead-input.ts'
import { getWorkspaceLocale } from '../record/workspace-locale.ts'
import type { LeadChanges } from './input-schemas.ts'

/** What the workspace has to say about leads that are sent to it. */
interface WorkspaceFacts {
  /** ISO 3166-1 alpha-2: phone numbers without a prefix are numbers of this country. */
  country: string
  /** Those of the named users that it has. */
  userIds: ReadonlySet<string>
}

export async function getWorkspaceFacts(
  tx: Tx,
  leads: Pick<LeadChanges, 'ownerUserId'>[],
): Promise<WorkspaceFacts> {
  const named = leads.flatMap(({ ownerUserId }) => ownerUserId ?? [])
  return { country: (await getWorkspaceLocale(tx)).country, userIds: await findUsers(tx, named) }
}

/** Row level security shows the users of the own workspace alone; the foreign key would take any. */
async function findUsers(tx: Tx, userIds: string[]): Promise<Set<string>> {
  if (userIds.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from users where id = any(${userIds}::uuid[])`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** The errors of a lead, or of those of its fields that fit the schema. */
function validateLead(lead: LeadChanges, { country, userIds }: WorkspaceFacts): InputError[] {
  return [
    ...validateFeatures(lead),
    ...validateIdentifiers(lead.contact ?? {}, country),
    ...validateUser(lead.ownerUserId, userIds, '/ownerUserId'),
  ]
}

/** The errors of each of many leads: reading a phone number takes up to 0.1 ms, and a batch may hold 10,000. */
export function validateLeads(leads: LeadChanges[], workspace: WorkspaceFacts): Promise<InputError[][]> {
  return mapYielding(leads, lead => validateLead(lead, workspace))
}

/** Needs the database; for a lead that was refused already. */
export async function findLeadErrors(tx: Tx, lead: LeadChanges): Promise<InputError[]> {
  return validateLead(lead, await getWorkspaceFacts(tx, [lead]))
}

/** An error for each feature that is unknown. */
export function validateFeatures({ property }: Pick<LeadChanges, 'property'>): InputError[] {
  return parseFeatureNames(property?.features ?? []).unknown.map(({ index, message }) => ({
    path: `/property/features/${index}`,
    code: 'NOT_ALLOWED',
    message,
  }))
}

/** Finds whether the workspace has this user. */
export async function findUserErrors(
  tx: Tx,
  userId: string | null | undefined,
  path: string,
): Promise<InputError[]> {
  return validateUser(userId, await findUsers(tx, userId ? [userId] : []), path)
}

function validateUser(
  userId: string | null | undefined,
  userIds: ReadonlySet<string>,
  path: string,
): InputError[] {
  if (!userId || userIds.has(userId.toLowerCase())) return []
  return [{ path, code: 'UNKNOWN_USER', message: 'There is no user with this id in the workspace.' }]
}

/** A lead without errors. */
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
