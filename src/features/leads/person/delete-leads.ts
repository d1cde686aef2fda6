/**
 * Leads that are deleted, by whomever: the record goes, with its sources, notes and merges. Of its history who did what when
 * stays, and no words.
 */

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
 * Deletes them, and tells `lead.deleted` of each. No erasure finds their history any more, so it is emptied now, and so is what
 * was told of others while they were one with these. Returns how many there were.
 */
export async function deleteLeads(tx: Tx, leadIds: string[]): Promise<number> {
  // An extraction may be about to give one of them another source.
  await lockLeadWrites(tx)
  await redactHistory(tx, await findMergeTree(tx, leadIds))
  return deleteLeadRecords(tx, leadIds)
}

/**
 * Does so and leaves the events as they are, for who has seen to those. To be asked after `lockLeadWrites`. `identifiers`: of people who
 * are erased; an external id that holds one, or their name, is left out.
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

/** Whether the id is made of one of these words, however it is written: `marta.soler`, `612-345-678`. */
function containsAny(externalId: string, words: string[]): boolean {
  const id = toLetters(externalId)
  return words.some(word => {
    const letters = /^\+\d+$/.test(word) ? word.slice(-nationalNumberDigits) : toLetters(word)
    return letters.length < minWordLength ? letters !== '' && id === letters : id.includes(letters)
  })
}

/** A shorter name stands in many words that have nothing to do with it. */
const minWordLength = 5

/** So many digits of a telephone tell whose it is, with its country or without. */
const nationalNumberDigits = 9

function toLetters(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
}
