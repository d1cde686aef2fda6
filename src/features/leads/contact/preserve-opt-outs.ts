/** Opt-outs of leads: a change of their identifiers takes none away, and each is an event. */
import { sql } from 'kysely'
import type { Channel } from '../../../domain/contactability/facts.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { hashIdentifiers } from '../../../kit/db/hash-identifiers.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { emitMany } from '../../../kit/events/emit.ts'
import type { Author } from '../../../kit/writer.ts'
import { isProfessional, optOut, toIdentifier } from '../../privacy/service.ts'
import { leadOptedOut } from '../events.ts'
import type { LeadRow } from '../record/lead-row.ts'

/** Handles `peopleOptedOut`. */
export async function emitOptedOut(
  tx: Tx,
  { leadIds, channel, author }: { leadIds: string[]; channel: Channel | null; author: Author },
): Promise<void> {
  const { keyId, userId } = author
  await emitMany(
    tx,
    leadOptedOut,
    leadIds.map(leadId => ({ leadId, channel, keyId, userId })),
  )
}

/** A lead whose row is about to be changed. */
export interface RowChange {
  before: LeadRow
  after: LeadRow
}

/**
 * To be asked before people's leads are given other identifiers. If one goes, or went before, by which they had opted out by
 * then, what the lead is known by from now on is opted out as well: a telephone that is taken away would take the opt-out along.
 * Not if it had come by a merge or an import that was undone: it was somebody else's.
 */
export async function preserveOptOuts(tx: Tx, changes: RowChange[], author: Author): Promise<void> {
  const changed = changes.flatMap(({ before, after }) => {
    const [former, current] = [toIdentifiers(before), toIdentifiers(after)]
    const removed = former.filter(value => !current.includes(value))
    return removed.length === 0 && current.every(value => former.includes(value))
      ? []
      : [{ id: before.id, removed, current }]
  })
  if (changed.length === 0) return
  const removed = changed.flatMap(({ id, removed }) => removed.map(value => ({ lead_id: id, value })))
  // What goes now was the lead's own, even if it had once come by mistake.
  if (removed.length > 0)
    await sql`
      update former_identifiers f set reverted = false
      from jsonb_to_recordset(${JSON.stringify(removed)}::jsonb) as i (lead_id uuid, value text)
      where f.tenant_id = ${getTenantId(tx)} and f.value = i.value and f.lead_id = i.lead_id and f.reverted`.execute(
      tx,
    )
  const lostIds = removed.map(({ lead_id }) => lead_id)
  const lostHashes = hashIdentifiers(
    tx,
    removed.map(({ value }) => value),
  )
  const { rows } = await sql<{ leadId: string; channel: Channel | null }>`
    select distinct gone.lead_id as "leadId", s.channel
    from (
      select lead_id, hash, 'infinity'::timestamptz as until
      from unnest(${lostIds}::uuid[], ${lostHashes}::bytea[]) as i (lead_id, hash)
      union all
      select lead_id, hash, until from former_identifiers
      where tenant_id = ${getTenantId(tx)} and lead_id = any(${changed.map(({ id }) => id)}::uuid[]) and not reverted offset 0) gone
    join suppressions s on s.tenant_id = ${getTenantId(tx)} and s.hash = gone.hash and s.kind = 'opt_out' and s.created_at <= gone.until`.execute(
    tx,
  )
  const identifiersByLead = new Map(changed.map(one => [one.id, one.current]))
  for (const { leadId, channel } of rows) {
    const { rows: personal } = await sql<{ value: string }>`
      select given.value from unnest(${identifiersByLead.get(leadId)!}::text[]) given (value)
      where not ${isProfessional(tx, sql`given.value`)}`.execute(tx)
    const identifiers = personal.map(({ value }) => toIdentifier(value))
    await optOut(tx, identifiers, { channel, note: null }, author)
  }
}

function toIdentifiers({ phone, email, identifiers }: LeadRow): string[] {
  return [phone, email, ...(identifiers as string[])].filter(value => value !== null) as string[]
}
