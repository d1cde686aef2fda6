/** Leads that are deleted: the record goes, and with it its sources and notes, and what its history says of it. */
import { sql } from 'kysely'
import type { Tx } from '../../../kit/db/index.ts'
import { emitMany } from '../../../kit/event.ts'
import { leadDeleted } from '../events.ts'
import { forgetMerges } from '../history/family.ts'
import { takeTurn } from '../record/writer.ts'
import { emptyHistory, findFamily } from './erasure-history.ts'

/** Tells `lead.deleted` of each. Nobody can find their history any more, so it is emptied. Returns how many there were. */
export async function deleteLeads(tx: Tx, leadIds: string[]): Promise<number> {
  // An extraction may be about to give one of them another source.
  await takeTurn(tx)
  await emptyHistory(tx, await findFamily(tx, leadIds))
  return removeLeads(tx, leadIds)
}

/** Does so where their history has been seen to. To be asked after `takeTurn`. */
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
