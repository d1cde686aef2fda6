/** Leads written one by one: created, changed, and what others hear of it. */

import type { Caller } from '../../../kit/auth.ts'
import { newIdIn } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { IfMatch } from '../../../kit/etag.ts'
import { emit } from '../../../kit/events/emit.ts'
import { Problem, refuseIfAny } from '../../../kit/problem.ts'
import { authorOf, takeTurn } from '../../../kit/writer.ts'
import { leadCreated } from '../events.ts'
import { findMergedByExternalId } from '../history/family.ts'
import { getHome } from '../record/home.ts'
import type { LeadDraft } from '../record/lead-draft.ts'
import { changeLeads, leadExistsProblem } from './change-leads.ts'
import { findExternalIds } from './lead-candidates.ts'
import { findErrorsOfLead, toDraft } from './read-draft.ts'
import { saveDrafts } from './save-leads.ts'
import { refusalOf } from './upsert-leads.ts'
import type { LeadChanges, NewLead } from './writing-schemas.ts'

/** Returns its id. Throws 409 LEAD_EXISTS, naming the lead, if it is one already; 429 QUOTA_EXCEEDED. */
export async function createLead(tx: Tx, body: NewLead, caller: Caller): Promise<string> {
  const [draft, home, author] = await Promise.all([readDraft(tx, body), getHome(tx), authorOf(tx, caller)])
  const externalId = body.externalId ?? null
  if (externalId !== null) {
    const [, holder] = await Promise.all([takeTurn(tx), findHolder(tx, externalId)])
    if (holder) throw leadExistsProblem(holder)
  }
  const [saved] = await saveDrafts(
    tx,
    { platform: 'api', importId: null, campaignId: null },
    [{ ...draft, idAtSource: externalId, sourceId: newIdIn(tx) }],
    { onMatch: 'skip', areIdsCertain: true, tellsExternalIdsApart: true, home },
  )
  if (saved!.result !== 'created') throw await refusalOf(tx, saved!)
  await emit(tx, leadCreated, { leadId: saved!.leadId, platform: 'api', ...author })
  return saved!.leadId
}

/** The lead with this external id, or the one that it was merged into. */
async function findHolder(tx: Tx, externalId: string): Promise<string | undefined> {
  const holder = (await findExternalIds(tx, [externalId])).get(externalId)
  return holder ?? (await findMergedByExternalId(tx, [externalId])).get(externalId)
}

/** Throws 404; 409 LEAD_EXISTS for the external id of another lead; 412 PRECONDITION_FAILED if `ifMatch` names another version. */
export async function changeLead(
  tx: Tx,
  leadId: string,
  changes: LeadChanges,
  { caller, ifMatch }: { caller: Caller; ifMatch: IfMatch | null },
): Promise<void> {
  const draft = await readDraft(tx, changes)
  const author = await authorOf(tx, caller)
  const [changed] = await changeLeads(tx, [{ leadId, draft }], { author, ifMatch })
  if (changed instanceof Problem) throw changed
}

/** Throws 400 with every error. */
async function readDraft(tx: Tx, changes: LeadChanges): Promise<LeadDraft> {
  refuseIfAny(await findErrorsOfLead(tx, changes))
  return toDraft(changes)
}
