/**
 * Finds recipients who share the identity by which the account of a campaign writes, such as the address of a family. The inbox has one
 * conversation with them. It is looked at before each message: the account and the leads may change after they have joined, and between
 * two messages.
 */
import { sql } from 'kysely'
import type { Channel } from '../../../domain/contactability/facts.ts'
import { getNow, subtractDays } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import { inAnotherCampaign, type Reason, samePerson, takenOut } from './reasons.ts'

export interface CheckedRecipient {
  id: string
  leadId: string | null
  /** Null: nobody has written to them yet. */
  lastSentAt: Date | null
}

interface FoundPerson {
  id: string
  identities: string[]
  isTakenOut: boolean
  inOther: boolean
  isWritten: boolean
}

/**
 * Returns a function that finds those who must not be written to, with the reason. It remembers those for whom it found none: call it
 * in the order in which they are sent to. Of two who have both got a message, the one who joined first goes on. `isStrict`: so does one
 * who waits for the first message, except in a draft, which may never start.
 */
export function createConflictCheck(
  tx: Tx,
  campaign: Pick<CampaignRow, 'id' | 'settings'>,
  channel: Channel,
  { isStrict = false }: { isStrict?: boolean } = {},
): (recipients: readonly CheckedRecipient[]) => Promise<Map<string, Reason>> {
  const seen = new Set<string>()
  return async recipients => {
    const people = await findPeople(tx, campaign, { channel, isStrict }, recipients)
    const conflicts = new Map<string, Reason>()
    for (const { id } of recipients) {
      const person = people.get(id)
      if (!person) continue
      const conflict = toConflict(person, seen)
      if (conflict) conflicts.set(id, conflict)
      else for (const identity of person.identities) seen.add(identity)
    }
    return conflicts
  }
}

function toConflict(person: FoundPerson, seen: Set<string>): Reason | null {
  if (person.isTakenOut) return takenOut
  if (person.inOther) return inAnotherCampaign
  return person.isWritten || person.identities.some(identity => seen.has(identity)) ? samePerson : null
}

/** The statement looks up each identity by the index: `offset 0` keeps the planner from reading all recipients. */
async function findPeople(
  tx: Tx,
  { id: campaignId, settings: { reentryAfterDays } }: Pick<CampaignRow, 'id' | 'settings'>,
  { channel, isStrict }: { channel: Channel; isStrict: boolean },
  recipients: readonly CheckedRecipient[],
): Promise<Map<string, FoundPerson>> {
  if (recipients.length === 0) return new Map()
  const tenantId = getTenantId(tx)
  const reentryBefore = reentryAfterDays === null ? null : subtractDays(getNow(tx), reentryAfterDays)
  const isHeldByWaiting = sql`r.status = 'waiting' and exists (
    select from campaigns c where c.tenant_id = ${tenantId} and c.id = r.campaign_id and c.status <> 'draft')`
  const isOfChannel = sql`(i.value like '%@%' and i.value !~ '^[a-z][a-z0-9_-]*:') = ${channel === 'email'}`
  const { rows } = await sql<FoundPerson>`
    select g.id, array_agg(distinct own.phone_or_value) as identities,
      coalesce(bool_or(o.is_own and o.code = ${takenOut.code}), false) as "isTakenOut",
      coalesce(bool_or(not o.is_own), false) as "inOther",
      coalesce(bool_or(o.is_own and o.code is distinct from ${takenOut.code}), false) as "isWritten"
    from unnest(${recipients.map(({ id }) => id)}::uuid[], ${recipients.map(({ leadId }) => leadId)}::uuid[],
        ${recipients.map(({ lastSentAt }) => lastSentAt === null)}::boolean[]) as g (id, lead_id, is_start)
    cross join lateral (
      select regexp_replace(i.value, '^whatsapp:', '+') as phone_or_value from lead_identifiers i
      where i.tenant_id = ${tenantId} and i.lead_id = g.lead_id and ${isOfChannel} offset 0) own
    left join lateral (
      select r.campaign_id = ${campaignId} as is_own, r.reason ->> 'code' as code
      from (
        select s.lead_id from lead_identifiers s
        where s.tenant_id = ${tenantId} and s.value = any(array[own.phone_or_value, regexp_replace(own.phone_or_value, '^\\+', 'whatsapp:')])
          and s.lead_id <> g.lead_id offset 0) s
      cross join lateral (
        select * from campaign_recipients r where r.tenant_id = ${tenantId} and r.lead_id = s.lead_id offset 0) r
      where r.status in ('planned', 'queued') or ${isStrict ? isHeldByWaiting : sql`false`} or r.last_sent_at is not null and r.status = 'waiting' and (g.is_start or r.id < g.id)
        or r.campaign_id = ${campaignId} and (
            r.last_sent_at is not null and (g.is_start or r.status = 'completed')
            or r.status = 'stopped' and r.reason ->> 'code' = ${takenOut.code})
          and (r.ended_at <= ${reentryBefore}::timestamptz) is not true) o on true
    group by g.id`.execute(tx)
  return new Map(rows.map(row => [row.id, row]))
}
