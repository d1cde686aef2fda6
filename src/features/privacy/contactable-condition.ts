/**
 * The decision of `decideContactability` as a condition in SQL, because the list of leads filters by it in the
 * database. A test proves that both are the same.
 */
import { sql } from 'kysely'
import { sqlNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { identifierKinds, lastNoteAt } from './contactability.ts'
import { retentionMonths } from './settings.ts'
import { hashesOfLead, hasSuppressions } from './suppression-list.ts'

/**
 * SQL: a valid basis is recorded. The cheapest condition, which excludes most leads: those from portals have no
 * basis.
 */
const hasBasis = (
  tx: Tx,
) => sql`l.lawful_basis is not null and l.lawful_basis_at <= ${sqlNow(tx)} and l.status <> 'discarded'
  and (l.lawful_basis_expires_at is null or l.lawful_basis_expires_at > ${sqlNow(tx)})
  and (l.lawful_basis <> 'consent' or l.lawful_basis_proof is not null)`

/**
 * SQL: the channels that the basis covers and that an identifier reaches. A chat can be started with a phone number.
 */
const channels = `(
  select array(
    select channel from (values ('chat', '[pc]'), ('phone', 'p'), ('email', 'e')) known (channel, letters)
    where one.letters ~ known.letters and channel = any(coalesce(l.lawful_basis_channels,
      case when l.lawful_basis = 'legitimate_interest' then '{phone}'::text[] else '{chat,phone,email}' end)))
  from (select ${identifierKinds} as letters) one)`

/**
 * SQL: a listing says that agencies should not call. Counts listings that are not withdrawn, or all if every one is
 * withdrawn. Most leads have no such listing, which is checked first.
 */
const noAgencies = (tx: Tx) => sql`case
  when (select true from lead_sources s where s.tenant_id = ${getTenantId(tx)} and s.lead_id = l.id and s.no_agencies limit 1) is null
  then false
  else (
    select coalesce(bool_or(s.no_agencies) filter (where s.withdrawn_at is null), bool_or(s.no_agencies))
    from lead_sources s where s.tenant_id = ${getTenantId(tx)} and s.lead_id = l.id) end`

/** SQL: the lead was won, or its retention period has not ended: the same as `computeRetentionEnd`. */
const isWithinRetention = (
  tx: Tx,
) => sql`case when l.status = 'won' or ${sql.raw(retentionMonths)} is null then true else (
  greatest(l.created_at, l.last_contacted_at, l.last_reply_at, l.status_changed_at, ${lastNoteAt(tx)},
    (select max(s.last_seen_at) from lead_sources s where s.tenant_id = ${getTenantId(tx)} and s.lead_id = l.id))
  at time zone 'UTC' + make_interval(months => ${sql.raw(retentionMonths)})) at time zone 'UTC' > ${sqlNow(tx)} end`

/**
 * SQL: the basis, the identifiers and the suppression list leave at least one channel. If the basis covers all
 * channels and the list is empty, any identifier is enough.
 */
const isReachable = (tx: Tx) => sql`case
  when l.phone is null and l.email is null and cardinality(l.identifiers) = 0 then false
  when ${hasSuppressions(tx)} is null and l.lawful_basis_channels is null and l.lawful_basis <> 'legitimate_interest' then true
  else (
    select case when cardinality(reached.channels) = 0 then false when ${hasSuppressions(tx)} is null then true else (
      select not coalesce(bool_or(s.channel is null), false)
        and not reached.channels <@ coalesce(array_agg(s.channel) filter (where s.channel is not null), '{}')
      from ${hashesOfLead(tx, 'l.id')} own
      join suppressions s on s.tenant_id = ${getTenantId(tx)} and s.hash = own.hash) end
    from (select ${sql.raw(channels)} as channels offset 0) reached) end`

const isContactable = (tx: Tx) =>
  sql`case when ${hasBasis(tx)} then ${isWithinRetention(tx)} and ${isReachable(tx)} and not (${noAgencies(tx)}) else false end`

/** SQL: the channels that the basis of a lead covers. */
const basisChannels = `coalesce(lawful_basis_channels, case when lawful_basis = 'legitimate_interest' then '{phone}'::text[] else '{chat,phone,email}' end)`
/**
 * SQL: the columns of a lead alone forbid contact, or its phone and e-mail address do not reach a covered channel.
 * The index `leads_unreachable` has the same condition. Further identifiers are not considered, so such a lead may
 * still be contactable.
 */
const isUnreachable = `(lawful_basis is null or status = 'discarded' or (lawful_basis = 'consent' and lawful_basis_proof is null)
  or ((phone is null or not ${basisChannels} && '{chat,phone}') and (email is null or not 'email' = any(${basisChannels}))))`

/**
 * SQL: the ids of all leads that may not be contacted, and of some others. Each part uses an index. Leads
 * whose retention ends within four days are included, because months differ in length.
 */
export const notContactableCandidates = (tx: Tx) => sql`
  select id from leads where tenant_id = ${getTenantId(tx)} and ${sql.raw(isUnreachable)}
  union all select id from leads where tenant_id = ${getTenantId(tx)} and lawful_basis is not null and lawful_basis_at > ${sqlNow(tx)}
  union all select id from leads where tenant_id = ${getTenantId(tx)} and lawful_basis_expires_at <= ${sqlNow(tx)}
  union all select id from leads where tenant_id = ${getTenantId(tx)} and ${sql.raw(retentionMonths)} is not null
    and created_at < ${sqlNow(tx)} - make_interval(months => ${sql.raw(retentionMonths)}, days => -4) and status <> 'won'
  union all select lead_id from lead_sources where tenant_id = ${getTenantId(tx)} and no_agencies
  union all select lead_id from suppressed_leads where tenant_id = ${getTenantId(tx)}`

/** SQL: `contactability.allowed` of a lead `l` has this value. */
export function contactableCondition(tx: Tx, allowed: boolean) {
  // The first condition selects the index of leads with a basis.
  return allowed
    ? sql<boolean>`l.lawful_basis is not null and ${isContactable(tx)}`
    : sql<boolean>`not (${isContactable(tx)})`
}
