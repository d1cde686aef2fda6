/** Leads that are known, changed by hand or by programs: many with few statements, each refused by itself. */
import { nowOf } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { assertVersion, type IfMatch } from '../../../kit/etag.ts'
import { Problem } from '../../../kit/problem.ts'
import { type Author, takeTurn } from '../../../kit/writer.ts'
import { findErased } from '../../privacy/service.ts'
import { findAdvertised, heedWords } from '../adverts/lead-sources.ts'
import { keepOptedOut } from '../contact/keep-opted-out.ts'
import { leadNotFound } from '../history/family.ts'
import { leadExists } from '../problems.ts'
import { withEdits } from '../record/edited-columns.ts'
import { personErasedProblem } from '../record/erased.ts'
import { getHome } from '../record/home.ts'
import { identifiersIn, type LeadDraft, layOver } from '../record/lead-draft.ts'
import { fieldChanges } from '../record/lead-fields.ts'
import { changesBetween, type LeadRow, lockRows } from '../record/lead-row.ts'
import { type LeadUpdate, tellUpdates } from '../record/lead-updates.ts'
import { updateLeads } from '../record/write-leads.ts'
import { findExternalIds } from './lead-candidates.ts'

export interface LeadChange {
  leadId: string
  draft: LeadDraft
}

export type Changed = 'updated' | 'unchanged' | Problem

/** The 409 of what is a lead already. */
export function leadExistsProblem(existingLeadId: string): Problem {
  return new Problem(leadExists, `This is the lead ${existingLeadId} already. Change that one with PATCH.`, {
    about: { existingLeadId },
  })
}

/**
 * Lays each draft over its lead, none of which comes twice, and says what became of each, in the order given. A Problem is a
 * lead that is not there, another version than `ifMatch` names, the id of another lead, or a person who was erased.
 */
export async function changeLeads(
  tx: Tx,
  changes: LeadChange[],
  { author, ifMatch }: { author: Author; ifMatch: IfMatch | null },
): Promise<Changed[]> {
  if (changes.length === 0) return []
  await takeTurn(tx)
  const home = await getHome(tx)
  const now = nowOf(tx)
  const leadIds = changes.map(({ leadId }) => leadId)
  const known = await lockRows(tx, leadIds)
  const advertised = await findAdvertised(tx, leadIds)
  const refusalOf = await createRefusals(tx, changes, home.country)
  const results: Changed[] = []
  const written: { before: LeadRow; after: LeadRow; update: LeadUpdate }[] = []
  for (const { leadId, draft } of changes) {
    const { row: before, version } = known.get(leadId) ?? {}
    if (!before || version === undefined) {
      results.push(await leadNotFound(tx, leadId))
      continue
    }
    assertVersion('lead', version, ifMatch)
    const after = withEdits(before, layOver(before, draft, home, now))
    if (after.price !== before.price && advertised.has(leadId)) after.price_history = before.price_history
    const fields = fieldChanges(changesBetween(before, after))
    const refusal = fields.length === 0 ? null : refusalOf({ leadId, draft })
    if (fields.length > 0 && refusal === null)
      written.push({ before, after, update: { leadId, cause: 'edited', changes: fields } })
    results.push(fields.length === 0 ? 'unchanged' : (refusal ?? 'updated'))
  }
  await keepOptedOut(tx, written, author)
  await updateLeads(tx, written, now)
  const reworded = written.filter(
    ({ before, after }) => after.title !== before.title || after.description !== before.description,
  )
  await heedWords(
    tx,
    reworded.map(({ after }) => after),
  )
  await tellUpdates(
    tx,
    written.map(({ update }) => update),
    author,
  )
  return results
}

/** What is against changes, but for the rows themselves. */
async function createRefusals(tx: Tx, changes: LeadChange[], country: string) {
  const holders = await findExternalIds(
    tx,
    changes.flatMap(({ draft }) => draft.externalId ?? []),
  )
  const valuesOf = (draft: LeadDraft) =>
    draft.contact ? identifiersIn(draft, country).map(({ value }) => value) : []
  const erased = await findErased(
    tx,
    changes.flatMap(({ draft }) => valuesOf(draft)),
  )
  return ({ leadId, draft }: LeadChange): Problem | null => {
    const holder = draft.externalId ? (holders.get(draft.externalId) ?? leadId) : leadId
    if (holder !== leadId) return leadExistsProblem(holder)
    return valuesOf(draft).some(value => erased.has(value)) ? personErasedProblem() : null
  }
}
