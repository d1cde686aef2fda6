/** The last check before a message is sent to a person. */

import { sql } from 'kysely'
import { decideContactability } from '../../domain/contactability/contactability.ts'
import type { Channel } from '../../domain/contactability/facts.ts'
import { getInstant } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { notFound, Problem, type ProblemType } from '../../kit/problem.ts'
import { lockLeadWrites } from '../../kit/writer.ts'
import { contactFacts, readFacts } from './contactability.ts'
import { retentionMonths } from './settings.ts'

export const notContactable: ProblemType = {
  code: 'NOT_CONTACTABLE',
  status: 422,
  meaning: 'The person may not be contacted through the channel.',
  action:
    'See the message and `contactability` of the lead: record a lawful basis, or choose another channel.',
  example: 'No lawful basis for contacting this person is recorded.',
}

/**
 * Checks that the person of the lead may be contacted through the channel. Call this in the transaction that claims
 * the message. It takes the write lock of the workspace: an opt-out is committed before and counts, or comes after
 * this transaction.
 *
 * Returns the obligations of the message. Throws 404; 422 NOT_CONTACTABLE with the reason as a sentence.
 */
export async function assertContactable(
  tx: Tx,
  leadId: string,
  channel: Channel,
): Promise<{ obligations: 'INCLUDE_NOTICE'[] }> {
  await lockLeadWrites(tx)
  const { rows } = await sql<{ facts: string }>`
    select ${contactFacts(tx)}::text as facts from leads l cross join lateral (
      select coalesce(bool_or(no_agencies) filter (where withdrawn_at is null), bool_or(no_agencies), false) as no_agencies,
        max(last_seen_at) as last_seen_at,
        ${sql.raw(retentionMonths)} as retention_months
      from lead_sources s where s.tenant_id = ${getTenantId(tx)} and s.lead_id = l.id) source_summary
    where l.tenant_id = ${getTenantId(tx)} and l.id = ${leadId}`.execute(tx)
  if (!rows[0]) throw notFound('lead')
  const { facts } = readFacts(JSON.parse(rows[0].facts))
  const { allowed, message, obligations } = decideContactability(facts, {
    now: getInstant(tx),
    channel,
  })
  if (!allowed) throw new Problem(notContactable, message!)
  return { obligations }
}
