/** The last check before a message is sent to a person. */

import { sql } from 'kysely'
import type { Identifier } from '../../domain/contact/identifiers.ts'
import { decideContactability } from '../../domain/contactability/contactability.ts'
import type { Channel, ContactFacts } from '../../domain/contactability/facts.ts'
import { getInstant } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { notFound, Problem, type ProblemType } from '../../kit/problem.ts'
import { lockLeadWrites } from '../../kit/writer.ts'
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

/**
 * Checks that the person of the lead may be contacted through the channel. Call this in the transaction that claims
 * the message. It takes the write lock of the workspace: an opt-out is committed before and counts, or comes after
 * this transaction. `leadId`: null for a person without a lead, who may only be answered.
 *
 * Returns the obligations of the message. Throws 404; 422 NOT_CONTACTABLE with the reason as a sentence.
 */
export async function assertContactable(
  tx: Tx,
  leadId: string | null,
  channel: Channel,
  { isAnswer = false, identifiers = [] }: ContactCheck = {},
): Promise<{ obligations: 'INCLUDE_NOTICE'[] }> {
  await lockLeadWrites(tx)
  const facts = leadId === null ? unknownPerson : await readLeadFacts(tx, leadId)
  const further = [...(await findSuppressions(tx, identifiers)).values()].flat()
  const { allowed, reason, message, obligations } = decideContactability(
    { ...facts, suppressions: [...facts.suppressions, ...further] },
    { now: getInstant(tx), channel, isAnswer },
  )
  if (!allowed) throw new Problem(notContactable, message!, { details: { reason: reason! } })
  return { obligations }
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

async function readLeadFacts(tx: Tx, leadId: string): Promise<ContactFacts> {
  const { rows } = await sql<{ facts: string }>`
    select ${contactFacts(tx)}::text as facts from leads l cross join lateral (
      select coalesce(bool_or(no_agencies) filter (where withdrawn_at is null), bool_or(no_agencies), false) as no_agencies,
        max(last_seen_at) as last_seen_at,
        ${sql.raw(retentionMonths)} as retention_months
      from lead_sources s where s.tenant_id = ${getTenantId(tx)} and s.lead_id = l.id) source_summary
    where l.tenant_id = ${getTenantId(tx)} and l.id = ${leadId}`.execute(tx)
  if (!rows[0]) throw notFound('lead')
  return readFacts(JSON.parse(rows[0].facts)).facts
}
