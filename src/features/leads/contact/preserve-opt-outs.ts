/** Keeps opt-outs valid when the identifiers of a lead change, and emits an event for each opt-out. */
import { sql } from 'kysely'
import type { Channel } from '../../../domain/contactability/facts.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { hashIdentifiers } from '../../../kit/db/hash-identifiers.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { emitMany } from '../../../kit/events/emit.ts'
import type { Author } from '../../../kit/writer.ts'
import { isProfessional, optOut, toIdentifier } from '../../privacy/service.ts'
import { leadOptedIn, leadOptedOut } from '../events.ts'
import type { LeadRow } from '../record/lead-row.ts'

/** Handles `peopleOptedOut`: emits `lead.opted_out` for each lead. */
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

/** Handles `peopleOptedIn`: emits `lead.opted_in` for each lead. */
export async function emitOptedIn(
  tx: Tx,
  { leadIds, channel, author }: { leadIds: string[]; channel: Channel; author: Author },
): Promise<void> {
  const { keyId, userId } = author
  await emitMany(
    tx,
    leadOptedIn,
    leadIds.map(leadId => ({ leadId, channel, keyId, userId })),
  )
}

/** The row of a lead before and after a change. */
export interface RowChange {
  before: LeadRow
  after: LeadRow
}

/**
 * Call this before the identifiers of leads change. If the person had opted out with an identifier that the lead
 * loses now, or has lost before, the new identifiers are opted out too: otherwise a change of the phone number would
 * remove the opt-out. Identifiers that came from a merge or an import and were reverted do not count: they belong to
 * somebody else.
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
  // An identifier that is removed by hand belonged to the lead, even if it had once been reverted.
  if (removed.length > 0)
    await sql`
      update former_identifiers f set reverted = false
      from jsonb_to_recordset(${JSON.stringify(removed)}::jsonb) as i (lead_id uuid, value text)
      where f.tenant_id = ${getTenantId(tx)} and f.value = i.value and f.lead_id = i.lead_id and f.reverted`.execute(
      tx,
    )
  const removedLeadIds = removed.map(({ lead_id }) => lead_id)
  const removedHashes = hashIdentifiers(
    tx,
    removed.map(({ value }) => value),
  )
  const { rows } = await sql<{ leadId: string; channel: Channel | null; requestedAt: Date }>`
    select removed.lead_id as "leadId", s.channel, max(s.requested_at) as "requestedAt"
    from (
      select lead_id, hash, 'infinity'::timestamptz as used_until
      from unnest(${removedLeadIds}::uuid[], ${removedHashes}::bytea[]) as i (lead_id, hash)
      union all
      select lead_id, hash, used_until from former_identifiers
      where tenant_id = ${getTenantId(tx)} and lead_id = any(${changed.map(({ id }) => id)}::uuid[]) and not reverted offset 0) removed
    join suppressions s on s.tenant_id = ${getTenantId(tx)} and s.hash = removed.hash and s.kind = 'opt_out' and s.created_at <= removed.used_until
    group by removed.lead_id, s.channel`.execute(tx)
  const identifiersByLead = new Map(changed.map(one => [one.id, one.current]))
  for (const { leadId, channel, requestedAt } of rows) {
    const { rows: personal } = await sql<{ value: string }>`
      select given.value from unnest(${identifiersByLead.get(leadId)!}::text[]) given (value)
      where not ${isProfessional(tx, sql`given.value`)}`.execute(tx)
    const identifiers = personal.map(({ value }) => toIdentifier(value))
    await optOut(tx, identifiers, { channel, note: null, requestedAt }, author)
  }
}

function toIdentifiers({ phone, email, identifiers }: LeadRow): string[] {
  return [phone, email, ...(identifiers as string[])].filter(value => value !== null) as string[]
}
