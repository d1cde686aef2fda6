/** What refers to a lead, beside its own row: moved when it is made one with another, and brought back when they are parted. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { callHook } from '../../../kit/hook.ts'
import { mergeUndone } from '../hooks.ts'
import { electPrimarySources } from '../listings/lead-sources.ts'
import {
  adjustNotesCount,
  inheritListingPriceAndStatusTime,
  restoreStatusTime,
} from '../record/write-leads.ts'

/** A merge that is undone; the JSON as it was written down. */
export interface MergeAttachments {
  id: string
  leadId: string
  absorbedId: string
  /** Of both leads, as they were. */
  sources: object[]
  noteIds: string[]
  /**
   * Rows of the duplicates that went with the lead, and what other features keep. When the status of the lead that stays was last
   * changed; missing in merges that took nothing of it over.
   */
  moved_references: {
    duplicates?: object[]
    statusChangedAt?: string | null
    saved?: Partial<Record<string, object[]>>
  }
}

const jsonList = (row: string, from: string) =>
  sql.raw(`(select coalesce(jsonb_agg(${row}), '[]') from ${from})`)

/** SQL: the sources of a lead `l` and of the lead that stays. */
export function sourcesJson(leadId: string) {
  return sql`(
    select coalesce(jsonb_agg(jsonb_build_object('lead_id', lead_id, 'platform', platform, 'listing_id', listing_id,
      'is_primary', is_primary, 'last_seen_at', last_seen_at, 'card_hash', card_hash, 'etag', etag,
      'last_modified', last_modified)), '[]')
    from lead_sources s where s.tenant_id = l.tenant_id and s.lead_id in (l.id, ${leadId}))`
}

const sourceRecord = sql.raw(
  `(lead_id uuid, platform text, listing_id text, is_primary boolean, last_seen_at timestamptz, card_hash text, etag text,
    last_modified text)`,
)

/** SQL: what goes with the row of a lead `l`, what of the lead that stays `moveAttachments` changes, and what other features keep. */
export function attachedJson(leadId: string, saved: Record<string, object[]>) {
  return sql`jsonb_build_object(
    'duplicates', ${jsonList(`to_jsonb(k) - 'tenant_id'`, 'lead_duplicates k where k.tenant_id = l.tenant_id and l.id in (k.lead_id, k.other_lead_id)')},
    'saved', ${JSON.stringify(saved)}::jsonb,
    'statusChangedAt', (select s.status_changed_at from leads s where s.tenant_id = l.tenant_id and s.id = ${leadId}))`
}

/** The sources of the other, its notes, and when it was last moved on. */
export async function moveAttachments(tx: Tx, leadId: string, otherId: string): Promise<void> {
  await sql`
    update lead_sources set lead_id = ${leadId}, is_primary = false
    where tenant_id = ${getTenantId(tx)} and lead_id = ${otherId}`.execute(tx)
  // It goes on following what it followed; if that is no advert that stands, one of the other's.
  await electPrimarySources(tx, [leadId])
  const { rows } = await sql`
    update notes set lead_id = ${leadId} where tenant_id = ${getTenantId(tx)} and lead_id = ${otherId} returning id`.execute(
    tx,
  )
  await adjustNotesCount(tx, [{ leadId, by: rows.length, now: null }])
  await inheritListingPriceAndStatusTime(tx, leadId, otherId)
}

/** Takes back what was moved, to the lead that is there again. */
export async function restoreAttachments(tx: Tx, merge: MergeAttachments): Promise<void> {
  const { leadId, absorbedId, sources, noteIds } = merge
  const saved = sql`jsonb_to_recordset(${JSON.stringify(sources)}::jsonb) as i ${sourceRecord}`
  await sql`
    update lead_sources s set lead_id = coalesce(i.lead_id, ${absorbedId}), is_primary = i.is_primary, card_hash = i.card_hash,
      etag = i.etag, last_modified = i.last_modified
    from ${saved}
    where s.tenant_id = ${getTenantId(tx)} and s.lead_id = ${leadId} and s.platform = i.platform and s.listing_id = i.listing_id`.execute(
    tx,
  )
  // An advert that was seen meanwhile was read into the lead that stays: for the other, its card and its page are news. That
  // its page was once read stays true: no card takes the place of what was read there.
  await sql`
    update lead_sources s set card_hash = null, etag = null, last_modified = null
    where s.tenant_id = ${getTenantId(tx)} and s.lead_id in (${leadId}, ${absorbedId}) and not exists (
      select from ${saved}
      where i.platform = s.platform and i.listing_id = s.listing_id and i.last_seen_at = s.last_seen_at)`.execute(
    tx,
  )
  await electPrimarySources(tx, [leadId, absorbedId])
  const { rows } = await sql`
    update notes set lead_id = ${absorbedId}
    where tenant_id = ${getTenantId(tx)} and lead_id = ${leadId} and id = any(${noteIds}::uuid[]) returning id`.execute(
    tx,
  )
  await adjustNotesCount(tx, [
    { leadId: absorbedId, by: rows.length, now: null },
    { leadId, by: -rows.length, now: null },
  ])
  const { statusChangedAt } = merge.moved_references
  if (statusChangedAt !== undefined) await restoreStatusTime(tx, leadId, absorbedId, statusChangedAt)
  await restoreDuplicates(tx, merge)
  await callHook(tx, mergeUndone, { leadId, absorbedId, sources, saved: merge.moved_references.saved ?? {} })
}

/** One with a lead that was itself made one with another meanwhile waits there until that is undone. */
async function restoreDuplicates(tx: Tx, { id, moved_references }: MergeAttachments): Promise<void> {
  if (!moved_references.duplicates?.length) return
  const saved = sql`jsonb_to_recordset(${JSON.stringify(moved_references.duplicates)}::jsonb) as k
    (lead_id uuid, other_lead_id uuid, score float8, reason text, created_at timestamptz, dismissed_at timestamptz)`
  await sql`
    update lead_merges m set moved_references = jsonb_set(m.moved_references, '{duplicates}', coalesce(m.moved_references -> 'duplicates', '[]') || (
      select jsonb_agg(to_jsonb(k)) from ${saved} where m.absorbed_id in (k.lead_id, k.other_lead_id)))
    where m.tenant_id = ${getTenantId(tx)} and m.undone_at is null and m.id <> ${id} and m.absorbed_id in (select unnest(array[k.lead_id, k.other_lead_id]) from ${saved})`.execute(
    tx,
  )
  await sql`
    insert into lead_duplicates (tenant_id, lead_id, other_lead_id, score, reason, created_at, dismissed_at)
    select ${getTenantId(tx)}::uuid, k.* from ${saved}
    where (select count(*) from leads l where l.tenant_id = ${getTenantId(tx)} and l.id in (k.lead_id, k.other_lead_id)) = 2
    on conflict do nothing returning true`.execute(tx)
}
