/** Reads messages as the JSON of `Message`. */
import { type RawBuilder, sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { fetchPage, type ListRow, type Page, toJsonObject } from '../../../kit/db/json.ts'
import { notFound } from '../../../kit/problem.ts'
import { splitNames } from '../../../kit/schema.ts'
import { toMessageCondition } from '../conversations/search.ts'
import { toMediaUrl } from '../media/schemas.ts'
import { emptyContents } from '../message-content-schemas.ts'
import { type UnsentQuery, unsentStatuses } from './request-schemas.ts'
import { waitingJson } from './waiting.ts'

/** SQL: the files of a message `m` as a list of `Media`. `baseUrl`: the public URL with the base path. */
export const mediaJson = (tx: Tx, baseUrl: string): RawBuilder<unknown> => sql`coalesce((
  select json_agg(json_build_object('id', f.id, 'kind', f.kind, 'status', f.status, 'error', f.error, 'bytes', f.bytes,
    'mediaType', f.media_type, 'fileName', f.file_name, 'widthPx', f.width_px, 'heightPx', f.height_px,
    'url', case when f.status = 'ready' then ${toMediaUrl(baseUrl, '')} || f.id end,
    'previewUrl', case when f.preview_blob_id is not null then ${toMediaUrl(baseUrl, '')} || f.id || '/preview' end) order by f.position, f.id)
  from message_files f where f.tenant_id = ${getTenantId(tx)} and f.message_id = m.id), '[]')`

/** Parts of the stored content that the API does not show. A literal: a statement with a list as parameter is planned each time. */
const internalParts = sql.lit('{earlierTexts,isEditedFirst,template,hasNotice,textBeforeNotice}')

/** SQL: a message `m` of a conversation `c` as JSON. The texts before an edit are kept for erasure, not shown. */
const messageJson = (tx: Tx, baseUrl: string): RawBuilder<unknown> =>
  toJsonObject(sql`
    m.id, m.conversation_id as "conversationId", m.account_id as "accountId", coalesce(m.lead_id, c.lead_id) as "leadId", m.sequence, m.direction, m.kind,
    m.text, (${JSON.stringify(emptyContents)}::jsonb -> m.kind) || (m.content - ${internalParts}::text[]) as content, ${mediaJson(tx, baseUrl)} as media,
    (select v.template_id from template_versions v where v.tenant_id = ${getTenantId(tx)} and v.id = m.template_version_id) as "templateId",
    m.template_version_id as "templateVersionId", m.campaign_id as "campaignId", m.campaign_step as "campaignStep", m.reply_to_id as "replyToId",
    m.retry_of_id as "retryOfId", m.nature, m.author_user_id as "authorUserId", m.status,
    case when m.status in ('failed', 'unknown') then m.failure end as failure, ${waitingJson(tx)} as waiting,
    aldaba.iso_time(m.created_at) as "createdAt", aldaba.iso_time(m.sent_at) as "sentAt", aldaba.iso_time(m.delivered_at) as "deliveredAt",
    aldaba.iso_time(m.read_at) as "readAt", aldaba.iso_time(m.failed_at) as "failedAt", aldaba.iso_time(m.edited_at) as "editedAt",
    aldaba.iso_time(m.deleted_at) as "deletedAt"`)

/** Selects messages as JSON. `rest`: the condition besides the tenant, and the order; `position`: the sort column. */
const messageRows = (tx: Tx, baseUrl: string, rest: RawBuilder<unknown>, position = sql`m.sequence`) => sql<
  ListRow & { id: string }
>`
  select m.id, ${messageJson(tx, baseUrl)} as json, array[${position}::text] as position
  from messages m join conversations c on c.tenant_id = ${getTenantId(tx)} and c.id = m.conversation_id
  where m.tenant_id = ${getTenantId(tx)} and ${rest}`

/** By id, the JSON of `Message`; messages that don't exist are missing. Null: it is longer than `maxBytes`. */
export async function findMessages(
  tx: Tx,
  ids: string[],
  { baseUrl, maxBytes = Number.POSITIVE_INFINITY }: { baseUrl: string; maxBytes?: number },
): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; json: string }>`
    select id, json::text as json from (${messageRows(tx, baseUrl, sql`m.id = any(${ids}::uuid[])`)}) found`.execute(
    tx,
  )
  return new Map(rows.map(({ id, json }) => [id, Buffer.byteLength(json) <= maxBytes ? json : null]))
}

/** The JSON of `Message`. Throws 404. */
export async function getMessage(tx: Tx, id: string, baseUrl: string): Promise<string> {
  const json = (await findMessages(tx, [id], { baseUrl })).get(id)
  if (!json) throw notFound('message')
  return json
}

/** A page of a conversation. `newestFirst`: from the end; otherwise from the first message. */
export function listMessages(
  tx: Tx,
  conversationId: string,
  {
    baseUrl,
    newestFirst,
    limit,
    q,
  }: { baseUrl: string; newestFirst: boolean; limit: number; q?: string | undefined },
  after: string | null,
): Promise<Page> {
  const beyond = newestFirst ? sql`m.sequence < ${after}::int` : sql`m.sequence > ${after}::int`
  const order = newestFirst ? sql`m.sequence desc` : sql`m.sequence`
  return fetchPage(
    tx,
    messageRows(
      tx,
      baseUrl,
      sql`m.conversation_id = ${conversationId} and ${q === undefined ? sql`true` : toMessageCondition(tx, conversationId, q)}
        and ${after === null ? sql`true` : beyond} order by ${order} limit ${limit + 1}`,
    ),
    limit,
  )
}

/** What a person has to decide about. */
const undecidedStatuses = 'failed,unknown'

/** A page of the messages that were not sent, the newest first, without those that were sent again or withdrawn. */
export function listUnsent(
  tx: Tx,
  {
    baseUrl,
    limit,
    status = undecidedStatuses,
    accountId,
    leadId,
    campaignId,
  }: UnsentQuery & { baseUrl: string },
  after: string | null,
): Promise<Page> {
  const tenantId = getTenantId(tx)
  const names = splitNames(status)
  const conditions = [
    sql`not exists (select from messages r where r.tenant_id = ${tenantId} and r.retry_of_id = m.id)`,
    sql`not coalesce((m.failure -> 'isWithdrawn')::boolean, false)`,
    ...(accountId === undefined ? [] : [sql`m.account_id = ${accountId}`]),
    ...(leadId === undefined ? [] : [sql`coalesce(m.lead_id, c.lead_id) = ${leadId}`]),
    ...(campaignId === undefined ? [] : [sql`m.campaign_id = ${campaignId}`]),
    ...(after === null ? [] : [sql`m.id < ${after}::uuid`]),
  ]
  const order = sql`order by m.id desc limit ${limit + 1}`
  // One status at a time, as in the index: it has each in the order of the list.
  const idsByStatus = unsentStatuses
    .filter(each => names.includes(each))
    .map(
      each => sql`(select m.id from messages m join conversations c on c.tenant_id = ${tenantId} and c.id = m.conversation_id
        where m.tenant_id = ${tenantId} and m.status = ${sql.lit(each)} and ${sql.join(conditions, sql` and `)} ${order})`,
    )
  const rest = sql`m.id = any(array(${sql.join(idsByStatus, sql` union all `)})) ${order}`
  return fetchPage(tx, messageRows(tx, baseUrl, rest, sql`m.id`), limit)
}
