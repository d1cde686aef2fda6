/** A lead that a caller sends: its errors that no schema can state, and the draft that it is without any. */
import { sql } from 'kysely'
import { readFeatureNames } from '../../../domain/listing/features.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { InputError } from '../../../kit/problem.ts'
import { mapInTurns } from '../../../kit/turns.ts'
import { getHome } from '../record/home.ts'
import { errorsOfIdentifiers, type LeadDraft } from '../record/lead-draft.ts'
import type { LeadChanges } from './writing-schemas.ts'

/** What the workspace has to say about leads that are sent to it. */
interface Workspace {
  /** ISO 3166-1 alpha-2: phone numbers without a prefix are numbers of this country. */
  country: string
  /** Those of the named users that it has. */
  userIds: ReadonlySet<string>
}

export async function getWorkspace(tx: Tx, leads: Pick<LeadChanges, 'ownerUserId'>[]): Promise<Workspace> {
  const named = leads.flatMap(({ ownerUserId }) => ownerUserId ?? [])
  return { country: (await getHome(tx)).country, userIds: await findUsers(tx, named) }
}

/** Row level security shows the users of the own workspace alone; the foreign key would take any. */
async function findUsers(tx: Tx, userIds: string[]): Promise<Set<string>> {
  if (userIds.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from users where id = any(${userIds}::uuid[])`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** The errors of a lead, or of those of its fields that fit the schema. */
function errorsOfLead(lead: LeadChanges, { country, userIds }: Workspace): InputError[] {
  return [
    ...errorsOfFeatures(lead),
    ...errorsOfIdentifiers(lead.contact ?? {}, country),
    ...errorsOfUser(lead.ownerUserId, userIds, '/ownerUserId'),
  ]
}

/** The errors of each of many leads: reading a phone number takes up to 0.1 ms, and a batch may hold 10,000. */
export function errorsOfLeads(leads: LeadChanges[], workspace: Workspace): Promise<InputError[][]> {
  return mapInTurns(leads, lead => errorsOfLead(lead, workspace))
}

/** Needs the database; for a lead that was refused already. */
export async function findErrorsOfLead(tx: Tx, lead: LeadChanges): Promise<InputError[]> {
  return errorsOfLead(lead, await getWorkspace(tx, [lead]))
}

/** An error for each feature that is unknown. */
export function errorsOfFeatures({ property }: Pick<LeadChanges, 'property'>): InputError[] {
  return readFeatureNames(property?.features ?? []).unknown.map(({ at, message }) => ({
    path: `/property/features/${at}`,
    code: 'NOT_ALLOWED',
    message,
  }))
}

/** Finds whether the workspace has this user. */
export async function findErrorsOfUser(
  tx: Tx,
  userId: string | null | undefined,
  path: string,
): Promise<InputError[]> {
  return errorsOfUser(userId, await findUsers(tx, userId ? [userId] : []), path)
}

function errorsOfUser(
  userId: string | null | undefined,
  userIds: ReadonlySet<string>,
  path: string,
): InputError[] {
  if (!userId || userIds.has(userId.toLowerCase())) return []
  return [{ path, code: 'UNKNOWN_USER', message: 'There is no user with this id in the workspace.' }]
}

/** A lead without errors. */
export function toDraft({ contact, ...rest }: LeadChanges): LeadDraft {
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
