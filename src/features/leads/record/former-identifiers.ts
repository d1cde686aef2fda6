/** What leads were known by for a while and no longer are. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'

/** `values`, normalised, are what the lead has lost by its being undone that it was given them. */
export interface RevertedIdentifiers {
  leadId: string
  values: readonly string[]
}

/**
 * Notes of identifiers that leads had only by a mistake: a merge or an import that is undone. Who opted out by one of them was
 * somebody else all along, and it follows the lead nowhere; an erasure goes on looking for it. To be called when the rows of the
 * leads are written, in the same transaction. Values that a lead has not lost change nothing.
 */
export async function markIdentifiersReverted(
  tx: Tx,
  reverted: readonly RevertedIdentifiers[],
): Promise<void> {
  const pairs = reverted.flatMap(({ leadId, values }) => values.map(value => ({ lead_id: leadId, value })))
  if (pairs.length === 0) return
  await sql`
    update former_identifiers f set reverted = true
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as p (lead_id uuid, value text)
    where f.tenant_id = ${getTenantId(tx)} and f.value = p.value and f.lead_id = p.lead_id
      and not exists (select from lead_identifiers i where i.tenant_id = f.tenant_id and i.value = f.value and i.lead_id = f.lead_id)`.execute(
    tx,
  )
}
