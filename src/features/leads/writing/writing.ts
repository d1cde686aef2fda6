/** Leads written one by one: created, changed, and what others hear of it. */
import { sql } from 'kysely'
import type { Caller } from '../../../kit/auth.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { IfMatch } from '../../../kit/etag.ts'
import { emit } from '../../../kit/event.ts'
import { newId } from '../../../kit/id.ts'
import { invalidInput, Problem } from '../../../kit/problem.ts'
import { leadCreated } from '../events.ts'
import { getHome } from '../record/home.ts'
import type { LeadDraft } from '../record/lead-draft.ts'
import { authorOf, takeTurn } from '../record/writer.ts'
import { changeLeads, leadExists } from './change-leads.ts'
import { findExternalIds } from './lead-candidates.ts'
import { readDraft } from './read-draft.ts'
import { saveDrafts } from './save-leads.ts'
import { refusalOf } from './upsert-leads.ts'
import type { LeadChanges, NewLead } from './writing-schemas.ts'

/** Returns its id. Throws 409 LEAD_EXISTS, naming the lead, if it is one already; 429 QUOTA_EXCEEDED. */
export async function createLead(tx: Tx, body: NewLead, caller: Caller): Promise<string> {
  const draft = await toDraft(tx, body)
  const externalId = body.externalId ?? null
  await takeTurn(tx)
  const holder = externalId && (await findExternalIds(tx, [externalId])).get(externalId)
  if (holder) throw leadExists(holder)
  const [saved] = await saveDrafts(
    tx,
    { platform: 'api', importId: null, campaignId: null },
    [{ ...draft, idAtSource: externalId, sourceId: newId() }],
    { onMatch: 'skip', areIdsCertain: true, tellsExternalIdsApart: true },
  )
  if (saved!.result !== 'created') throw await refusalOf(tx, saved!)
  const author = await authorOf(tx, caller)
  await emit(tx, leadCreated, { leadId: saved!.leadId, platform: 'api', ...author })
  return saved!.leadId
}

/** Throws 404; 409 LEAD_EXISTS for the external id of another lead; 412 PRECONDITION_FAILED if `ifMatch` names another version. */
export async function changeLead(
  tx: Tx,
  leadId: string,
  changes: LeadChanges,
  { caller, ifMatch }: { caller: Caller; ifMatch: IfMatch | null },
): Promise<void> {
  const draft = await toDraft(tx, changes)
  const author = await authorOf(tx, caller)
  const [changed] = await changeLeads(tx, [{ leadId, draft }], { author, ifMatch })
  if (changed instanceof Problem) throw changed
}

/** What was sent, with every telephone and address looked at, and the user that is named. */
async function toDraft(tx: Tx, changes: LeadChanges): Promise<LeadDraft> {
  if (changes.ownerUserId) await assertUser(tx, changes.ownerUserId)
  return readDraft(changes, (await getHome(tx)).country)
}

/** Row level security shows the users of the own workspace alone; the foreign key would take any. */
export async function assertUser(tx: Tx, userId: string, path = '/ownerUserId'): Promise<void> {
  const { rows } = await sql`select from users where id = ${userId}`.execute(tx)
  if (rows.length === 0)
    throw invalidInput(path, 'UNKNOWN_USER', 'There is no user with this id in the workspace.')
}
