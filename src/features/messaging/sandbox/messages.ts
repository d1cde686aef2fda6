/** What a lead of the test environment has written and received, for the sandbox. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { fetchPage, type ListRow, type Page, toJsonObject } from '../../../kit/db/json.ts'
import type { Position } from '../../../kit/page.ts'
import { mediaJson } from '../messages/read-messages.ts'

export interface ReceivedMessage {
  id: string
  conversationId: string
  leadId: string | null
}

/** The message with this id of the provider; undefined: it has not been read. */
export async function findReceivedMessage(
  tx: Tx,
  accountId: string,
  providerMessageId: string,
): Promise<ReceivedMessage | undefined> {
  const { rows } = await sql<ReceivedMessage>`
    select m.id, m.conversation_id as "conversationId", c.lead_id as "leadId"
    from messages m join conversations c on c.tenant_id = ${getTenantId(tx)} and c.id = m.conversation_id
    where m.tenant_id = ${getTenantId(tx)} and m.account_id = ${accountId} and m.provider_message_id = ${providerMessageId}`.execute(
    tx,
  )
  return rows[0]
}

/** SQL: the identity to which a message `m` went, without its kind. What another program sent has none. */
const sentTo = sql.raw(`substr(m.person, strpos(m.person, ':') + 1)`)

/** Messages that accounts have sent, oldest first. `names`: only those to the people with these identities; null: to all. */
export function listDeliveredMessages(
  tx: Tx,
  { names, limit, baseUrl }: { names: string[] | null; limit: number; baseUrl: string },
  after: Position | null,
): Promise<Page> {
  const tenantId = getTenantId(tx)
  const json = toJsonObject(sql`
    m.id, coalesce(${sentTo}, (
      select i.value from conversation_identities i where i.tenant_id = ${tenantId} and i.conversation_id = m.conversation_id
      order by i.value = any(${names}::text[]) desc, i.last_seen_at desc, i.value limit 1), '') as "to", m.text, ${mediaJson(tx, baseUrl)} as media, (
      select v.template_id from template_versions v where v.tenant_id = ${tenantId} and v.id = m.template_version_id) as "templateId",
    aldaba.iso_time(m.sent_at) as at`)
  const isToThem =
    names === null
      ? sql`true`
      : sql`m.conversation_id in (
        select conversation_id from conversation_identities where tenant_id = ${tenantId} and value = any(${names}::text[])
        union all select c.id from conversations c cross join unnest(c.former_identities) former
        where c.tenant_id = ${tenantId} and c.former_identities <> '{}' and substr(former, strpos(former, ':') + 1) = any(${names}::text[]))
        and (m.person is null or ${sentTo} = any(${names}::text[]))`
  const isLater = after
    ? sql`(m.created_at, m.id) > (${after[0]}::timestamptz, ${after[1]}::uuid)`
    : sql`true`
  return fetchPage(
    tx,
    sql<ListRow>`
      select ${json} as json, array[m.created_at::text, m.id::text] as position from messages m
      where m.tenant_id = ${tenantId} and m.direction = 'out' and m.status in ('sent', 'delivered', 'read') and ${isToThem} and ${isLater}
      order by m.created_at, m.id limit ${limit + 1}`,
    limit,
  )
}
