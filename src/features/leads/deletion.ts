/** Leads that are deleted: the record goes, and with it its sources and notes. */
import type { Tx } from '../../kit/db/index.ts'
import { emit } from '../../kit/event.ts'
import { leadDeleted } from './events.ts'
import { takeTurn } from './lead-sources.ts'

/** Tells `lead.deleted`. False: there is no such lead. */
export async function deleteLead(tx: Tx, leadId: string): Promise<boolean> {
  // An extraction may be about to give it another source.
  await takeTurn(tx)
  const result = await tx.deleteFrom('leads').where('id', '=', leadId).executeTakeFirst()
  if (result.numDeletedRows === 0n) return false
  await emit(tx, leadDeleted, { leadId })
  return true
}
