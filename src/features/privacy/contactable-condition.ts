/**
 * Whether the person of a lead may be contacted, as a condition in SQL: the list can't filter by what the program answers. It says
 * what `decideContactability` says; a test holds them together.
 */
import { sql } from 'kysely'
import { sqlNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { identifierKinds, lastNoteAt } from './contactability.ts'
import { retentionMonths } from './settings.ts'
import { hashesOfLead, hasSuppressions } from './suppression-list.ts'

/** What is cheap and forbids most: no basis, as for every lead read from a portal. */
const hasBasis = (
  tx: Tx,
) => sql`l.lawful_basis is not null and l.lawful_basis_at <= ${sqlNow(tx)} and l.status <> 'discarded'
  and (l.lawful_basis_expires_at is null or l.lawful_basis_expires_at > ${sqlNow(tx)})
  and (l.lawful_basis <> 'consent' or l.lawful_basis_proof is not null)`

/** The channels that the basis covers and an identifier reaches. A phone number is also where a chat is begun. */
const channels = `(
  select array(
    select channel from (values ('chat', '[pc]'), ('phone', 'p'), ('email', 'e')) known (channel, letters)
    where one.letters ~ known.letters and channel = any(coalesce(l.lawful_basis_channels,
      case when l.lawful_basis = 'legitimate_interest' then '{phone}'::text[] else '{chat,phone,email}' end)))
  from (select ${identifierKinds} as letters) one)`

/** SQL: whether a listing asks agencies to abstain: of those that stand, or of all if none does. Most leads have none that asks. */
const noAgencies = (tx: Tx) => sql`case
  when (select true from lead_sources s where s.tenant_id = ${getTenantId(tx)} and s.lead_id = l.id and s.no_agencies limit 1) is null
  then false
  else (
    select coalesce(bool_or(s.no_agencies) filter (where s.withdrawn_at is null), bool_or(s.no_agencies))
    from lead_sources s where s.tenant_id = ${getTenantId(tx)} and s.lead_id = l.id) end`

const isWithinRetention = (
  tx: Tx,
) => sql`case when l.status = 'won' or ${sql.raw(retentionMonths)} is null then true else (
  greatest(l.created_at, l.last_contacted_at, l.last_reply_at, l.status_changed_at, ${lastNoteAt(tx)},
    (select max(s.last_seen_at) from lead_sources s where s.tenant_id = ${getTenantId(tx)} and s.lead_id = l.id))
  at time zone 'UTC' + make_interval(months => ${sql.raw(retentionMonths)})) at time zone 'UTC' > ${sqlNow(tx)} end`

/** SQL: whether a channel is left by the basis, the identifiers and the suppression list. Any identifier reaches one of all channels. */
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

/** SQL: what leads of their own say against it; an index has those of whom it is so. Further identifiers are left out: their kind takes a look. */
const basisChannels = `coalesce(lawful_basis_channels, case when lawful_basis = 'legitimate_interest' then '{phone}'::text[] else '{chat,phone,email}' end)`
const isUnreachable = `(lawful_basis is null or status = 'discarded' or (lawful_basis = 'consent' and lawful_basis_proof is null)
  or ((phone is null or not ${basisChannels} && '{chat,phone}') and (email is null or not 'email' = any(${basisChannels}))))`

/**
 * SQL: the ids of all leads that may not be contacted, and of others: an index finds each. Months are of different lengths: some
 * days more than the retention are looked at.
 */
export const notContactableCandidates = (tx: Tx) => sql`
  select id from leads where tenant_id = ${getTenantId(tx)} and ${sql.raw(isUnreachable)}
  union all select id from leads where tenant_id = ${getTenantId(tx)} and lawful_basis is not null and lawful_basis_at > ${sqlNow(tx)}
  union all select id from leads where tenant_id = ${getTenantId(tx)} and lawful_basis_expires_at <= ${sqlNow(tx)}
  union all select id from leads where tenant_id = ${getTenantId(tx)} and ${sql.raw(retentionMonths)} is not null
    and created_at < ${sqlNow(tx)} - make_interval(months => ${sql.raw(retentionMonths)}, days => -4) and status <> 'won'
  union all select lead_id from lead_sources where tenant_id = ${getTenantId(tx)} and no_agencies
  union all select lead_id from suppressed_leads where tenant_id = ${getTenantId(tx)}`

/** SQL: that `contactability.allowed` of a lead `l` is so. */
export function contactableCondition(tx: Tx, allowed: boolean) {
  // Only leads with a basis have an index of their own.
  return allowed
    ? sql<boolean>`l.lawful_basis is not null and ${isContactable(tx)}`
    : sql<boolean>`not (${isContactable(tx)})`
}
