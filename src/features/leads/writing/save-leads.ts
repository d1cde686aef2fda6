/** Leads that people and programs write: stored as new ones, or laid over the lead that they are of already. */

import { sql } from 'kysely'
import { agenciesAbstain } from '../../../domain/contactability/abstain.ts'
import { isWrittenAs } from '../../../domain/table/exported-cells.ts'
import { nowOf } from '../../../kit/clock/clock.ts'
import { tenantIdOf } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { idTime, newId } from '../../../kit/id.ts'
import { reserveUpTo } from '../../../kit/quota.ts'
import { storableJson } from '../../../kit/storable.ts'
import { leadsPerMonth } from '../quotas.ts'
import { withStated } from '../record/edited-columns.ts'
import { findErasedDrafts } from '../record/erased.ts'
import { type Derived, deriveFrom } from '../record/file-leads.ts'
import { getHome, type Home } from '../record/home.ts'
import { type CustomValue, type LeadDraft, layOver } from '../record/lead-draft.ts'
import { printOf } from '../record/lead-print.ts'
import { changesBetween, emptyRow, type LeadRow, lockRows, type RowChanges } from '../record/lead-row.ts'
import { type ChangedLead, insertLeads, updateLeads } from '../record/write-leads.ts'
import { findExternalIds } from './lead-candidates.ts'
import { findMeanings, type MeaningOptions, type SourceName } from './lead-meaning.ts'

export interface DraftOrigin {
  /** What the source is called: `api`, `csv_import`. */
  platform: string
  importId: string | null
  campaignId: string | null
}

/** `idAtSource`: the writer's own id of the lead, if it has one; `sourceId`: one made up for this writing of it. */
export type SourcedDraft = LeadDraft & { idAtSource: string | null; sourceId: string; fresh?: FreshLead }

/** The lead that a draft is if no other is meant: what takes time and no database, which a caller may find ahead. */
export interface FreshLead {
  /** Without an id. */
  row: LeadRow
  derived: Derived
}

type Place = Omit<Home, 'timezone'>

export function readFresh(draft: LeadDraft, place: Place): FreshLead {
  const row = freshRow(draft, place)
  return { row, derived: deriveFrom(row) }
}

const freshRow = (draft: LeadDraft, place: Place) => layOver(emptyRow(''), draft, place, new Date(0))

/** Its first price is as old as itself. */
function withId(row: LeadRow, now: Date): LeadRow {
  const id = newId(now)
  const price_history = row.price === null ? [] : [{ price: row.price, at: idTime(id).toISOString() }]
  return { ...row, id, price_history }
}

/** `isIdOfOthers`: its id is that of other leads, and what else it says is not about them, so that it was not gone by. */
export type SavedDraft = { isIdOfOthers: boolean } & (
  | { result: 'created'; leadId: string }
  | { result: 'updated'; leadId: string; changes: RowChanges }
  | { result: 'unchanged'; leadId: string }
  /**
   * `KNOWN`: it is that lead, which was to be left as it is. `REPEATED`: this import, or this batch, has brought it already.
   * `SUPPRESSED`: the person was erased.
   */
  | {
      result: 'skipped'
      leadId: string | null
      /** Whether that lead has an external id. */
      hasExternalId: boolean
      reason: 'KNOWN' | 'REPEATED' | 'OVER_QUOTA' | 'SUPPRESSED'
    }
)

export interface SaveOptions extends MeaningOptions {
  /** What is done with a lead that is known: what is written is laid over it, or it stays as it is. */
  onMatch: 'update' | 'skip'
  /** ISO 3166-1 alpha-2: how telephones are written; that of the workspace if missing. */
  country?: string
  /** Where the workspace is, from a caller that knows. */
  home?: Home
  /** Says what would become of each, and writes nothing but what it would take of the quota. */
  isTrial?: boolean
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
  // Sent at once, as whatever below needs no answer of another.
  const homeFound = findHome(tx, options)
  const [home, erased] = await Promise.all([homeFound, findErasedDrafts(tx, drafts, homeFound)])
  const welcome = drafts.filter(draft => !erased.has(draft))
  const results = (await saveWelcome(tx, origin, welcome, { ...options, home })).values()
  return drafts.map(draft =>
    erased.has(draft)
      ? { result: 'skipped', leadId: null, hasExternalId: false, reason: 'SUPPRESSED', isIdOfOthers: false }
      : results.next().value!,
  )
}

async function findHome(tx: Tx, { home, country }: SaveOptions): Promise<Home> {
  const own = home ?? (await getHome(tx))
  return { ...own, country: country ?? own.country }
}

async function saveWelcome(
  tx: Tx,
  origin: DraftOrigin,
  drafts: SourcedDraft[],
  { home, ...options }: SaveOptions & { home: Home },
): Promise<SavedDraft[]> {
  const now = nowOf(tx)
  const written = drafts.map(draft => ({
    draft,
    row: withId(draft.fresh?.row ?? freshRow(draft, home), now),
  }))
  const [meanings, claimed] = await Promise.all([
    findMeanings(tx, origin.platform, written, options),
    findExternalIds(
      tx,
      drafts.flatMap(({ externalId }) => externalId ?? []),
    ),
  ])
  /** Its own, unless another lead has it: what a file gives for an id takes none away. */
  const withOwnId = (row: LeadRow, before: unknown = null): LeadRow => {
    const wanted = row.external_id as string | null
    const isFree = wanted === null || (claimed.get(wanted) ?? row.id) === row.id
    const external_id = before ?? (isFree ? wanted : null)
    if (external_id !== null) claimed.set(external_id as string, row.id)
    return { ...row, external_id }
  }
  const leadIds = [...new Set(meanings.flatMap(({ leadId }) => leadId ?? []))]
  const repeated = (await options.findRepeated?.(leadIds)) ?? new Set()
  const fresh = meanings.filter(({ leadId }) => leadId === null).length
  const [reserved, known] = await Promise.all([
    fresh === 0 ? 0 : reserveUpTo(tx, leadsPerMonth, fresh, home.timezone),
    lockRows(tx, leadIds),
  ])
  let granted = reserved

  const created: Sourced[] = []
  const updated: ChangedLead[] = []
  const seen: Sourced[] = []
  const refused = new Set<string>()
  const results = meanings.map(({ draft, row, leadId, isRepeated, source, isIdOfOthers }): SavedDraft => {
    const skip = (reason: 'KNOWN' | 'REPEATED' | 'OVER_QUOTA') => {
      const isThere = leadId !== null && !refused.has(leadId)
      const hasExternalId = isThere && typeof known.get(leadId)?.row.external_id === 'string'
      return {
        result: 'skipped',
        leadId: isThere ? leadId : null,
        hasExternalId,
        reason,
        isIdOfOthers,
      } as const
    }
    if (isRepeated || (leadId !== null && repeated.has(leadId))) return skip('REPEATED')
    if (leadId === null) {
      if (granted === 0) {
        refused.add(row.id)
        return skip('OVER_QUOTA')
      }
      granted--
      const stated = withStated(withOwnId(row), { isOfFile: origin.importId !== null })
      const campaign_id = row.campaign_id ?? origin.campaignId
      created.push({ row: { ...stated, campaign_id }, source, derived: draft.fresh?.derived })
      return { result: 'created', leadId: row.id, isIdOfOthers }
    }
    if (options.onMatch === 'skip') return skip('KNOWN')
    const before = known.get(leadId)!.row
    const after = withOwnId(addTo(before, draft, home, now), before.external_id)
    const changes = changesBetween(before, after)
    seen.push({ row: after, source })
    if (Object.keys(changes).length === 0) return { result: 'unchanged', leadId, isIdOfOthers }
    updated.push({ before, after })
    return { result: 'updated', leadId, changes, isIdOfOthers }
  })
  if (!options.isTrial) await write(tx, origin, { created, updated, seen, now })
  return results
}

interface Writing {
  created: Sourced[]
  updated: ChangedLead[]
  /** Known leads, whether or not they are updated. */
  seen: Sourced[]
  now: Date
}

async function write(tx: Tx, origin: DraftOrigin, { created, updated, seen, now }: Writing): Promise<void> {
  await Promise.all([
    insertLeads(tx, created),
    updateLeads(tx, updated, now),
    insertDraftSources(tx, origin, created, null),
    insertDraftSources(tx, origin, seen, now),
  ])
}

interface Sourced {
  row: LeadRow
  source: SourceName
  derived?: Derived | undefined
}

/** The draft laid over a known row: another telephone, address or tag comes beside those that are known. */
function addTo(row: LeadRow, draft: LeadDraft, home: Home, now: Date): LeadRow {
  const laid = layOver(row, draft, home, now)
  const isOther = (value: unknown) => value !== null && value !== laid.phone && value !== laid.email
  laid.identifiers = [
    ...new Set([...(row.identifiers as string[]), ...(laid.identifiers as string[]), row.phone, row.email]),
  ].filter(isOther)
  laid.tags = [...new Set([...(row.tags as string[]), ...(laid.tags as string[])])]
  // The same number in another writing, and a table's text of what is a number here, are no news.
  if (laid.phone !== null && laid.phone === row.phone) laid.phone_raw = row.phone_raw
  const known = row.custom_fields as Record<string, CustomValue>
  const fields = Object.entries(laid.custom_fields as Record<string, CustomValue>)
  laid.custom_fields = Object.fromEntries(
    fields.map(([name, value]) => [
      name,
      Object.hasOwn(known, name) && isWrittenAs(known[name]!, value) ? known[name]! : value,
    ]),
  )
  return laid
}

/** `seenAt`: null for new leads, whose first source is as old as they are, and knows how they were written. */
async function insertDraftSources(
  tx: Tx,
  { platform, importId, campaignId }: DraftOrigin,
  sources: Sourced[],
  seenAt: Date | null,
): Promise<void> {
  if (sources.length === 0) return
  const rows = sources.map(({ row, source }) => ({
    ...{ lead_id: row.id, listing_id: source.listingId, external_id: source.externalId, url: row.url },
    agencies_abstain: agenciesAbstain(`${row.title ?? ''}\n${row.description ?? ''}`),
  }))
  const isNew = seenAt === null
  await sql`
    insert into lead_sources (tenant_id, platform, listing_id, external_id, lead_id, url, import_id, campaign_id, first_seen_at, last_seen_at,
      is_primary, agencies_abstain, written_print)
    select ${tenantIdOf(tx)}::uuid, ${platform}, i.listing_id, i.external_id, i.lead_id, i.url, ${importId}::uuid, ${campaignId}::uuid,
      coalesce(${seenAt}::timestamptz, l.created_at), coalesce(${seenAt}::timestamptz, l.created_at), ${isNew}, i.agencies_abstain,
      ${isNew && importId !== null ? printOf : sql`null::bigint`}
    from json_to_recordset(${storableJson(rows)}::json) as i (lead_id uuid, listing_id text, external_id text, url text, agencies_abstain boolean)
    join leads l on l.tenant_id = ${tenantIdOf(tx)} and l.id = i.lead_id
    on conflict (tenant_id, platform, listing_id) do update set last_seen_at = excluded.last_seen_at,
      agencies_abstain = excluded.agencies_abstain
    returning true`.execute(tx)
}
