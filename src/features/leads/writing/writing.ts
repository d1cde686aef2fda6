/** Leads written one by one: created, changed, and what others hear of it. */
import { sql } from 'kysely'
import { readFeatureNames } from '../../../domain/listing/features.ts'
import type { Caller } from '../../../kit/auth.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { assertVersion, type IfMatch } from '../../../kit/etag.ts'
import { emit } from '../../../kit/event.ts'
import { newId } from '../../../kit/id.ts'
import { invalidInput, notFound, Problem } from '../../../kit/problem.ts'
import { quotaExceeded } from '../../../kit/quota.ts'
import { heedWords, isAdvertised } from '../adverts/lead-sources.ts'
import { keepOptedOut } from '../contact/opt-outs.ts'
import { leadCreated } from '../events.ts'
import { personErased, refuseErased } from '../person/erased.ts'
import { withEdits } from '../record/edited-columns.ts'
import { getHome } from '../record/home.ts'
import { assertIdentifiers, identifiersIn, type LeadDraft, layOver } from '../record/lead-draft.ts'
import { fieldChanges } from '../record/lead-fields.ts'
import { changesBetween, lockRows, updateRows } from '../record/lead-row.ts'
import { tellUpdates } from '../record/lead-updates.ts'
import { authorOf, takeTurn } from '../record/writer.ts'
import { saveDrafts } from './save-leads.ts'
import type { LeadChanges, NewLead } from './writing-schemas.ts'

/** Returns its id. Throws 409 LEAD_EXISTS, naming the lead, if it is one already; 429 QUOTA_EXCEEDED. */
export async function createLead(tx: Tx, { externalId, ...body }: NewLead, caller: Caller): Promise<string> {
  const draft = await toDraft(tx, body)
  const origin = { platform: 'api', importId: null, campaignId: null }
  const [saved] = await saveDrafts(
    tx,
    origin,
    [{ ...draft, externalId: externalId ?? null, sourceId: newId() }],
    { onMatch: 'skip', areIdsCertain: true },
  )
  if (saved!.result === 'created') {
    const author = await authorOf(tx, caller)
    await emit(tx, leadCreated, { leadId: saved!.leadId, platform: 'api', ...author })
    return saved!.leadId
  }
  if (saved!.result === 'skipped' && saved!.reason === 'SUPPRESSED') throw personErased()
  if (saved!.leadId === null) throw await quotaExceeded(tx, 'maxLeadsPerMonth')
  throw new Problem('LEAD_EXISTS', `This is the lead ${saved!.leadId} already. Change that one with PATCH.`)
}

/** Throws 404; 412 PRECONDITION_FAILED if `ifMatch` names another version. */
export async function changeLead(
  tx: Tx,
  leadId: string,
  changes: LeadChanges,
  { caller, ifMatch }: { caller: Caller; ifMatch: IfMatch | null },
): Promise<void> {
  await takeTurn(tx)
  const known = (await lockRows(tx, [leadId])).get(leadId)
  if (!known) throw notFound('lead')
  assertVersion('lead', known.version, ifMatch)
  const home = await getHome(tx)
  const now = new Date()
  const draft = await toDraft(tx, changes)
  const after = withEdits(known.row, layOver(known.row, draft, home, now))
  if (after.price !== known.row.price && (await isAdvertised(tx, leadId)))
    after.price_history = known.row.price_history
  const fields = fieldChanges(changesBetween(known.row, after))
  if (fields.length === 0) return
  if (changes.contact)
    await refuseErased(
      tx,
      identifiersIn(draft, home.country).map(({ value }) => value),
    )
  const author = await authorOf(tx, caller)
  await keepOptedOut(tx, known.row, after, author)
  await updateRows(tx, [after], now)
  if (after.title !== known.row.title || after.description !== known.row.description)
    await heedWords(tx, after)
  await tellUpdates(tx, [{ leadId, cause: 'edited', changes: fields }], author)
}

/** What was sent, with every telephone and address looked at, and the user that is named. */
async function toDraft(tx: Tx, { contact, ...rest }: LeadChanges): Promise<LeadDraft> {
  if (rest.ownerUserId) await assertUser(tx, rest.ownerUserId)
  const property = rest.property && withFeatures(rest.property)
  const others = property ? { ...rest, property } : (rest as Omit<typeof rest, 'property'>)
  if (!contact) return others
  const { country } = await getHome(tx)
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

/** Row level security shows the users of the own workspace alone; the foreign key would take any. */
export async function assertUser(tx: Tx, userId: string, path = '/ownerUserId'): Promise<void> {
  const { rows } = await sql`select from users where id = ${userId}`.execute(tx)
  if (rows.length === 0)
    throw invalidInput(path, 'UNKNOWN_USER', 'There is no user with this id in the workspace.')
}
