/** The addresses that get digests: erasure of a person. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { ErasedPeople, Traces } from '../../privacy/service.ts'
import { revokeShares } from '../../shares/service.ts'
import { digestKind } from '../campaigns/search-state.ts'

/** Handles `erasePersonData`: deletes the subscribers with these addresses, and with them their e-mails and links. */
export async function eraseSubscribers(tx: Tx, { identifiers }: ErasedPeople): Promise<Traces> {
  const { rows } = await sql<{ id: string }>`
    delete from campaign_subscribers
    where tenant_id = ${getTenantId(tx)} and email = any(${identifiers}::text[]) returning id`.execute(tx)
  const ids = rows.map(({ id }) => id)
  await revokeShares(tx, digestKind, ids)
  return { deleted: ids }
}
