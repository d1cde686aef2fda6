/** Leads of people who write: found by their identifiers, or created. */
import type { Identifier } from '../../../domain/contact/identifiers.ts'
import type { Channel } from '../../../domain/contactability/facts.ts'
import { createId, getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { emit } from '../../../kit/events/emit.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import { preserveOptOuts } from '../contact/preserve-opt-outs.ts'
import { leadCreated, leadReplied } from '../events.ts'
import { emitLeadUpdates } from '../record/emit-updates.ts'
import { toIdentifiers } from '../record/index-leads.ts'
import { toFieldChanges } from '../record/lead-fields.ts'
import { changesBetween, lockRows } from '../record/lead-row.ts'
import { recordBases, recordReplyTime, updateLeads } from '../record/write-leads.ts'
import { saveLeads } from '../writing/save-leads.ts'

const noAuthor = { keyId: null, userId: null }

/**
 * The lead of a person with one of these identifiers; null: there is none. If the person has several, the one that was
 * contacted or replied last.
 */
export async function findLeadByIdentifiers(
  tx: Tx,
  identifiers: readonly Identifier[],
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select l.id from (
      select distinct lead_id from lead_identifiers
      where tenant_id = ${getTenantId(tx)} and value = any(${identifiers.map(({ value }) => value)}::text[])) found
    join leads l on l.tenant_id = ${getTenantId(tx)} and l.id = found.lead_id
    order by greatest(l.last_contacted_at, l.last_reply_at) desc nulls last, l.id desc limit 1`.execute(tx)
  return rows[0]?.id ?? null
}

export interface InboundPerson {
  /** As the provider shows it; null: unknown. */
  name: string | null
  identifiers: readonly Identifier[]
  /** The person asked through this channel, which is a lawful basis. */
  channel: Channel
  /** The evidence of that. */
  proof: string
}

export type NoLeadReason = 'PERSON_ERASED' | 'QUOTA_EXCEEDED'

/** Creates the lead of a person who wrote, and emits `lead.created`. Counts towards `maxLeadsPerMonth`. */
export async function createInboundLead(
  tx: Tx,
  { name, identifiers, channel, proof }: InboundPerson,
): Promise<{ leadId: string } | { leadId: null; reason: NoLeadReason }> {
  const pick = (kind: Identifier['kind']) =>
    identifiers.flatMap(identifier => (identifier.kind === kind ? identifier.value : []))
  const contact = { name, phones: pick('phone'), emails: pick('email'), otherIdentifiers: pick('chat') }
  const [saved] = await saveLeads(
    tx,
    { platform: 'inbound', importId: null, campaignId: null },
    [{ contact, sourceRecordId: null, generatedSourceId: createId(tx) }],
    { onMatch: 'skip', areIdsTrusted: true },
  )
  if (saved!.result !== 'created')
    return saved!.leadId === null
      ? { leadId: null, reason: wasErased(saved!) ? 'PERSON_ERASED' : 'QUOTA_EXCEEDED' }
      : { leadId: saved!.leadId }
  const { leadId } = saved!
  await recordBases(tx, [
    { leadId, kind: 'contract', at: null, proof, channels: [channel], by: null, isNew: true },
  ])
  await emit(tx, leadCreated, { leadId, platform: 'inbound', ...noAuthor })
  return { leadId }
}

const wasErased = (saved: object) => 'reason' in saved && saved.reason === 'SUPPRESSED'

/**
 * Records that the person wrote. A lead that is new or was contacted has replied. `isReply`: emits `lead.replied`. Call
 * this after `lockLeadWrites`.
 */
export async function recordReply(
  tx: Tx,
  leadId: string,
  {
    at,
    isReply,
    ...reply
  }: {
    at: Date
    isReply: boolean
    conversationId: string
    messageId: string
    accountId: string
    channel: Channel
  },
): Promise<void> {
  await recordReplyTime(tx, leadId, at)
  if (isReply) await emit(tx, leadReplied, { leadId, ...reply })
}

/** Adds identifiers that the person used to the lead, and emits `lead.updated` if there are new ones. */
export async function addIdentifiers(
  tx: Tx,
  leadId: string,
  identifiers: readonly Identifier[],
): Promise<void> {
  await lockLeadWrites(tx)
  const before = (await lockRows(tx, [leadId])).get(leadId)?.row
  if (!before) return
  const known = toIdentifiers(before)
  const added = identifiers.flatMap(({ value }) => (known.includes(value) ? [] : value))
  const room = identifiersMax - known.length
  if (added.length === 0 || room <= 0) return
  const after = {
    ...before,
    identifiers: [...(before.identifiers as string[]), ...new Set(added.slice(0, room))],
  }
  await preserveOptOuts(tx, [{ before, after }], noAuthor)
  await updateLeads(tx, [{ before, after }], getNow(tx))
  const changes = toFieldChanges(changesBetween(before, after))
  await emitLeadUpdates(tx, [{ leadId, cause: 'edited', changes }])
}

/** A person has few; a hostile sender could bring any number. */
const identifiersMax = 50
