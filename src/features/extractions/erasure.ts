/** Erases a person from the records of extractions. */
import { sql } from 'kysely'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import type { ErasedPeople, Traces } from '../privacy/service.ts'

/** Handles `erasePersonData`: deletes the processed listings of the leads. The counters of the extractions stay correct. */
export async function erasePeopleFromExtractions(tx: Tx, { leadIds }: ErasedPeople): Promise<Traces> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ id: string }>`
    select distinct id from (
      select extraction_id as id from lead_sources where tenant_id = ${tenantId} and lead_id = any(${leadIds}::uuid[])
      union all
      select extraction_id from extraction_listings where tenant_id = ${tenantId} and lead_id = any(${leadIds}::uuid[])) met
    where id is not null`.execute(tx)
  await sql`
    delete from extraction_listings where tenant_id = ${tenantId} and lead_id = any(${leadIds}::uuid[])`.execute(
    tx,
  )
  return { referenced: rows.map(({ id }) => id) }
}
