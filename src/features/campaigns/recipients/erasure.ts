/** Erases people from campaigns. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { ErasedPeople, Traces } from '../../privacy/service.ts'
import { requestHeldUpOfOthers } from '../held-up.ts'

/** Handles `erasePersonData`: deletes the recipients of the leads, with the steps that they got. */
export async function eraseRecipients(tx: Tx, { leadIds }: ErasedPeople): Promise<Traces> {
  await requestHeldUpOfOthers(tx, leadIds)
  const { rows } = await sql<{ id: string }>`
    delete from campaign_recipients where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[])
    returning id`.execute(tx)
  return { deleted: rows.map(({ id }) => id) }
}
