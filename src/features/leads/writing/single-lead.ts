/** Creates and updates single leads. */

import type { Caller } from '../../../kit/auth.ts'
import { createId } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { IfMatch } from '../../../kit/etag.ts'
import { emit } from '../../../kit/events/emit.ts'
import { Problem, throwIfInvalid } from '../../../kit/problem.ts'
import { lockLeadWrites, readAuthor } from '../../../kit/writer.ts'
import { leadCreated } from '../events.ts'
import { findMergedByExternalId } from '../history/merged-leads.ts'
import type { LeadInput } from '../record/lead-input.ts'
import { getWorkspaceLocale } from '../record/workspace-locale.ts'
import { applyInputs, createLeadExists } from './apply-inputs.ts'
import type { LeadChanges, NewLead } from './input-schemas.ts'
import { findLeadsByExternalId } from './lead-candidates.ts'
import { findLeadErrors, toInput } from './read-input.ts'
import { saveLeads } from './save-leads.ts'
import { explainRefusal } from './upsert-leads.ts'

/**
 * Creates a lead, emits `lead.created` and returns the id. Throws 400; 409 LEAD_EXISTS with the id of the existing
 * lead; 409 PERSON_ERASED; 429 QUOTA_EXCEEDED.
 */
export async function createLead(tx: Tx, body: NewLead, caller: Caller): Promise<string> {
  const [input, locale, author] = await Promise.all([
    readInput(tx, body),
    getWorkspaceLocale(tx),
    readAuthor(tx, caller),
  ])
  const externalId = body.externalId ?? null
  if (externalId !== null) {
    const [, holder] = await Promise.all([lockLeadWrites(tx), findHolder(tx, externalId)])
    if (holder) throw createLeadExists(holder)
  }
  const [saved] = await saveLeads(
    tx,
    { platform: 'api', importId: null, campaignId: null },
    [{ ...input, sourceRecordId: externalId, generatedSourceId: createId(tx) }],
    { onMatch: 'skip', areIdsTrusted: true, distinguishesExternalIds: true, locale },
  )
  if (saved!.result !== 'created') throw await explainRefusal(tx, saved!)
  await emit(tx, leadCreated, { leadId: saved!.leadId, platform: 'api', ...author })
  return saved!.leadId
}

/** The lead with this external id, or the one that it was merged into. */
async function findHolder(tx: Tx, externalId: string): Promise<string | undefined> {
  const holder = (await findLeadsByExternalId(tx, [externalId])).get(externalId)
  return holder ?? (await findMergedByExternalId(tx, [externalId])).get(externalId)
}

/** Throws 400; 404; 409 LEAD_EXISTS if another lead has the external id; 409 PERSON_ERASED; 412 PRECONDITION_FAILED. */
export async function updateLead(
  tx: Tx,
  leadId: string,
  changes: LeadChanges,
  { caller, ifMatch }: { caller: Caller; ifMatch: IfMatch | null },
): Promise<void> {
  const input = await readInput(tx, changes)
  const author = await readAuthor(tx, caller)
  const [changed] = await applyInputs(tx, [{ leadId, input }], { author, ifMatch })
  if (changed instanceof Problem) throw changed
}

/** Throws 400 with all errors. */
async function readInput(tx: Tx, changes: LeadChanges): Promise<LeadInput> {
  throwIfInvalid(await findLeadErrors(tx, changes))
  return toInput(changes)
}
