/** Leads of people who write or book: found by their identifiers, or created. */
import type { Identifier } from '../../../domain/contact/identifiers.ts'
import type { Channel } from '../../../domain/contactability/facts.ts'
import { createId } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { fixedPlan } from '../../../kit/db/plans.ts'
import { emitMany } from '../../../kit/events/emit.ts'
import { leadCreated, leadReplied } from '../events.ts'
import { recordBases, recordReplyTimes } from '../record/write-leads.ts'
import { saveLeads } from '../writing/save-leads.ts'

const noAuthor = { keyId: null, userId: null }

/**
 * The leads of people with these identifiers, in their order; null: there is none. If a person has several, the one that
 * was contacted or replied last.
 */
export async function findLeadsByIdentifiers(
  tx: Tx,
  people: (readonly Identifier[])[],
): Promise<(string | null)[]> {
  const given = people.flatMap((identifiers, person) => identifiers.map(({ value }) => ({ person, value })))
  const { rows } = await sql<{ person: number; id: string }>`
    ${fixedPlan} select distinct on (found.person) found.person, l.id from (
      select distinct g.person, i.lead_id
      from unnest(${given.map(({ person }) => person)}::integer[], ${given.map(({ value }) => value)}::text[]) as g (person, value)
      cross join lateral (
        select i.lead_id from lead_identifiers i where i.tenant_id = ${getTenantId(tx)} and i.value = g.value offset 0) i) found
    cross join lateral (
      select l.id, l.last_contacted_at, l.last_reply_at from leads l
      where l.tenant_id = ${getTenantId(tx)} and l.id = found.lead_id offset 0) l
    order by found.person, greatest(l.last_contacted_at, l.last_reply_at) desc nulls last, l.id desc`.execute(
    tx,
  )
  const byPerson = new Map(rows.map(({ person, id }) => [person, id]))
  return people.map((_, person) => byPerson.get(person) ?? null)
}

export interface InboundPerson {
  /** As the provider shows it, or the person wrote it; null: unknown. */
  name: string | null
  identifiers: readonly Identifier[]
  /** The person asked to be contacted through these channels, which is a lawful basis. */
  channels: readonly Channel[]
  /** The evidence of that. */
  proof: string
}

export type NoLeadReason = 'PERSON_ERASED' | 'QUOTA_EXCEEDED'

export type InboundLead = { leadId: string } | { leadId: null; reason: NoLeadReason }

/**
 * Creates the leads of people who wrote or booked and have none, whatever leads have their phone, and emits `lead.created`. They
 * count towards `maxLeadsPerMonth`. Returns a result for each person, in order.
 */
export async function createInboundLeads(
  tx: Tx,
  people: InboundPerson[],
  platform: 'inbound' | 'booking' = 'inbound',
): Promise<InboundLead[]> {
  const saved = await saveLeads(
    tx,
    { platform, importId: null, campaignId: null },
    people.map(person => ({
      contact: toContact(person),
      sourceRecordId: null,
      generatedSourceId: createId(tx),
    })),
    { onMatch: 'skip', areIdsTrusted: true, areNew: true },
  )
  const created = saved.flatMap((each, index) =>
    each.result === 'created' ? { leadId: each.leadId, ...people[index]! } : [],
  )
  const bases = created.map(({ leadId, proof, channels }) => ({
    leadId,
    kind: 'contract' as const,
    at: null,
    proof,
    channels: [...channels],
    by: null,
    isNew: true,
  }))
  // They are sent at once.
  await Promise.all([
    recordBases(tx, bases),
    emitMany(
      tx,
      leadCreated,
      created.map(({ leadId }) => ({ leadId, platform, ...noAuthor })),
    ),
  ])
  return saved.map(each =>
    each.leadId === null
      ? { leadId: null, reason: wasErased(each) ? 'PERSON_ERASED' : 'QUOTA_EXCEEDED' }
      : { leadId: each.leadId },
  )
}

function toContact({ name, identifiers }: InboundPerson) {
  const pick = (kind: Identifier['kind']) =>
    identifiers.flatMap(identifier => (identifier.kind === kind ? identifier.value : []))
  return { name, phones: pick('phone'), emails: pick('email'), otherIdentifiers: pick('chat') }
}

const wasErased = (saved: object) => 'reason' in saved && saved.reason === 'SUPPRESSED'

export interface Reply {
  leadId: string
  at: Date
  /** It emits `lead.replied`. */
  isReply: boolean
  conversationId: string
  messageId: string
  accountId: string
  channel: Channel
}

/** Records that people wrote. A lead that is new or was contacted has replied. Call this after `lockLeadWrites`. */
export async function recordReplies(tx: Tx, replies: Reply[]): Promise<void> {
  await recordReplyTimes(tx, replies)
  await emitMany(
    tx,
    leadReplied,
    replies.flatMap(({ isReply, at: _, ...reply }) => (isReply ? reply : [])),
  )
}
