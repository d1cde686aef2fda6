/** Lists conversations, those with the newest messages first. */
import { type RawBuilder, sql } from 'kysely'
import { sqlNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { isOneOf } from '../../../kit/db/is-one-of.ts'
import { customPlan } from '../../../kit/db/reader.ts'
import type { Position } from '../../../kit/page.ts'
import { splitNames } from '../../../kit/schema.ts'
import { identityKinds } from '../../../plugins/chat.ts'
import { findLeadIdentities } from '../lead-identities.ts'
import { findMatchedMessages, type MatchedMessage } from './matched-messages.ts'
import { type ConversationRow, findConversations } from './queries.ts'
import type { ConversationFilter } from './schemas.ts'
import { planConversationSearch } from './search.ts'

/** Up to this number, the conversations with a label are collected and then sorted. */
const labelledMax = 5000
/** If more conversations than this are collected, the page is probably among the newest. */
const lookedUpMax = 1000
const newestMax = 6000
/** What one request reads in order to find conversations with common words: then the page is short. */
const scannedMax = { conversations: 600, messages: 6000 }

export interface ConversationPage {
  rows: ConversationRow[]
  /** By conversation, the message with the words of the search. */
  matched: Map<string, MatchedMessage>
  /** Where the next page begins; null: this is the last one. */
  last: Position | null
}

/**
 * A page of conversations. The ids are chosen first, in an index that includes what filters read, so that only the
 * conversations of the page are read as a whole.
 */
export async function listConversations(
  tx: Tx,
  filter: ConversationFilter,
  after: Position | null,
): Promise<ConversationPage> {
  const search = filter.q === undefined ? null : await planConversationSearch(tx, filter.q)
  const label = filter.label === undefined ? null : await planLabel(tx, filter.label)
  const lead = filter.leadId === undefined ? null : await planLead(tx, filter.leadId)
  const plan = { filter, label, lead, after }
  const { ids, last } =
    search === null
      ? await choose(tx, plan)
      : ((search.collected && (await chooseCollected(tx, plan, search.collected))) ??
        (await chooseByScan(tx, plan, search.matches)))
  const [found, matched] = await Promise.all([
    findConversations(tx, ids),
    search === null
      ? new Map<string, MatchedMessage>()
      : findMatchedMessages(tx, ids, { q: filter.q!, matchesPerson: search.matchesPerson }),
  ])
  const byId = new Map(found.map(row => [row.id, row]))
  return { rows: ids.flatMap(id => byId.get(id) ?? []), matched, last }
}

interface Plan {
  filter: ConversationFilter
  label: LabelFilter | null
  /** Few conversations are with the person of a lead. */
  lead: RawBuilder<unknown> | null
  after: Position | null
}

interface LabelFilter {
  condition: RawBuilder<unknown>
  /** Few conversations have the label: all are collected and sorted. */
  isSelective: boolean
}

interface ChosenRow {
  id: string
  at: Date
}

interface Chosen {
  ids: string[]
  last: Position | null
}

async function choose(tx: Tx, plan: Plan): Promise<Chosen> {
  const { filter, label, lead } = plan
  const all = sql`conversations c where ${toConditions(tx, plan)}`
  // "offset 0" keeps the planner from reading all conversations in order until it meets one of the few that match.
  const matching =
    label?.isSelective || lead ? sql`(select c.id, c.last_message_at from ${all} offset 0) c` : all
  const { rows } = await sql<ChosenRow>`
    select ${sql.raw(customPlan)} c.id, c.last_message_at as at from ${matching}
    order by c.last_message_at desc, c.id desc limit ${filter.limit + 1}`.execute(tx)
  return toChosen(rows, filter.limit)
}

/**
 * Chooses among the conversations that `collected` finds. Null: they are too many. If they are many, the newest
 * conversations fill the page. Otherwise all are looked up; the planner can't tell how many they are.
 */
async function chooseCollected(tx: Tx, plan: Plan, collected: RawBuilder<unknown>): Promise<Chosen | null> {
  const { limit } = plan.filter
  const conditions = toConditions(tx, plan)
  const { rows } = await sql<{ id: string | null; at: Date; isExceeded: boolean }>`
    with ${collected}, met as materialized (
      select c.id, c.last_message_at from (
        select c.* from conversations c where ${toListCondition(tx, plan)}
        order by c.last_message_at desc, c.id desc limit ${newestMax}) c
      where (select count(*) from collected) > ${lookedUpMax} and not (select is_exceeded from collecting)
        and ${conditions} and (c.id in (select id from collected)) is true
      order by c.last_message_at desc, c.id desc limit ${limit + 1}
    ), chosen as (
      (select id, last_message_at from met where (select count(*) from met) > ${limit})
      union all
      (select c.id, c.last_message_at from (
          select c.id, c.last_message_at from conversations c
          where ${conditions} and c.id = any(array(select id from collected)) offset 0) c
        where (select count(*) from met) <= ${limit} and not (select is_exceeded from collecting)
        order by c.last_message_at desc, c.id desc limit ${limit + 1}))
    select ${sql.raw(customPlan)} id, last_message_at as at, is_exceeded as "isExceeded"
    from collecting left join chosen on true
    order by last_message_at desc, id desc`.execute(tx)
  return rows[0]!.isExceeded
    ? null
    : toChosen(
        rows.flatMap(({ id, at }) => (id === null ? [] : [{ id, at }])),
        limit,
      )
}

/** A page may be short although more follow: only so many conversations are tested in one request. */
async function chooseByScan(tx: Tx, plan: Plan, matches: RawBuilder<unknown>): Promise<Chosen> {
  const { limit } = plan.filter
  const { conversations, messages } = scannedMax
  const { rows } = await sql<ChosenRow & { matches: boolean }>`
    with newest as materialized (
      select c.id, c.lead_id, c.last_message_at, count(*) over before as conversations, coalesce(sum(c.last_sequence) over before, 0) as messages
      from conversations c where ${toConditions(tx, plan)}
      window before as (order by c.last_message_at desc, c.id desc rows between unbounded preceding and 1 preceding)
      order by c.last_message_at desc, c.id desc limit ${conversations + 1}
    ), scanned as materialized (
      select id, lead_id, last_message_at from newest where conversations < ${conversations} and messages < ${messages}
    ), ended as (
      select id, last_message_at from scanned
      where (select count(*) from scanned) < (select count(*) from newest) order by last_message_at, id limit 1
    ), matched as (
      select c.id, c.last_message_at from scanned c where ${matches}
      order by c.last_message_at desc, c.id desc limit ${limit + 1})
    select ${sql.raw(customPlan)} id, last_message_at as at, true as matches from matched
    union all select id, last_message_at, false from ended
    order by matches desc, at desc, id desc`.execute(tx)
  const chosen = toChosen(
    rows.filter(({ matches }) => matches),
    limit,
  )
  const end = rows.find(({ matches }) => !matches)
  return end && !chosen.last ? { ...chosen, last: toPosition(end) } : chosen
}

function toChosen(rows: ChosenRow[], limit: number): Chosen {
  const page = rows.slice(0, limit)
  return { ids: page.map(({ id }) => id), last: rows.length > limit ? toPosition(page.at(-1)!) : null }
}

/** Times have the precision of JavaScript, as all that the program writes. */
const toPosition = ({ id, at }: ChosenRow): Position => [at.toISOString(), id]

async function planLabel(tx: Tx, label: string): Promise<LabelFilter> {
  const labelled = sql`select conversation_id from conversation_labels where tenant_id = ${getTenantId(tx)} and label = ${label}`
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${labelled} limit ${labelledMax + 1}) counted`.execute(tx)
  return rows[0]!.count <= labelledMax
    ? { condition: sql`c.id in (${labelled})`, isSelective: true }
    : { condition: sql`c.labels @> array[${label}]`, isSelective: false }
}

/** A person with several leads has one conversation, with one of these. */
async function planLead(tx: Tx, leadId: string): Promise<RawBuilder<unknown>> {
  const tenantId = getTenantId(tx)
  const identities = (await findLeadIdentities(tx, leadId, identityKinds)) ?? []
  return sql`c.id in (
    select id from conversations where tenant_id = ${tenantId} and lead_id = ${leadId}
    union select conversation_id from messages where tenant_id = ${tenantId} and lead_id = ${leadId}
    union select i.conversation_id from conversation_identities i
      join unnest(${identities.map(({ kind }) => kind)}::text[], ${identities.map(({ value }) => value)}::text[]) as g (kind, value)
        on g.kind = i.kind and g.value = i.value
      where i.tenant_id = ${tenantId})`
}

function toConditions(tx: Tx, { filter, label, lead, after }: Plan): RawBuilder<unknown> {
  const { unread, accountId, assignedUserId, snoozed } = filter
  const statuses = filter.status === undefined ? [] : splitNames(filter.status)
  const isNotSnoozed = sql`(c.snoozed_until is null or c.snoozed_until <= ${sqlNow(tx)})`
  const conditions = [toListCondition(tx, { after })]
  if (statuses.length > 0) conditions.push(isOneOf(sql`c.status`, statuses))
  if (statuses.includes('open') && snoozed === undefined)
    conditions.push(sql`(c.status <> 'open' or ${isNotSnoozed})`)
  if (unread === true) conditions.push(sql`c.unread_count > 0`)
  if (unread === false) conditions.push(sql`c.unread_count = 0`)
  if (accountId) conditions.push(sql`c.account_id = ${accountId}`)
  if (assignedUserId === 'none') conditions.push(sql`c.assigned_user_id is null`)
  else if (assignedUserId) conditions.push(sql`c.assigned_user_id = ${assignedUserId}`)
  if (snoozed === true) conditions.push(sql`c.snoozed_until > ${sqlNow(tx)}`)
  if (snoozed === false) conditions.push(isNotSnoozed)
  if (label) conditions.push(label.condition)
  if (lead) conditions.push(lead)
  return sql.join(conditions, sql` and `)
}

/** Without filters. */
const toListCondition = (tx: Tx, { after }: Pick<Plan, 'after'>): RawBuilder<unknown> => sql`
  c.tenant_id = ${getTenantId(tx)}
  and ${after ? sql`(c.last_message_at, c.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql`true`}`
