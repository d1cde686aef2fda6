/** The SQL statements with which leads join a campaign. */
import { type RawBuilder, sql } from 'kysely'
import { createId, getNow, subtractDays } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { requestHeldUp } from '../held-up.ts'
import { inAnotherCampaign, joinConflicts, type Reason, samePerson, takenOut } from './reasons.ts'
import { createRepetitionCheck, type Person, recipientsOfPerson } from './same-person.ts'
import { waitsInDraft, yieldRecipients } from './yield.ts'

interface Joining {
  campaignId: string
  dueAt: Date
  /** Days after its end that a lead may join again; null: never. */
  reentryAfterDays: number | null
  /** The file by which they join; null: none. */
  importId: string | null
  /** False: a draft, to which nobody yields. */
  isStarted: boolean
}

/**
 * Adds leads that exist. Returns those that are new, join again, or are skipped because a campaign writes to the person already.
 * The transaction holds the lock of leads.
 */
export async function insertRecipients(
  tx: Tx,
  leadIds: readonly string[],
  { campaignId, dueAt, reentryAfterDays, importId, isStarted }: Joining,
): Promise<JoinedRow[]> {
  const reentryBefore = reentryAfterDays === null ? null : subtractDays(getNow(tx), reentryAfterDays)
  const joining = await findJoining(tx, leadIds, { campaignId, reentryBefore, isStarted })
  if (joining.length === 0) return []
  const ids = joining.map(() => createId(tx)).sort()
  const joined = await storeJoining(
    tx,
    { campaignId, dueAt, importId, reentryBefore },
    joining.map((lead, index) => ({ ...lead, id: ids[index]! })),
  )
  await requestHeldUp(
    tx,
    joining.flatMap(({ leadId, isHeldByDraft }) => (isHeldByDraft ? leadId : [])),
  )
  return joined
}

async function storeJoining(
  tx: Tx,
  {
    campaignId,
    dueAt,
    importId,
    reentryBefore,
  }: Pick<Joining, 'campaignId' | 'dueAt' | 'importId'> & { reentryBefore: Date | null },
  joining: readonly (JoiningLead & { id: string })[],
): Promise<JoinedRow[]> {
  const tenantId = getTenantId(tx)
  const now = getNow(tx)
  const records = joining.map(({ id, leadId, conflict }) => ({
    id,
    lead_id: leadId,
    status: conflict ? 'skipped' : 'waiting',
    due_at: conflict ? null : dueAt,
    reason: conflict,
    ended_at: conflict ? now : null,
  }))
  const { rows: inserted } = await sql<JoinedRow>`
    insert into campaign_recipients
      (tenant_id, id, campaign_id, lead_id, status, due_at, reason, import_id, joined_at, ended_at, updated_at)
    select ${tenantId}::uuid, g.id, ${campaignId}::uuid, g.lead_id, g.status, g.due_at, g.reason, ${importId}::uuid,
      ${now}::timestamptz, g.ended_at, ${now}::timestamptz
    from ${toRecordset(records)}
    on conflict (tenant_id, campaign_id, lead_id) do nothing
    returning lead_id as "leadId", status, reason`.execute(tx)
  const isNew = new Set(inserted.map(({ leadId }) => leadId))
  const known = records.filter(({ lead_id }) => !isNew.has(lead_id))
  if (known.length === 0) return inserted
  const { rows: rejoined } = await sql<JoinedRow>`
    update campaign_recipients r set status = g.status, due_at = g.due_at, reason = g.reason, joined_at = ${now}::timestamptz,
      ended_at = g.ended_at, updated_at = ${now}::timestamptz, step = 0, last_step_at = null, last_sent_at = null, planned_at = null,
      message_id = null, import_id = ${importId}::uuid, round = r.round + case when r.reason ->> 'code' = any(${joinConflicts}::text[]) then 0 else 1 end
    from ${toRecordset(known)}
    where r.tenant_id = ${tenantId} and r.campaign_id = ${campaignId} and r.lead_id = g.lead_id
      and ${mayRejoin(reentryBefore)}
    returning r.lead_id as "leadId", r.status, r.reason`.execute(tx)
  return [...inserted, ...rejoined]
}

interface JoinedRow {
  leadId: string
  status: 'waiting' | 'skipped'
  /** Why it is skipped. */
  reason: Reason | null
}

const toRecordset = (records: readonly object[]) => sql`jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
  as g (id uuid, lead_id uuid, status text, due_at timestamptz, reason jsonb, ended_at timestamptz)`

/** SQL: whether the lead of the recipient `r` may join its campaign again. */
const mayRejoin = (reentryBefore: Date | null): RawBuilder<unknown> => sql`(
  r.status in ('completed', 'stopped', 'skipped', 'failed') and (r.status = 'stopped' and r.reason ->> 'code' = ${takenOut.code}) is not true and (
    r.ended_at <= ${reentryBefore}::timestamptz or r.status = 'skipped' and r.reason ->> 'code' = any(${joinConflicts}::text[])))`

interface JoiningLead {
  leadId: string
  conflict: Reason | null
  /** Its recipient in a draft would yield, but is locked. */
  isHeldByDraft: boolean
}

interface FoundLead extends Person {
  leadId: string
  inOther: boolean
  isSamePerson: boolean
  isTakenOut: boolean
  /** It is in the campaign, and stays as it is. */
  isIn: boolean
  /** Recipients of the person in drafts. */
  yieldingIds: string[]
}

/**
 * Those of these leads that exist, in this order. `conflict`: a campaign writes to the person already, for this lead or another one;
 * or this campaign has written to them for another one, and they may not join again; or somebody took them out of it. A draft yields to
 * a campaign that was started.
 */
async function findJoining(
  tx: Tx,
  leadIds: readonly string[],
  {
    campaignId,
    reentryBefore,
    isStarted,
  }: { campaignId: string; reentryBefore: Date | null; isStarted: boolean },
): Promise<JoiningLead[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<FoundLead>`
    select l.id as "leadId", l.phone, l.email,
      coalesce(bool_or(o.is_active and not o.is_yielding and o.campaign_id <> ${campaignId}), false) as "inOther",
      coalesce(bool_or(o.lead_id <> l.id and o.campaign_id = ${campaignId} and (o.is_active or o.was_written)), false) as "isSamePerson",
      coalesce(bool_or(o.campaign_id = ${campaignId} and o.was_taken_out), false) as "isTakenOut",
      coalesce(bool_or(o.lead_id = l.id and o.campaign_id = ${campaignId} and not o.may_rejoin), false) as "isIn",
      coalesce(array_agg(distinct o.id) filter (where o.is_yielding and o.campaign_id <> ${campaignId}), '{}') as "yieldingIds"
    from leads l left join lateral (
      select r.id, r.lead_id, r.campaign_id, r.status in ('waiting', 'planned', 'queued') as is_active,
        ${isStarted ? waitsInDraft(tx, 'r') : sql`false`} as is_yielding, ${mayRejoin(reentryBefore)} is true as may_rejoin,
        r.last_sent_at is not null and may_not_join as was_written, r.reason ->> 'code' = ${takenOut.code} as was_taken_out
      from (${recipientsOfPerson(tx, 'l')}) r
      cross join lateral (select (r.ended_at <= ${reentryBefore}::timestamptz) is not true as may_not_join) e) o on true
    where l.tenant_id = ${tenantId} and l.id = any(${leadIds}::uuid[])
    group by l.id, l.phone, l.email
    order by array_position(${leadIds}::uuid[], l.id)`.execute(tx)
  const joining = rows.filter(lead => !(lead.isTakenOut || lead.inOther || lead.isSamePerson || lead.isIn))
  const yielded = await yieldRecipients(
    tx,
    joining.flatMap(({ yieldingIds }) => yieldingIds),
  )
  const locked = new Set(joining.filter(({ yieldingIds }) => !yieldingIds.every(id => yielded.has(id))))
  const isRepetition = createRepetitionCheck()
  return rows.map(lead => ({
    leadId: lead.leadId,
    conflict: toConflict(lead, locked.has(lead), isRepetition),
    isHeldByDraft: locked.has(lead),
  }))
}

function toConflict(
  { inOther, isTakenOut, isSamePerson, phone, email }: FoundLead,
  isHeldByDraft: boolean,
  isRepetition: (person: Person) => boolean,
): Reason | null {
  if (isTakenOut) return takenOut
  if (inOther || isHeldByDraft) return inAnotherCampaign
  return isSamePerson || isRepetition({ phone, email }) ? samePerson : null
}

/** Those of these leads that are or were in the campaign. */
export async function findRecipientsOf(
  tx: Tx,
  campaignId: string,
  leadIds: readonly string[],
): Promise<Set<string>> {
  if (leadIds.length === 0) return new Set()
  const { rows } = await sql<{ leadId: string }>`
    select lead_id as "leadId" from campaign_recipients
    where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId} and lead_id = any(${leadIds}::uuid[])`.execute(
    tx,
  )
  return new Set(rows.map(({ leadId }) => leadId))
}
