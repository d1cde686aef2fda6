/** Deletes one lead, or erases its person. */
import type { Tx } from '../../../kit/db/index.ts'
import { assertVersion, type IfMatch } from '../../../kit/etag.ts'
import { strictObject, Type } from '../../../kit/schema.ts'
import type { Requester } from '../../../kit/writer.ts'
import { erasePeople } from '../../privacy/service.ts'
import { createLeadNotFound } from '../history/merged-leads.ts'
import { lockRows } from '../record/lead-row.ts'
import { deleteLeads } from './delete-leads.ts'

export const deletionQuery = strictObject({
  erase: Type.Boolean({
    default: false,
    description:
      'Erase the person everywhere (art. 17 GDPR): every lead with the same phone number, e-mail address or chat, and all data about them. Identifiers of an agency, or of more than 20 leads, do not lead to other leads: for an agency, only this lead is erased.',
  }),
})

interface Deletion {
  erase: boolean
  ifMatch: IfMatch | null
  requester: Requester
}

/** Call this after `lockLeadWrites`. Throws 404; 412 PRECONDITION_FAILED. */
export async function deleteLead(
  tx: Tx,
  leadId: string,
  { erase, ifMatch, requester }: Deletion,
): Promise<void> {
  const locked = (await lockRows(tx, [leadId])).get(leadId)
  if (!locked) throw await createLeadNotFound(tx, leadId)
  assertVersion('lead', locked.version, ifMatch)
  if (erase) await erasePeople(tx, [leadId], requester)
  else await deleteLeads(tx, [leadId])
}
