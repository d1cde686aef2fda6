/** Identifiers that leads had and no longer have. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'

export interface FormerIdentifiers {
  leadId: string
  /** Normalised identifiers that the lead has lost. */
  values: readonly string[]
}

/**
 * Marks identifiers that leads had only by mistake, because of a merge or an import that is undone. An opt-out with
 * such an identifier came from somebody else and does not apply to the lead; erasures still search for it. Call this
 * after the rows of the leads are written, in the same transaction. Values that a lead still has are ignored.
 */
export async function markIdentifiersReverted(tx: Tx, reverted: readonly FormerIdentifiers[]): Promise<void> {
  const pairs = toPairs(reverted)
  if (pairs.length === 0) return
  await sql`
    update former_identifiers f set reverted = true
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as p (lead_id uuid, value text)
    where f.tenant_id = ${getTenantId(tx)} and f.value = p.value and f.lead_id = p.lead_id
      and not exists (select from lead_identifiers i where i.tenant_id = f.tenant_id and i.value = f.value and i.lead_id = f.lead_id)`.execute(
    tx,
  )
}

/**
 * Forgets that a lead had identifiers which belong to somebody else now: what becomes of that person does not concern it. Call
 * this after the opt-outs with them have been preserved.
 */
export async function forgetFormerIdentifiers(
  tx: Tx,
  forgotten: readonly FormerIdentifiers[],
): Promise<void> {
  const pairs = toPairs(forgotten)
  if (pairs.length === 0) return
  await sql`
    delete from former_identifiers f
    using jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as p (lead_id uuid, value text)
    where f.tenant_id = ${getTenantId(tx)} and f.value = p.value and f.lead_id = p.lead_id`.execute(tx)
}

const toPairs = (identifiers: readonly FormerIdentifiers[]) =>
  identifiers.flatMap(({ leadId, values }) => values.map(value => ({ lead_id: leadId, value })))
