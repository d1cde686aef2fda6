/** Lists conversations, those with the newest messages first. */
import { type RawBuilder, sql } from 'kysely'
import { sqlNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { isOneOf } from '../../../kit/db/is-one-of.ts'
import { customPlan } from '../../../kit/db/plans.ts'
import type { Position } from '../../../kit/page.ts'
import { splitNames } from '../../../kit/schema.ts'
import { identityKinds } from '../../../plugins/chat.ts'
import { findLeadIdentities } from '../lead-identities.ts'
import { type ConversationRow, conversationColumns } from './queries.ts'
import type { ConversationFilter } from './schemas.ts'
import { type ConversationSearch, planConversationSearch } from './search.ts'

/** Up to this number, the conversations with a label are collected and then sorted. */
const labelledMax = 5000
/** If more conversations than this are collected, the page is probably among the newest. */
const lookedUpMax = 1000
const newestMax = 6000
/** What one request reads in order to find conversations with common words: then the page is short. */
const scannedMax = { conversations: 600, messages: 6000 }

/** A conversation in a list. */
export interface ListedRow extends ConversationRow {
  /** The newest message with the words of the search; null: none, or there is no search. */
  matchedMessage: { id: string; text: string | null } | null
}

export interface ConversationPage {
  rows: ListedRow[]
  /** Where the next page begins; null: this is the last one. */
  last: Position | null
}

/** A page of conversations, in one statement. The ids are chosen first, in an index that includes what filters read. */
export async function listConversations(
  tx: Tx,
  filter: ConversationFilter,
  after: Position | null,
): Promise<ConversationPage> {
  const [search, label, lead] = await Promise.all([
    filter.q === undefined ? null : planConversationSearch(tx, filter.q),
    filter.label === undefined ? null : planLabel(tx, filter.label),
    filter.leadId === undefined ? null : planLead(tx, filter.leadId),
  ])
  const plan = { filter, label, lead, after }
  if (search === null) return (await readPage(tx, filter.limit, choose(tx, plan)))!
  const page = await readPage(tx, filter.limit, chooseCollected(tx, plan, search.collected))
  return page ?? (await readPage(tx, filter.limit, chooseByScan(tx, plan, search)))!
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

/**
 * `match`: a conversation of the page, or the one after it. `end`: the last one that was tested, if more may match.
 * `exceeded`: too many match to be collected.
 */
type Role = 'match' | 'end' | 'exceeded'

/**
 * Reads what was chosen. `named`: SQL: named queries, the last one is `chosen` (id, message_id, role). Null: too many match
 * to be collected.
 */
async function readPage(tx: Tx, limit: number, named: RawBuilder<unknown>): Promise<ConversationPage | null> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<ListedRow & { role: Role }>`
    with ${named}
    select ${conversationColumns(tx)}, chosen.role, (
      select json_build_object('id', m.id, 'text', left(m.text, 300)) from messages m
      where m.tenant_id = ${tenantId} and m.id = chosen.message_id) as "matchedMessage"
    from chosen left join lateral (
      select * from conversations where tenant_id = ${tenantId} and id = chosen.id offset 0) c on true
    order by c.last_message_at desc, c.id desc`.execute(tx)
  if (rows.some(({ role }) => role === 'exceeded')) return null
  const matches = rows.filter(({ role }) => role === 'match')
  const page = matches.slice(0, limit)
  const end = matches.length > limit ? page.at(-1) : rows.find(({ role }) => role === 'end')
  return { rows: page, last: end ? toPosition(end) : null }
}

/** Times have the precision of JavaScript, as all that the program writes. */
const toPosition = ({ id, lastMessageAt }: ConversationRow): Position => [lastMessageAt.toISOString(), id]

/** SQL: the filters decide which index is best. Without filters, planning would take as long as reading. */
function toPlanMode({
  q: _q,
  limit: _limit,
  cursor: _cursor,
  ...filters
}: ConversationFilter): RawBuilder<unknown> {
  return sql.raw(Object.values(filters).some(value => value !== undefined) ? customPlan : '')
}

const inOrder = sql`order by c.last_message_at desc, c.id desc`

function choose(tx: Tx, plan: Plan): RawBuilder<unknown> {
  const { filter, label, lead } = plan
  const all = sql`conversations c where ${toConditions(tx, plan)}`
  // "offset 0" keeps the planner from reading all conversations in order until it meets one of the few that match.
  const matching =
    label?.isSelective || lead ? sql`(select c.id, c.last_message_at from ${all} offset 0) c` : all
  return sql`chosen as (
    select ${toPlanMode(filter)} c.id, null::uuid as message_id, 'match' as role from ${matching} ${inOrder} limit ${filter.limit + 1})`
}

/**
 * Chooses among the conversations that `collected` finds. If they are many, the newest conversations fill the page.
 * Otherwise all are looked up; the planner can't tell how many they are.
 */
function chooseCollected(tx: Tx, plan: Plan, collected: RawBuilder<unknown>): RawBuilder<unknown> {
  const { limit } = plan.filter
  const conditions = toConditions(tx, plan)
  const ids = sql`select id from found_messages union all select id from found_identities`
  const lookUp = (isFound: RawBuilder<unknown>) => sql`(
    select * from (select c.id, c.last_message_at from conversations c where ${conditions} and ${isFound} offset 0) c
    ${inOrder} limit ${limit + 1})`
  return sql`
    ${collected}, met as materialized (
      select c.id from (
        select c.* from conversations c where ${toListCondition(tx, plan)} ${inOrder} limit ${sql.lit(newestMax)}) c
      where (select found > ${lookedUpMax} and not is_exceeded from collecting) and ${conditions}
        and ((c.id in (${ids})) is true or (c.lead_id in (select id from found_leads)) is true)
      ${inOrder} limit ${limit + 1}
    ), looked_up as materialized (
      select c.id from (
        ${lookUp(sql`c.id = any(array(${ids}))`)} union ${lookUp(sql`c.lead_id = any(array(select id from found_leads))`)}) c
      where (select count(*) from met) <= ${limit} and not (select is_exceeded from collecting)
      ${inOrder} limit ${limit + 1}
    ), page as materialized (
      select id from met where (select count(*) from met) > ${limit} union all select id from looked_up
    ), chosen as (
      select page.id, m.message_id, 'match' as role from page left join (
        select distinct on (id) id, message_id from found_messages where id in (select id from page)
        order by id, message_id desc) m on m.id = page.id
      union all select null, null, 'exceeded' from collecting where is_exceeded)`
}

/** A page may be short although more follow: only so many conversations are tested in one request. */
function chooseByScan(
  tx: Tx,
  plan: Plan,
  { matchedMessageId, matchesPerson }: ConversationSearch,
): RawBuilder<unknown> {
  const { limit } = plan.filter
  const { conversations, messages } = scannedMax
  const newest = sql`(
    select c.id, c.lead_id, c.last_message_at, count(*) over before as conversations, coalesce(sum(c.last_sequence) over before, 0) as messages
    from conversations c where ${toConditions(tx, plan)}
    window before as (order by c.last_message_at desc, c.id desc rows between unbounded preceding and 1 preceding)
    ${inOrder} limit ${sql.lit(conversations + 1)}) c`
  const isTested = sql`c.conversations < ${conversations} and c.messages < ${messages}`
  return sql`
    matched as materialized (
      select ${toPlanMode(plan.filter)} c.id, m.message_id from ${newest} cross join lateral (select ${matchedMessageId} as message_id offset 0) m
      where ${isTested} and (m.message_id is not null or ${matchesPerson})
      ${inOrder} limit ${limit + 1}
    ), read as materialized (
      select c.id, c.last_message_at, ${isTested} as is_tested from ${newest} where (select count(*) from matched) <= ${limit}
    ), chosen as (
      select id, message_id, 'match' as role from matched
      union all (
        select c.id, null, 'end' from read c
        where c.is_tested and exists (select from read where not is_tested) order by c.last_message_at, c.id limit 1))`
}

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
