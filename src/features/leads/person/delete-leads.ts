/** Deletes leads with their sources, notes and merges. Their events keep who did what and when, but no values. */

import type { Tx } from '../../../kit/db/index.ts'
import { emitMany } from '../../../kit/events/emit.ts'
import { callHook } from '../../../kit/hook.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import { findMergeTree } from '../../privacy/service.ts'
import { leadDeleted } from '../events.ts'
import { deleteMerges } from '../history/merged-leads.ts'
import { leadsDeleted } from '../hooks.ts'
import { type DeletedLead, deleteRows } from '../record/write-leads.ts'
import { redactHistory } from './redact-history.ts'

/**
 * Deletes leads, emits `lead.deleted` for each, and returns how many existed. Later erasures can't find their
 * history, so it is redacted now, together with the history of other leads from the time when they were merged with
 * these.
 */
export async function deleteLeads(tx: Tx, leadIds: string[]): Promise<number> {
  // An extraction may be adding a source to one of them.
  await lockLeadWrites(tx)
  await redactHistory(tx, await findMergeTree(tx, leadIds))
  return deleteLeadRecords(tx, leadIds)
}

/**
 * Deletes leads but does not redact their events: the caller does that. Call this after `lockLeadWrites`.
 * `identifiers`: of erased people; `lead.deleted` omits an external id that contains one of them or the name; null:
 * nobody is erased.
 */
export async function deleteLeadRecords(
  tx: Tx,
  leadIds: string[],
  identifiers: string[] | null = null,
): Promise<number> {
  await callHook(tx, leadsDeleted, leadIds)
  const rows = await deleteRows(tx, leadIds)
  await deleteMerges(tx, leadIds)
  const toReportedExternalId = ({ externalId, name }: DeletedLead) =>
    externalId !== null && identifiers && containsAny(externalId, [...identifiers, name ?? ''])
      ? null
      : externalId
  await emitMany(
    tx,
    leadDeleted,
    rows.map(row => ({ leadId: row.leadId, externalId: toReportedExternalId(row), mergedIntoLeadId: null })),
  )
  return rows.length
}

/** True if the id contains one of these words in any notation: `marta.soler`, `612-345-678`. */
function containsAny(externalId: string, words: string[]): boolean {
  const id = toLettersAndDigits(externalId)
  return words.some(word => {
    const compact = /^\+\d+$/.test(word) ? word.slice(-nationalNumberDigits) : toLettersAndDigits(word)
    return compact.length < minWordLength ? compact !== '' && id === compact : id.includes(compact)
  })
}

/** Shorter names occur in many unrelated words: they must match as a whole. */
const minWordLength = 5

/** The last nine digits identify a phone number, with or without its country code. */
const nationalNumberDigits = 9

function toLettersAndDigits(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
}
