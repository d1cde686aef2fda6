/** Exports the recipients of a campaign with every message, as a file of any length; pages are read while it is sent. */
import { sql } from 'kysely'
import { formatCsvLine } from '../../../domain/table/csv-line.ts'
import type { Caller } from '../../../kit/auth.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import { ExportedSend } from './export-schemas.ts'
import { matchRecipients, type RecipientFilter } from './list-queries.ts'

/** Recipients per statement. Each statement checks again that the key is valid. */
const pageSize = 500
/** Without it, Excel does not read the file as UTF-8. */
const byteOrderMark = '\ufeff'
const columns = Object.keys(ExportedSend.properties) as (keyof ExportedSend)[]

interface ExportInput {
  database: Database
  caller: Caller
  campaignId: string
  filter: RecipientFilter
  /** Aborted: no further page is read. */
  signal: AbortSignal
}

/** NDJSON: one row per line. */
export async function* exportLines(input: ExportInput): AsyncGenerator<string> {
  for await (const rows of readPages(input)) yield rows.map(row => `${JSON.stringify(row)}\n`).join('')
}

/** A CSV table (RFC 4180) with headings. `separator`: one character. */
export async function* exportTable(input: ExportInput, separator: string): AsyncGenerator<string> {
  yield byteOrderMark + formatCsvLine(columns, separator)
  for await (const rows of readPages(input))
    yield rows
      .map(row =>
        formatCsvLine(
          columns.map(column => row[column]),
          separator,
        ),
      )
      .join('')
}

/** Pages of rows, in the order in which the leads joined. */
async function* readPages({
  database,
  caller,
  campaignId,
  filter,
  signal,
}: ExportInput): AsyncGenerator<ExportedSend[]> {
  let after: string | null = null
  while (!signal.aborted) {
    const position: string | null = after
    const rows: ExportedSend[] = await database.readTenant(caller, tx =>
      readPage(tx, campaignId, { filter, after: position }),
    )
    if (rows.length > 0) yield rows
    const last = rows.at(-1)?.recipientId
    if (last === undefined || new Set(rows.map(({ recipientId }) => recipientId)).size < pageSize) return
    after = last
  }
}

/** It looks up what belongs to each recipient by an index: `offset 0` keeps the planner from reading whole tables for each page. */
async function readPage(
  tx: Tx,
  campaignId: string,
  { filter, after }: { filter: RecipientFilter; after: string | null },
): Promise<ExportedSend[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<ExportedSend>`
    select r.id as "recipientId", r.lead_id as "leadId", l.contact_name as name, l.phone, l.email,
      case r.status when 'planned' then 'queued' else r.status end as status,
      r.reason ->> 'code' as reason, r.reason ->> 'message' as "reasonMessage", aldaba.iso_time(r.ended_at) as "endedAt", aldaba.iso_time(r.joined_at) as "joinedAt",
      coalesce(s.round, r.round) as round, s.step, s.template_id as "templateId", t.name as "templateName", s.variant,
      aldaba.iso_time(s.planned_at) as "plannedAt", aldaba.iso_time(m.sent_at) as "sentAt",
      case when m.sent_at is not null then substr(m.person, strpos(m.person, ':') + 1) end as "sentTo", s.message_id as "messageId",
      coalesce(case m.status when 'failed' then m.failure ->> 'code' else m.status end, s.reason ->> 'code', r.reason ->> 'code') as result,
      coalesce(m.failure ->> 'message', s.reason ->> 'message', case when s.step is null then r.reason ->> 'message' end) as explanation,
      s.basis ->> 'kind' as "lawfulBasis", s.basis ->> 'recordedAt' as "lawfulBasisRecordedAt", s.basis ->> 'proof' as "lawfulBasisProof",
      source.platform as "sourcePlatform", source.url as "sourceUrl", aldaba.iso_time(source.first_seen_at) as "sourceFirstSeenAt"
    from (
      select * from campaign_recipients r
      where ${matchRecipients(tx, campaignId, filter)} and ${after === null ? sql`true` : sql`r.id > ${after}::uuid`}
      order by r.id limit ${sql.lit(pageSize)}) r
    left join lateral (
      select * from leads l where l.tenant_id = ${tenantId} and l.id = r.lead_id offset 0) l on true
    left join lateral (
      select * from campaign_sends s where s.tenant_id = ${tenantId} and s.recipient_id = r.id offset 0) s on true
    left join lateral (
      select * from templates t where t.tenant_id = ${tenantId} and t.id = s.template_id offset 0) t on true
    left join lateral (
      select * from messages m where m.tenant_id = ${tenantId} and m.id = s.message_id offset 0) m on true
    left join lateral (
      select f.platform, f.url, f.first_seen_at from lead_sources f
      where f.tenant_id = ${tenantId} and f.lead_id = r.lead_id order by f.first_seen_at limit 1) source on true
    order by r.id, s.round, s.step`.execute(tx)
  return rows
}
