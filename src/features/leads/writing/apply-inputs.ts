/** Updates existing leads: many with few statements, each accepted or refused on its own. */
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { assertVersion, type IfMatch } from '../../../kit/etag.ts'
import { Problem } from '../../../kit/problem.ts'
import { type Author, lockLeadWrites } from '../../../kit/writer.ts'
import { findErased } from '../../privacy/service.ts'
import { preserveOptOuts } from '../contact/preserve-opt-outs.ts'
import { createLeadNotFound } from '../history/merged-leads.ts'
import { findListedLeads, updateNoAgencies } from '../listings/lead-sources.ts'
import { leadExists } from '../problems.ts'
import { withEdits } from '../record/edited-columns.ts'
import { emitLeadUpdates, type LeadUpdate } from '../record/emit-updates.ts'
import { createPersonErased } from '../record/erased-people.ts'
import { toFieldChanges } from '../record/lead-fields.ts'
import { applyInput, type LeadInput, parseInputIdentifiers } from '../record/lead-input.ts'
import { changesBetween, type LeadRow, lockRows } from '../record/lead-row.ts'
import { getWorkspaceLocale } from '../record/workspace-locale.ts'
import { updateLeads } from '../record/write-leads.ts'
import { findLeadsByExternalId } from './lead-candidates.ts'

export interface LeadEdit {
  leadId: string
  input: LeadInput
}

export type EditResult = 'updated' | 'unchanged' | Problem

/** The 409 for a lead that exists already. */
export function createLeadExists(existingLeadId: string): Problem {
  return new Problem(leadExists, `The lead exists already: ${existingLeadId}. Update it with PATCH.`, {
    details: { existingLeadId },
  })
}

/**
 * Applies each input to its lead and returns one result for each, in order. No lead may occur twice. A result is a
 * Problem if the lead does not exist (404), the external id belongs to another lead or the person was erased (409).
 * Throws 412 PRECONDITION_FAILED.
 */
export async function applyInputs(
  tx: Tx,
  changes: LeadEdit[],
  { author, ifMatch }: { author: Author; ifMatch: IfMatch | null },
): Promise<EditResult[]> {
  if (changes.length === 0) return []
  await lockLeadWrites(tx)
  const locale = await getWorkspaceLocale(tx)
  const now = getNow(tx)
  const leadIds = changes.map(({ leadId }) => leadId)
  const locked = await lockRows(tx, leadIds)
  const listed = await findListedLeads(tx, leadIds)
  const checkEdit = await createEditChecks(tx, changes, locale.country)
  const results: EditResult[] = []
  const edits: { before: LeadRow; after: LeadRow; update: LeadUpdate }[] = []
  for (const { leadId, input } of changes) {
    const { row: before, version } = locked.get(leadId) ?? {}
    if (!before || version === undefined) {
      results.push(await createLeadNotFound(tx, leadId))
      continue
    }
    assertVersion('lead', version, ifMatch)
    const after = withEdits(before, applyInput(before, input, locale, now))
    if (after.price !== before.price && listed.has(leadId)) after.price_history = before.price_history
    const fields = toFieldChanges(changesBetween(before, after))
    const refusal = fields.length === 0 ? null : checkEdit({ leadId, input })
    if (fields.length > 0 && refusal === null)
      edits.push({ before, after, update: { leadId, cause: 'edited', changes: fields } })
    results.push(fields.length === 0 ? 'unchanged' : (refusal ?? 'updated'))
  }
  await preserveOptOuts(tx, edits, author)
  await updateLeads(tx, edits, now)
  const reworded = edits.filter(
    ({ before, after }) => after.title !== before.title || after.description !== before.description,
  )
  await updateNoAgencies(
    tx,
    reworded.map(({ after }) => after),
  )
  await emitLeadUpdates(
    tx,
    edits.map(({ update }) => update),
    author,
  )
  return results
}

/** Returns a function that checks an edit against other leads and erased people: the 409, or null if it is allowed. */
async function createEditChecks(tx: Tx, changes: LeadEdit[], country: string) {
  const holders = await findLeadsByExternalId(
    tx,
    changes.flatMap(({ input }) => input.externalId ?? []),
  )
  const toIdentifierValues = (input: LeadInput) =>
    input.contact ? parseInputIdentifiers(input, country).map(({ value }) => value) : []
  const erased = await findErased(
    tx,
    changes.flatMap(({ input }) => toIdentifierValues(input)),
  )
  return ({ leadId, input }: LeadEdit): Problem | null => {
    const holder = input.externalId ? (holders.get(input.externalId) ?? leadId) : leadId
    if (holder !== leadId) return createLeadExists(holder)
    return toIdentifierValues(input).some(value => erased.has(value)) ? createPersonErased() : null
  }
}
