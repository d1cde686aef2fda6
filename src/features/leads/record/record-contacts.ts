/** Records that messages were sent to people. */
import type { Tx } from '../../../kit/db/index.ts'
import { emitLeadUpdates } from './emit-updates.ts'
import { recordContactTimes } from './write-leads.ts'

interface Contact {
  leadId: string
  at: Date
  /** The message contained the notice of the processing. */
  hasNotice: boolean
}

/**
 * Records that messages were sent to the people of these leads. A new lead becomes `contacted`, and emits `lead.updated`.
 * Call it after `shareLeads`.
 */
export async function recordContacts(tx: Tx, contacts: readonly Contact[]): Promise<void> {
  if (contacts.length === 0) return
  const leadIds = await recordContactTimes(tx, contacts)
  const changes = [{ field: 'status', before: 'new', after: 'contacted' }]
  await emitLeadUpdates(
    tx,
    leadIds.map(leadId => ({ leadId, cause: 'contacted', changes })),
  )
}
