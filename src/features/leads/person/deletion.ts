/**
 * Leads that are deleted, by whomever: the record goes, with its sources, notes and merges. Of its history who did what when
 * stays, and no words.
 */

import type { Tx } from '../../../kit/db/index.ts'
import { emitMany } from '../../../kit/events/emit.ts'
import { callHook } from '../../../kit/hook.ts'
import { takeTurn } from '../../../kit/writer.ts'
import { findFamily } from '../../privacy/service.ts'
import { leadDeleted } from '../events.ts'
import { forgetMerges } from '../history/family.ts'
import { leadsDeleted } from '../hooks.ts'
import { type DeletedLead, deleteRows } from '../record/write-leads.ts'
import { emptyHistory } from './erasure-history.ts'

/**
 * Deletes them, and tells `lead.deleted` of each. No erasure finds their history any more, so it is emptied now, and so is what
 * was told of others while they were one with these. Returns how many there were.
 */
export async function deleteLeads(tx: Tx, leadIds: string[]): Promise<number> {
  // An extraction may be about to give one of them another source.
  await takeTurn(tx)
  await emptyHistory(tx, await findFamily(tx, leadIds))
  return removeLeads(tx, leadIds)
}

/**
 * Does so and leaves the events as they are, for who has seen to those. To be asked after `takeTurn`. `identifiers`: of people who
 * are erased; an external id that holds one, or their name, is left out.
 */
export async function removeLeads(
  tx: Tx,
  leadIds: string[],
  identifiers: string[] | null = null,
): Promise<number> {
  await callHook(tx, leadsDeleted, leadIds)
  const rows = await deleteRows(tx, leadIds)
  await forgetMerges(tx, leadIds)
  const externalIdOf = ({ externalId, name }: DeletedLead) =>
    externalId !== null && identifiers && holdsAny(externalId, [...identifiers, name ?? ''])
      ? null
      : externalId
  await emitMany(
    tx,
    leadDeleted,
    rows.map(row => ({ leadId: row.leadId, externalId: externalIdOf(row), mergedIntoLeadId: null })),
  )
  return rows.length
}

/** Whether the id is made of one of these words, however it is written: `marta.soler`, `612-345-678`. */
function holdsAny(externalId: string, words: string[]): boolean {
  const id = lettersOf(externalId)
  return words.some(word => {
    const letters = /^\+\d+$/.test(word) ? word.slice(-nationalDigits) : lettersOf(word)
    return letters.length < partMin ? letters !== '' && id === letters : id.includes(letters)
  })
}

/** A shorter name stands in many words that have nothing to do with it. */
const partMin = 5

/** So many digits of a telephone tell whose it is, with its country or without. */
const nationalDigits = 9

function lettersOf(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
}
