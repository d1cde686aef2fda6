/** The last check before a message is sent to a person. */
import { sql } from 'kysely'
import type { Identifier } from '../../domain/contact/identifiers.ts'
import { decideContactability } from '../../domain/contactability/contactability.ts'
import type { Channel, ContactFacts } from '../../domain/contactability/facts.ts'
import { getInstant } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { notFound, Problem, type ProblemType } from '../../kit/problem.ts'
import { shareLeads } from '../../kit/writer.ts'
import { contactFacts, readFacts } from './contactability.ts'
import { retentionMonths } from './settings.ts'
import { findSuppressions } from './suppression-list.ts'

export const notContactable: ProblemType = {
  code: 'NOT_CONTACTABLE',
  status: 422,
  meaning: 'The person may not be contacted through the channel.',
  action:
    'See the message and `contactability` of the lead: record a lawful basis, or choose another channel.',
  example: 'No lawful basis for contacting this person is recorded.',
}

export interface ContactCheck {
  /**
   * The message answers the person, who wrote in the same conversation lately: it needs no lawful basis. See
   * `isWithinAnswerPeriod`. Never true for a campaign.
   */
  isAnswer?: boolean
  /** Further normalised identifiers of the recipient, such as those of the conversation: their entries count too. */
  identifiers?: readonly Identifier[]
}

export interface Permission {
  obligations: 'INCLUDE_NOTICE'[]
}

/**
 * Checks that the person of the lead may be contacted through the channel. Call this in the transaction that claims
 * the message. It takes the lock of leads: an opt-out is committed before and counts, or comes after this transaction.
 * `leadId`: null for a person without a lead, who may only be answered.
 *
 * Returns the obligations of the message. Throws 404; 422 NOT_CONTACTABLE with the reason as a sentence.
 */
export async function assertContactable(
  tx: Tx,
  leadId: string | null,
  channel: Channel,
  check: ContactCheck = {},
): Promise<Permission> {
  const [result] = await checkContacts(tx, channel, [{ ...check, leadId }])
  if (result instanceof Problem) throw result
  return result!
}

type ContactOf = ContactCheck & { leadId: string | null }

/** The same for many messages. Returns for each, in their order, its obligations, or why it may not be sent. */
export async function checkContacts(
  tx: Tx,
  channel: Channel,
  checks: ContactOf[],
): Promise<(Permission | Problem)[]> {
  await shareLeads(tx)
  return previewContacts(tx, channel, checks)
}

/**
 * Like `checkContacts`, without the lock: an opt-out may follow before this transaction ends. For messages that are
 * checked again when they are sent.
 */
export async function previewContacts(
  tx: Tx,
  channel: Channel,
  checks: ContactOf[],
): Promise<(Permission | Problem)[]> {
  // They are sent at once.
  const [leads, suppressions] = await Promise.all([
    readLeadFacts(
      tx,
      checks.flatMap(({ leadId }) => leadId ?? []),
    ),
    findSuppressions(
      tx,
      checks.flatMap(({ identifiers = [] }) => identifiers),
    ),
  ])
  return checks.map(({ leadId, isAnswer = false, identifiers = [] }) => {
    const facts = leadId === null ? unknownPerson : leads.get(leadId)
    if (!facts) return notFound('lead')
    const values = new Set(identifiers.map(({ value }) => value))
    const further = [...values].flatMap(value => suppressions.get(value) ?? [])
    const { allowed, reason, message, obligations } = decideContactability(
      { ...facts, suppressions: [...facts.suppressions, ...further] },
      { now: getInstant(tx), channel, isAnswer },
    )
    return allowed ? { obligations } : new Problem(notContactable, message!, { details: { reason: reason! } })
  })
}

/** A person of whom nothing is known. */
const unknownPerson: ContactFacts = {
  identifiers: { chat: false, phone: false, email: false },
  lawfulBasis: null,
  noticeSentAt: null,
  suppressions: [],
  noAgencies: false,
  retentionEndsAt: null,
  isErased: false,
  status: 'new',
}

async function readLeadFacts(tx: Tx, leadIds: string[]): Promise<Map<string, ContactFacts>> {
  if (leadIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; facts: string }>`
    select l.id, ${contactFacts(tx)}::text as facts from leads l cross join lateral (
      select coalesce(bool_or(no_agencies) filter (where withdrawn_at is null), bool_or(no_agencies), false) as no_agencies,
        max(last_seen_at) as last_seen_at,
        ${sql.raw(retentionMonths)} as retention_months
      from lead_sources s where s.tenant_id = ${getTenantId(tx)} and s.lead_id = l.id) source_summary
    where l.tenant_id = ${getTenantId(tx)} and l.id = any(${leadIds}::uuid[])`.execute(tx)
  return new Map(rows.map(({ id, facts }) => [id, readFacts(JSON.parse(facts)).facts]))
}
