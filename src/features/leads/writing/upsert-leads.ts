/** Leads that a program writes by its own ids: created where they are unknown, changed where they are known, many at once. */

import type { Caller } from '../../../kit/auth.ts'
import { newIdIn } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { IfMatch } from '../../../kit/etag.ts'
import { emitMany } from '../../../kit/events/emit.ts'
import { type InputError, Problem, refuseIfAny } from '../../../kit/problem.ts'
import { quotaExceeded } from '../../../kit/quota.ts'
import { authorOf, takeTurn } from '../../../kit/writer.ts'
import { leadCreated } from '../events.ts'
import { findMergedByExternalId } from '../history/family.ts'
import { leadsPerMonth } from '../quotas.ts'
import { personErasedProblem } from '../record/erased.ts'
import type { LeadDraft } from '../record/lead-draft.ts'
import { changeLeads, leadExistsProblem } from './change-leads.ts'
import { findExternalIds } from './lead-candidates.ts'
import { errorsOfLeads, getWorkspace, toDraft } from './read-draft.ts'
import { type SavedDraft, saveDrafts } from './save-leads.ts'
import type { BatchLead } from './writing-schemas.ts'

export type Upserted =
  | { result: 'created' | 'updated' | 'unchanged'; leadId: string }
  | { result: 'failed'; problem: Problem }

interface Item {
  index: number
  draft: LeadDraft
  /** The lead that it names; null: it is to be created, unless its person and property are a lead. */
  leadId: string | null
}

/**
 * Writes each of these leads by itself and says what became of it, in the order given: the lead of its `id`, or that of its
 * `externalId`, is changed; one that is unknown is created. A known lead of the same person and property that has no external
 * id gets it. `ifMatch`: of a lead that is there.
 */
export async function upsertLeads(
  tx: Tx,
  leads: BatchLead[],
  { caller, ifMatch = null }: { caller: Caller; ifMatch?: IfMatch | null },
): Promise<Upserted[]> {
  await takeTurn(tx)
  const outcomes: Upserted[] = new Array(leads.length)
  const fail = (index: number, problem: Problem) => {
    outcomes[index] = { result: 'failed', problem }
  }
  const items = await readItems(tx, leads, fail)
  const author = await authorOf(tx, caller)
  const fresh = items.filter(({ leadId }) => leadId === null)
  const named = new Set(items.map(({ leadId }) => leadId))
  if (fresh.length > 0 && ifMatch !== null)
    throw new Problem('PRECONDITION_FAILED', 'There is no such lead: If-Match asks for one that is there.')
  const adopted: Item[] = []
  const created: string[] = []
  const saved = await saveFresh(tx, fresh)
  for (const [at, one] of saved.entries()) {
    const item = fresh[at]!
    if (one.result === 'created') {
      created.push(one.leadId)
      outcomes[item.index] = { result: 'created', leadId: one.leadId }
    } else if (isAdoptable(one, item) && !named.has(one.leadId)) adopted.push({ ...item, leadId: one.leadId })
    else fail(item.index, await refusalOf(tx, one))
  }
  await emitMany(
    tx,
    leadCreated,
    created.map(leadId => ({ leadId, platform: 'api', ...author })),
  )
  const known = [...items.filter(({ leadId }) => leadId !== null), ...adopted]
  const changes = known.map(({ leadId, draft }) => ({ leadId: leadId!, draft }))
  for (const [at, result] of (await changeLeads(tx, changes, { author, ifMatch })).entries()) {
    const { index, leadId } = known[at]!
    if (result instanceof Problem) fail(index, result)
    else outcomes[index] = { result, leadId: leadId! }
  }
  return outcomes
}

const repeated: InputError = {
  path: '/externalId',
  code: 'REPEATED',
  message: 'This batch has written the lead already.',
}

/** Which lead each one names. What can not be read, names the lead of another or comes twice, fails. */
async function readItems(
  tx: Tx,
  leads: BatchLead[],
  fail: (index: number, problem: Problem) => void,
): Promise<Item[]> {
  const errorsOf = await errorsOfLeads(leads, await getWorkspace(tx, leads))
  const externalIds = leads.flatMap(({ externalId }) => externalId ?? [])
  const holders = await findExternalIds(tx, externalIds)
  const merged = await findMergedByExternalId(
    tx,
    externalIds.filter(externalId => !holders.has(externalId)),
  )
  const seen = new Set<string>()
  return leads.flatMap(({ id, ...lead }, index): Item[] => {
    try {
      const { externalId } = lead
      const errors = errorsOf[index]!
      const holder = externalId ? (holders.get(externalId) ?? null) : null
      const successor = externalId && !id ? merged.get(externalId) : undefined
      if (successor !== undefined) throw leadExistsProblem(successor)
      const leadId = id?.toLowerCase() ?? holder
      const names = [leadId, externalId && `external ${externalId}`].filter(name => !!name) as string[]
      if (names.some(name => seen.has(name))) errors.push(repeated)
      refuseIfAny(errors)
      for (const name of names) seen.add(name)
      return [{ index, draft: toDraft(lead), leadId }]
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      fail(index, error)
      return []
    }
  })
}

async function saveFresh(tx: Tx, fresh: Item[]): Promise<SavedDraft[]> {
  return saveDrafts(
    tx,
    { platform: 'api', importId: null, campaignId: null },
    fresh.map(({ draft }) => ({
      ...draft,
      idAtSource: draft.externalId ?? null,
      sourceId: newIdIn(tx),
    })),
    { onMatch: 'skip', areIdsCertain: true, tellsExternalIdsApart: true },
  )
}

/** Nothing but its person and property told the known lead: it has no external id yet. */
function isAdoptable(saved: SavedDraft, { draft }: Item): saved is SavedDraft & { leadId: string } {
  return (
    saved.result === 'skipped' &&
    saved.reason === 'KNOWN' &&
    saved.leadId !== null &&
    !saved.hasExternalId &&
    !!draft.externalId
  )
}

/** Why a draft was not stored. */
export async function refusalOf(tx: Tx, saved: SavedDraft): Promise<Problem> {
  if (saved.result === 'skipped' && saved.reason === 'SUPPRESSED') return personErasedProblem()
  return saved.leadId === null ? quotaExceeded(tx, leadsPerMonth) : leadExistsProblem(saved.leadId)
}
