/** The rows that refer to a lead: a merge moves them to the surviving lead, and the undo moves them back. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { callHook } from '../../../kit/hook.ts'
import { mergeUndone, repliesSeparated, type SeparatedReplies } from '../hooks.ts'
import { electPrimarySources } from '../listings/lead-sources.ts'
import {
  adjustNotesCount,
  inheritListingPriceAndStatusTime,
  restoreStatusTime,
} from '../record/write-leads.ts'

/** A merge to undo, as stored in `lead_merges`. */
export interface MergeAttachments {
  id: string
  leadId: string
  absorbedId: string
  /** The sources of both leads before the merge. */
  sources: object[]
  /** The notes of the absorbed lead. */
  noteIds: string[]
  movedReferences: {
    /** Rows of `lead_duplicates` that the deletion of the absorbed lead removed. */
    duplicates?: object[]
    /** The last status change of the surviving lead before the merge; missing in merges by earlier versions. */
    statusChangedAt?: string | null
    /** Its status and the time of the last reply before the merge. */
    status?: string
    lastReplyAt?: string | null
    /** The rows that other features saved, by their own names. */
    saved?: Partial<Record<string, object[]>>
  }
}

const jsonList = (row: string, from: string) =>
  sql.raw(`(select coalesce(jsonb_agg(${row}), '[]') from ${from})`)

/** SQL: the sources of the absorbed lead `l` and of the surviving lead. */
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

/** SQL: the column `moved_references` for a merge of the lead `l` into `leadId`. */
export function movedReferencesJson(leadId: string, saved: Record<string, object[]>) {
  return sql`jsonb_build_object(
    'duplicates', ${jsonList(`to_jsonb(k) - 'tenant_id'`, 'lead_duplicates k where k.tenant_id = l.tenant_id and l.id in (k.lead_id, k.other_lead_id)')},
    'saved', ${JSON.stringify(saved)}::jsonb,
    'statusChangedAt', (select s.status_changed_at from leads s where s.tenant_id = l.tenant_id and s.id = ${leadId}),
    'status', (select s.status from leads s where s.tenant_id = l.tenant_id and s.id = ${leadId}),
    'lastReplyAt', (select s.last_reply_at from leads s where s.tenant_id = l.tenant_id and s.id = ${leadId}))`
}

/**
 * Moves the sources and the notes from `otherId` to `leadId`, which also takes the later status change, and the listing
 * price if it has none.
 */
export async function moveAttachments(tx: Tx, leadId: string, otherId: string): Promise<void> {
  await sql`
    update lead_sources set lead_id = ${leadId}, is_primary = false
    where tenant_id = ${getTenantId(tx)} and lead_id = ${otherId}`.execute(tx)
  // The lead keeps its primary source, unless that is withdrawn and a source of the other lead is still listed.
  await electPrimarySources(tx, [leadId])
  const { rows } = await sql`
    update notes set lead_id = ${leadId} where tenant_id = ${getTenantId(tx)} and lead_id = ${otherId} returning id`.execute(
    tx,
  )
  await adjustNotesCount(tx, [{ leadId, by: rows.length, now: null }])
  await inheritListingPriceAndStatusTime(tx, leadId, otherId)
}

/**
 * Moves the sources and notes back to the restored lead, and restores its duplicates and the references of other features.
 * Returns the replies since the merge.
 */
export async function restoreAttachments(tx: Tx, merge: MergeAttachments): Promise<SeparatedReplies> {
  const { id: mergeId, leadId, absorbedId, sources, noteIds } = merge
  const saved = sql`jsonb_to_recordset(${JSON.stringify(sources)}::jsonb) as i ${sourceRecord}`
  await sql`
    update lead_sources s set lead_id = coalesce(i.lead_id, ${absorbedId}), is_primary = i.is_primary, card_hash = i.card_hash,
      etag = i.etag, last_modified = i.last_modified
    from ${saved}
    where s.tenant_id = ${getTenantId(tx)} and s.lead_id = ${leadId} and s.platform = i.platform and s.listing_id = i.listing_id`.execute(
    tx,
  )
  // Listings that were seen since the merge updated the surviving lead only: their card and page must be read again
  // for the other lead. `page_fetched_at` is kept, so that a card does not replace what was read from the page.
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
  const { statusChangedAt } = merge.movedReferences
  if (statusChangedAt !== undefined) await restoreStatusTime(tx, leadId, absorbedId, statusChangedAt)
  await restoreDuplicates(tx, merge)
  await callHook(tx, mergeUndone, { leadId, absorbedId, sources, saved: merge.movedReferences.saved ?? {} })
  const [replies] = await callHook(tx, repliesSeparated, { mergeId, leadId, absorbedId })
  return replies!
}

/**
 * Restores pairs of duplicates. If the other lead of a pair has been merged meanwhile, the pair is saved with that
 * merge.
 */
async function restoreDuplicates(tx: Tx, { id, movedReferences }: MergeAttachments): Promise<void> {
  if (!movedReferences.duplicates?.length) return
  const saved = sql`jsonb_to_recordset(${JSON.stringify(movedReferences.duplicates)}::jsonb) as k
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
