/** The SQL statements of digests. */
import { sql } from 'kysely'
import { createId, getNow, sqlNow, sqlNowFor } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import { fetchPage, type ListRow, type Page } from '../../../kit/db/json.ts'
import type { Position } from '../../../kit/page.ts'
import { sanitizeText } from '../../../kit/sanitize-text.ts'
import type { Refusal } from '../campaigns/email-account.ts'
import type { ChangeCounts, ChangeRange } from '../searches/list-changes.ts'

/** Locks the search if its digest is due; undefined: it is not. `digestedId`: the last change that a digest has covered. */
export async function lockDue(
  tx: Tx,
  campaignId: string,
): Promise<{ dueAt: Date; digestedId: string | null } | undefined> {
  const { rows } = await sql<{ dueAt: Date; digestedId: string | null }>`
    select digest_at as "dueAt", digested_id as "digestedId" from campaign_searches
    where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId} and digest_at <= ${sqlNow(tx)}
    for no key update`.execute(tx)
  return rows[0]
}

/** The digest is done. `digestedId`: the last change that it covers; null: it covers none. */
export async function clearDue(tx: Tx, campaignId: string, digestedId: string | null): Promise<void> {
  await sql`
    update campaign_searches set digest_at = null, digested_id = coalesce(${digestedId}::uuid, digested_id)
    where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId}`.execute(tx)
}

export interface DigestRow extends ChangeRange, ChangeCounts {
  id: string
  untilId: string
}

/** Returns its id; undefined: that of this time was written already. */
export async function insertDigest(
  tx: Tx,
  dueAt: Date,
  { campaignId, afterId, untilId, types, ...counts }: Omit<DigestRow, 'id'>,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into campaign_digests (tenant_id, id, campaign_id, due_at, after_id, until_id, types, counts, created_at)
    values (${getTenantId(tx)}, ${createId(tx)}, ${campaignId}, ${dueAt}, ${afterId}, ${untilId}, ${types}::text[],
      ${JSON.stringify({ new: counts.new, cheaper: counts.cheaper, gone: counts.gone })}::jsonb, ${getNow(tx)})
    on conflict (tenant_id, campaign_id, due_at) do nothing returning id`.execute(tx)
  return rows[0]?.id
}

/** Deletes all digests of a campaign but the newest. */
export async function deleteOldDigests(tx: Tx, campaignId: string, kept: number): Promise<void> {
  await sql`
    delete from campaign_digests where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId} and id < (
      select id from campaign_digests where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId}
      order by id desc offset ${kept} limit 1)`.execute(tx)
}

/** Returns the id of the e-mail. */
export async function insertMail(
  tx: Tx,
  { digestId, subscriberId, refusal }: { digestId: string; subscriberId: string; refusal: Refusal | null },
): Promise<string> {
  const id = createId(tx)
  await sql`
    insert into campaign_digest_mails (tenant_id, id, digest_id, subscriber_id, status, reason, updated_at)
    values (${getTenantId(tx)}, ${id}, ${digestId}, ${subscriberId}, ${refusal ? 'skipped' : 'queued'},
      ${refusal && JSON.stringify(refusal)}::jsonb, ${getNow(tx)})`.execute(tx)
  return id
}

export interface MailRow {
  id: string
  digestId: string
  subscriberId: string
  email: string
  isUnsubscribed: boolean
  /** It was handed to the mail server before, and the result was lost. */
  isRepeated: boolean
}

/** Locks an e-mail that is to be sent; undefined: it is not any more. */
export async function lockQueuedMail(tx: Tx, id: string): Promise<MailRow | undefined> {
  const { rows } = await sql<MailRow>`
    select m.id, m.digest_id as "digestId", m.subscriber_id as "subscriberId", s.email,
      s.unsubscribed_at is not null as "isUnsubscribed", m.claimed_at is not null as "isRepeated"
    from campaign_digest_mails m
    join campaign_subscribers s on s.tenant_id = ${getTenantId(tx)} and s.id = m.subscriber_id
    where m.tenant_id = ${getTenantId(tx)} and m.id = ${id} and m.status = 'queued' for no key update of m`.execute(
    tx,
  )
  return rows[0]
}

export async function markHandedOver(tx: Tx, id: string): Promise<void> {
  await sql`
    update campaign_digest_mails set claimed_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
}

export async function storeMailResult(
  tx: Tx,
  id: string,
  { status, refusal = null }: { status: 'sent' | 'skipped' | 'failed'; refusal?: Refusal | null },
): Promise<void> {
  const reason = refusal && { code: refusal.code, message: sanitizeText(refusal.message) }
  await sql`
    update campaign_digest_mails set status = ${status}, reason = ${reason && JSON.stringify(reason)}::jsonb,
      updated_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and id = ${id} and status = 'queued'`.execute(tx)
}

export async function findDigest(tx: Tx, id: string): Promise<DigestRow | undefined> {
  const { rows } = await sql<DigestRow>`
    select id, campaign_id as "campaignId", after_id as "afterId", until_id as "untilId", types,
      (counts ->> 'new')::int as new, (counts ->> 'cheaper')::int as cheaper, (counts ->> 'gone')::int as gone
    from campaign_digests where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
  return rows[0]
}

/** A digest `d` with its e-mails. */
const digestJson = (
  tx: Tx,
) => sql`json_build_object('id', d.id, 'dueAt', aldaba.iso_time(d.due_at), 'new', d.counts -> 'new',
  'cheaper', d.counts -> 'cheaper', 'gone', d.counts -> 'gone', 'mails', coalesce((
    select json_agg(json_build_object('email', s.email, 'status', m.status, 'reason', m.reason,
      'updatedAt', aldaba.iso_time(m.updated_at)) order by m.id)
    from campaign_digest_mails m
    join campaign_subscribers s on s.tenant_id = ${getTenantId(tx)} and s.id = m.subscriber_id
    where m.tenant_id = ${getTenantId(tx)} and m.digest_id = d.id), '[]'), 'createdAt', aldaba.iso_time(d.created_at))`

/** A page of the digests of a campaign, the newest first. */
export function listDigests(
  tx: Tx,
  campaignId: string,
  limit: number,
  after: Position | null,
): Promise<Page> {
  const rows = sql<ListRow>`
    select ${digestJson(tx)} as json, array[d.id::text] as position from campaign_digests d
    where d.tenant_id = ${getTenantId(tx)} and d.campaign_id = ${campaignId}
      and ${after ? sql`d.id < ${after[0]}::uuid` : sql`true`}
    order by d.id desc limit ${limit + 1}`
  return fetchPage(tx, rows, limit)
}

/** As the API returns it; undefined: the campaign has none with this id. */
export async function findDigestReply<T>(tx: Tx, campaignId: string, id: string): Promise<T | undefined> {
  const { rows } = await sql<{ json: T }>`
    select ${digestJson(tx)} as json from campaign_digests d
    where d.tenant_id = ${getTenantId(tx)} and d.campaign_id = ${campaignId} and d.id = ${id}`.execute(tx)
  return rows[0]?.json
}

/** When the next digest of a campaign that is not paused is due. */
export async function findNextDigestAt(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(s.digest_at) as at from campaign_searches s
    join campaigns c on c.tenant_id = ${getTenantId(tx)} and c.id = s.campaign_id and c.status <> 'paused'
    where s.tenant_id = ${getTenantId(tx)} and s.digest_at is not null`.execute(tx)
  return rows[0]!.at
}

/** An attempt to send an e-mail is in progress for at most so long. What failed is sent again later, and nobody waits for it. */
const attemptMaxS = 5

/** Since when e-mails wait that were never handed over, or are being sent. */
export async function findNextMailAt(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(updated_at) as at from campaign_digest_mails
    where tenant_id = ${getTenantId(tx)} and status = 'queued'
      and (claimed_at is null or claimed_at > ${sqlNow(tx)} - make_interval(secs => ${attemptMaxS}))`.execute(
    tx,
  )
  return rows[0]!.at
}

export async function listDueCampaigns(tx: Tx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select s.campaign_id as id from campaign_searches s
    join campaigns c on c.tenant_id = ${getTenantId(tx)} and c.id = s.campaign_id and c.status <> 'paused'
    where s.tenant_id = ${getTenantId(tx)} and s.digest_at <= ${sqlNow(tx)}
    order by s.digest_at, s.campaign_id limit ${limit}`.execute(tx)
  return rows.map(({ id }) => id)
}

export async function listTenantsWithDueDigests({ owner }: Database): Promise<string[]> {
  const { rows } = await sql<{ tenantId: string }>`
    select distinct tenant_id as "tenantId" from campaign_searches s where digest_at <= ${sqlNowFor('s.tenant_id')}`.execute(
    owner,
  )
  return rows.map(({ tenantId }) => tenantId)
}
