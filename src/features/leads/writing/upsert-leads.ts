/** Creates or updates many leads by their external ids. */

import type { Caller } from '../../../kit/auth.ts'
import { createId } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { IfMatch } from '../../../kit/etag.ts'
import { emitMany } from '../../../kit/events/emit.ts'
import { type InputError, Problem, throwIfInvalid } from '../../../kit/problem.ts'
import { createQuotaExceeded } from '../../../kit/quota.ts'
import { lockLeadWrites, readAuthor } from '../../../kit/writer.ts'
import { leadCreated } from '../events.ts'
import { findMergedByExternalId } from '../history/merged-leads.ts'
import { leadsPerMonth } from '../quotas.ts'
import { createPersonErased } from '../record/erased-people.ts'
import type { LeadInput } from '../record/lead-input.ts'
import { applyInputs, createLeadExists } from './apply-inputs.ts'
import type { BatchLead } from './input-schemas.ts'
import { findLeadsByExternalId } from './lead-candidates.ts'
import { getWorkspaceFacts, toInput, validateLeads } from './read-input.ts'
import { type SavedLead, saveLeads } from './save-leads.ts'

export type Upserted =
  | { result: 'created' | 'updated' | 'unchanged'; leadId: string }
  | { result: 'failed'; problem: Problem }

interface Item {
  index: number
  input: LeadInput
  /** The lead that it names; null: to be created, unless a lead of the same person and property exists. */
  leadId: string | null
}

/**
 * Writes each lead on its own and returns one result for each, in order. The lead with its `id` or `externalId` is
 * updated; if there is none, a lead of the same person and property without an external id gets this one and is
 * updated; otherwise a lead is created. With `ifMatch`, no lead is created. Throws 412 PRECONDITION_FAILED.
 */
export async function upsertLeads(
  tx: Tx,
  leads: BatchLead[],
  { caller, ifMatch = null }: { caller: Caller; ifMatch?: IfMatch | null },
): Promise<Upserted[]> {
  await lockLeadWrites(tx)
  const outcomes: Upserted[] = new Array(leads.length)
  const fail = (index: number, problem: Problem) => {
    outcomes[index] = { result: 'failed', problem }
  }
  const items = await readItems(tx, leads, fail)
  const author = await readAuthor(tx, caller)
  const newItems = items.filter(({ leadId }) => leadId === null)
  const namedLeadIds = new Set(items.map(({ leadId }) => leadId))
  if (newItems.length > 0 && ifMatch !== null)
    throw new Problem(
      'PRECONDITION_FAILED',
      'There is no lead with this external id. Without If-Match, the lead is created.',
    )
  const adopted: Item[] = []
  const created: string[] = []
  const saved = await saveNewItems(tx, newItems)
  for (const [position, one] of saved.entries()) {
    const item = newItems[position]!
    if (one.result === 'created') {
      created.push(one.leadId)
      outcomes[item.index] = { result: 'created', leadId: one.leadId }
    } else if (isAdoptable(one, item) && !namedLeadIds.has(one.leadId))
      adopted.push({ ...item, leadId: one.leadId })
    else fail(item.index, await explainRefusal(tx, one))
  }
  await emitMany(
    tx,
    leadCreated,
    created.map(leadId => ({ leadId, platform: 'api', ...author })),
  )
  const existingItems = [...items.filter(({ leadId }) => leadId !== null), ...adopted]
  const changes = existingItems.map(({ leadId, input }) => ({ leadId: leadId!, input }))
  for (const [position, result] of (await applyInputs(tx, changes, { author, ifMatch })).entries()) {
    const { index, leadId } = existingItems[position]!
    if (result instanceof Problem) fail(index, result)
    else outcomes[index] = { result, leadId: leadId! }
  }
  return outcomes
}

const duplicateError: InputError = {
  path: '/externalId',
  code: 'DUPLICATE_IN_BATCH',
  message: 'The batch contains this lead twice. Send each lead once.',
}

/** Finds the lead that each one names. A lead fails if it is not valid, names a merged lead or occurs twice. */
async function readItems(
  tx: Tx,
  leads: BatchLead[],
  fail: (index: number, problem: Problem) => void,
): Promise<Item[]> {
  const errorsByIndex = await validateLeads(leads, await getWorkspaceFacts(tx, leads))
  const externalIds = leads.flatMap(({ externalId }) => externalId ?? [])
  const holders = await findLeadsByExternalId(tx, externalIds)
  const merged = await findMergedByExternalId(
    tx,
    externalIds.filter(externalId => !holders.has(externalId)),
  )
  const seen = new Set<string>()
  return leads.flatMap(({ id, ...lead }, index): Item[] => {
    try {
      const { externalId } = lead
      const errors = errorsByIndex[index]!
      const holder = externalId ? (holders.get(externalId) ?? null) : null
      const mergedIntoId = externalId && !id ? merged.get(externalId) : undefined
      if (mergedIntoId !== undefined) throw createLeadExists(mergedIntoId)
      const leadId = id?.toLowerCase() ?? holder
      const names = [leadId, externalId && `external ${externalId}`].filter(name => !!name) as string[]
      if (names.some(name => seen.has(name))) errors.push(duplicateError)
      throwIfInvalid(errors)
      for (const name of names) seen.add(name)
      return [{ index, input: toInput(lead), leadId }]
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      fail(index, error)
      return []
    }
  })
}

async function saveNewItems(tx: Tx, newItems: Item[]): Promise<SavedLead[]> {
  return saveLeads(
    tx,
    { platform: 'api', importId: null, campaignId: null },
    newItems.map(({ input }) => ({
      ...input,
      sourceRecordId: input.externalId ?? null,
      generatedSourceId: createId(tx),
    })),
    { onMatch: 'skip', areIdsTrusted: true, distinguishesExternalIds: true },
  )
}

/** The existing lead was found by person and property and has no external id: it can take the one of the item. */
function isAdoptable(saved: SavedLead, { input }: Item): saved is SavedLead & { leadId: string } {
  return (
    saved.result === 'skipped' &&
    saved.reason === 'LEAD_EXISTS' &&
    saved.leadId !== null &&
    !saved.hasExternalId &&
    !!input.externalId
  )
}

/** The error for a lead that was not saved. */
export async function explainRefusal(tx: Tx, saved: SavedLead): Promise<Problem> {
  if (saved.result === 'skipped' && saved.reason === 'SUPPRESSED') return createPersonErased()
  return saved.leadId === null ? createQuotaExceeded(tx, leadsPerMonth) : createLeadExists(saved.leadId)
}
