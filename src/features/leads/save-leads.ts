/** Leads that people and programs write: stored as new ones, or laid over the lead that they are of already. */
import { sql } from 'kysely'
import { agenciesAbstain } from '../../domain/contactability/abstain.ts'
import type { Tx } from '../../kit/db/index.ts'
import { idTime, newId } from '../../kit/id.ts'
import { reserveUpTo } from '../../kit/quota.ts'
import { findErasedDrafts } from './erased.ts'
import { getHome, type Home } from './home.ts'
import { type LeadDraft, layOver } from './lead-draft.ts'
import { findMeanings } from './lead-meaning.ts'
import {
  changesBetween,
  emptyRow,
  insertRows,
  type LeadRow,
  lockRows,
  type RowChanges,
  updateRows,
} from './lead-row.ts'
import { stringify, takeTurn } from './lead-sources.ts'

export interface DraftOrigin {
  /** What the source is called: `api`, `csv_import`. */
  platform: string
  importId: string | null
  campaignId: string | null
}

/** `sourceId`: the writer's own id of the lead, or one made up for this writing of it. */
export type SourcedDraft = LeadDraft & { sourceId: string }

export type SavedDraft =
  | { result: 'created'; leadId: string }
  | { result: 'updated'; leadId: string; changes: RowChanges }
  | { result: 'unchanged'; leadId: string }
  /**
   * `KNOWN`: it is that lead, which was to be left as it is. `REPEATED`: this import, or this batch, has brought it already.
   * `SUPPRESSED`: the person was erased.
   */
  | { result: 'skipped'; leadId: string | null; reason: 'KNOWN' | 'REPEATED' | 'OVER_QUOTA' | 'SUPPRESSED' }

export interface SaveOptions {
  /** What is done with a lead that is known: what is written is laid over it, or it stays as it is. */
  onMatch: 'update' | 'skip'
  /** Of these leads, those that this import has written already: to lay a second row over the first would hide one. */
  findRepeated?(leadIds: string[]): Promise<Set<string>>
}

/**
 * Stores a batch of drafts in the caller's transaction and says what became of each. New leads are counted against
 * `maxLeadsPerMonth`. Nothing that is known of a person is lost: what is written anew comes beside it.
 */
export async function saveDrafts(
  tx: Tx,
  origin: DraftOrigin,
  drafts: SourcedDraft[],
  options: SaveOptions,
): Promise<SavedDraft[]> {
  if (drafts.length === 0) return []
  await takeTurn(tx)
  const home = await getHome(tx)
  const erased = await findErasedDrafts(tx, origin.platform, drafts, home.country)
  const welcome = drafts.filter(draft => !erased.has(draft))
  const results = (await saveWelcome(tx, origin, welcome, { ...options, home })).values()
  return drafts.map(draft =>
    erased.has(draft) ? { result: 'skipped', leadId: null, reason: 'SUPPRESSED' } : results.next().value!,
  )
}

async function saveWelcome(
  tx: Tx,
  origin: DraftOrigin,
  drafts: SourcedDraft[],
  { onMatch, findRepeated, home }: SaveOptions & { home: Home },
): Promise<SavedDraft[]> {
  const now = new Date()
  const written = drafts.map(draft => ({ draft, row: layOver(emptyRow(newId()), draft, home, now) }))
  const meanings = await findMeanings(tx, origin.platform, written)
  const repeated = (await findRepeated?.(meanings.flatMap(({ leadId }) => leadId ?? []))) ?? new Set()
  const fresh = meanings.filter(({ leadId, isRepeated }) => leadId === null && !isRepeated).length
  let granted = fresh === 0 ? 0 : await reserveUpTo(tx, 'maxLeadsPerMonth', fresh)
  const known = await lockRows(tx, [...new Set(meanings.flatMap(({ leadId }) => leadId ?? []))])

  const created: Sourced[] = []
  const updated: LeadRow[] = []
  const seen: Sourced[] = []
  const results = meanings.map(({ draft, row, leadId, isRepeated }): SavedDraft => {
    if (isRepeated || (leadId !== null && repeated.has(leadId)))
      return { result: 'skipped', leadId, reason: 'REPEATED' }
    if (leadId === null) {
      if (granted === 0) return { result: 'skipped', leadId: null, reason: 'OVER_QUOTA' }
      granted--
      created.push({
        row: { ...row, campaign_id: row.campaign_id ?? origin.campaignId },
        sourceId: draft.sourceId,
      })
      return { result: 'created', leadId: row.id }
    }
    if (onMatch === 'skip') return { result: 'skipped', leadId, reason: 'KNOWN' }
    const before = known.get(leadId)!.row
    const after = addTo(before, draft, home, now)
    const changes = changesBetween(before, after)
    seen.push({ row: after, sourceId: draft.sourceId })
    if (Object.keys(changes).length === 0) return { result: 'unchanged', leadId }
    updated.push(after)
    return { result: 'updated', leadId, changes }
  })
  await insertRows(
    tx,
    created.map(({ row }) => ({ ...row, created_at: idTime(row.id) })),
  )
  await updateRows(tx, updated, now)
  await insertDraftSources(tx, origin, created, true)
  await insertDraftSources(tx, origin, seen, false)
  return results
}

interface Sourced {
  row: LeadRow
  sourceId: string
}

/** The draft laid over a known row: another telephone, address or tag comes beside those that are known. */
function addTo(row: LeadRow, draft: LeadDraft, home: Home, now: Date): LeadRow {
  const laid = layOver(row, draft, home, now)
  const isOther = (value: unknown) => value !== null && value !== laid.phone && value !== laid.email
  laid.identifiers = [
    ...new Set([...(row.identifiers as string[]), ...(laid.identifiers as string[]), row.phone, row.email]),
  ].filter(isOther)
  laid.tags = [...new Set([...(row.tags as string[]), ...(laid.tags as string[])])]
  return laid
}

async function insertDraftSources(
  tx: Tx,
  { platform, importId, campaignId }: DraftOrigin,
  sources: Sourced[],
  isPrimary: boolean,
): Promise<void> {
  if (sources.length === 0) return
  const rows = sources.map(({ row, sourceId }) => ({
    ...{ lead_id: row.id, listing_id: sourceId, url: row.url },
    agencies_abstain: agenciesAbstain(`${row.title ?? ''}\n${row.description ?? ''}`),
  }))
  await sql`
    insert into lead_sources (platform, listing_id, lead_id, url, import_id, campaign_id, first_seen_at, last_seen_at, is_primary, agencies_abstain)
    select ${platform}, i.listing_id, i.lead_id, i.url, ${importId}::uuid, ${campaignId}::uuid, l.created_at, l.updated_at, ${isPrimary},
      i.agencies_abstain
    from jsonb_to_recordset(${stringify(rows)}::jsonb) as i (lead_id uuid, listing_id text, url text, agencies_abstain boolean)
    join leads l on l.id = i.lead_id
    on conflict (tenant_id, platform, listing_id) do update set last_seen_at = excluded.last_seen_at,
      agencies_abstain = excluded.agencies_abstain`.execute(tx)
}
