/**
 * Leads that are deleted, by whomever: the record goes, with its sources, notes and merges. Of its history who did what when
 * stays, and no words.
 */
import { sql } from 'kysely'
import type { Tx } from '../../../kit/db/index.ts'
import { emitMany } from '../../../kit/event.ts'
import { leadDeleted } from '../events.ts'
import { forgetMerges } from '../history/family.ts'
import { takeTurn } from '../record/writer.ts'
import { emptyHistory, findFamily } from './erasure-history.ts'

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

/** Does so and leaves the events as they are, for who has seen to those. To be asked after `takeTurn`. */
export async function removeLeads(tx: Tx, leadIds: string[]): Promise<number> {
  const { rows } = await sql<{ leadId: string }>`
    delete from leads where id = any(${leadIds}::uuid[]) returning id as "leadId"`.execute(tx)
  await forgetMerges(tx, leadIds)
  await emitMany(
    tx,
    leadDeleted,
    rows.map(({ leadId }) => ({ leadId, mergedIntoLeadId: null })),
  )
  return rows.length
}
