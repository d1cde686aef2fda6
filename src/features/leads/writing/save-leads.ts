/** Saves leads from the API and from imports: creates new leads, and updates existing ones that match. */

import { sql } from 'kysely'
import { statesNoAgencies } from '../../../domain/contactability/no-agencies.ts'
import { isTextOfValue } from '../../../domain/table/exported-cells.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { getIdTime, newId } from '../../../kit/id.ts'
import { reserveUpTo } from '../../../kit/quota.ts'
import { sanitizeJson } from '../../../kit/sanitize-text.ts'
import { leadsPerMonth } from '../quotas.ts'
import { withInitialEdits } from '../record/edited-columns.ts'
import { findErasedInputs } from '../record/erased-people.ts'
import { type Derived, deriveValues } from '../record/index-leads.ts'
import { leadChecksum } from '../record/lead-checksum.ts'
import { applyInput, type CustomValue, type LeadInput } from '../record/lead-input.ts'
import { changesBetween, emptyRow, type LeadRow, lockRows, type RowChanges } from '../record/lead-row.ts'
import { getWorkspaceLocale, type WorkspaceLocale } from '../record/workspace-locale.ts'
import { type ChangedLead, insertLeads, updateLeads } from '../record/write-leads.ts'
import { findLeadsByExternalId } from './lead-candidates.ts'
import { type MatchOptions, matchLeads, type SourceKey } from './match-leads.ts'

export interface InputOrigin {
  /** The name of the source: `api`, `csv_import`, `inbound`, `booking`. */
  platform: string
  importId: string | null
  campaignId: string | null
}

export type SourcedInput = LeadInput & {
  /** The writer's own id of the lead, if it has one. */
  sourceRecordId: string | null
  /** A unique id that is generated for this write. */
  generatedSourceId: string
  /** The person requests contact. */
  isRequest?: boolean
  prepared?: PreparedLead
}

/** The new lead of an input. It takes time but no database: a caller may compute it before its transaction. */
export interface PreparedLead {
  /** The row without an id. */
  row: LeadRow
  derived: Derived
}

type Locale = Omit<WorkspaceLocale, 'timezone'>

export function prepareLead(input: LeadInput, locale: Locale): PreparedLead {
  const row = toNewRow(input, locale)
  return { row, derived: deriveValues(row) }
}

const toNewRow = (input: LeadInput, locale: Locale) => applyInput(emptyRow(''), input, locale, new Date(0))

/** Gives a new row its id. Its first price has the time of the lead. */
function assignId(row: LeadRow, now: Date): LeadRow {
  const id = newId(now)
  const priceHistory = row.price === null ? [] : [{ price: row.price, at: getIdTime(id).toISOString() }]
  return { ...row, id, price_history: priceHistory }
}

/** `hasIdConflict`: other leads have its id, but the facts do not match, so the id was ignored. */
export type SavedLead = { hasIdConflict: boolean } & (
  | { result: 'created'; leadId: string }
  | { result: 'updated'; leadId: string; changes: RowChanges }
  | { result: 'unchanged'; leadId: string }
  /**
   * `LEAD_EXISTS`: the lead exists, and `onMatch` is `skip`. `DUPLICATE_IN_BATCH`: this import or batch has already
   * written the lead. `SUPPRESSED`: the person was erased.
   */
  | {
      result: 'skipped'
      leadId: string | null
      /** The existing lead has an external id. */
      hasExternalId: boolean
      reason: 'LEAD_EXISTS' | 'DUPLICATE_IN_BATCH' | 'QUOTA_EXCEEDED' | 'SUPPRESSED'
    }
)

export interface SaveOptions extends MatchOptions {
  /** Update an existing lead, or leave it unchanged. */
  onMatch: 'update' | 'skip'
  /** ISO 3166-1 alpha-2, for phone numbers without a prefix; if omitted, the country of the workspace. */
  country?: string
  /** The locale of the workspace, if the caller has read it. */
  locale?: WorkspaceLocale
  /** Only compute the results. The quota is reserved nevertheless. */
  isDryRun?: boolean
}

/**
 * Saves a batch in the caller's transaction and returns one result for each input, in order. New leads count towards
 * `maxLeadsPerMonth`. No known identifier is lost: new identifiers are added to those of the person.
 */
export async function saveLeads(
  tx: Tx,
  origin: InputOrigin,
  inputs: SourcedInput[],
  options: SaveOptions,
): Promise<SavedLead[]> {
  if (inputs.length === 0) return []
  // Independent statements are sent at once, here and below.
  const localePromise = readLocale(tx, options)
  const [locale, erased] = await Promise.all([localePromise, findErasedInputs(tx, inputs, localePromise)])
  const allowed = inputs.filter(input => !erased.has(input))
  const results = (await saveAllowed(tx, origin, allowed, { ...options, locale })).values()
  return inputs.map(input =>
    erased.has(input)
      ? { result: 'skipped', leadId: null, hasExternalId: false, reason: 'SUPPRESSED', hasIdConflict: false }
      : results.next().value!,
  )
}

async function readLocale(tx: Tx, { locale, country }: SaveOptions): Promise<WorkspaceLocale> {
  const workspaceLocale = locale ?? (await getWorkspaceLocale(tx))
  return { ...workspaceLocale, country: country ?? workspaceLocale.country }
}

async function saveAllowed(
  tx: Tx,
  origin: InputOrigin,
  inputs: SourcedInput[],
  { locale, ...options }: SaveOptions & { locale: WorkspaceLocale },
): Promise<SavedLead[]> {
  const now = getNow(tx)
  const records = inputs.map(input => ({
    input,
    row: assignId(input.prepared?.row ?? toNewRow(input, locale), now),
  }))
  const [matches, externalIdHolders] = await Promise.all([
    matchLeads(tx, origin.platform, records, options),
    findLeadsByExternalId(
      tx,
      inputs.flatMap(({ externalId }) => externalId ?? []),
    ),
  ])
  /** Sets the external id: the former one, or else the requested one if no other lead has it. */
  const withExternalId = (row: LeadRow, before: unknown = null): LeadRow => {
    const requestedId = row.external_id as string | null
    const isFree = requestedId === null || (externalIdHolders.get(requestedId) ?? row.id) === row.id
    const externalId = before ?? (isFree ? requestedId : null)
    if (externalId !== null) externalIdHolders.set(externalId as string, row.id)
    return { ...row, external_id: externalId }
  }
  const leadIds = [...new Set(matches.flatMap(({ leadId }) => leadId ?? []))]
  const alreadyWritten = (await options.findAlreadyWritten?.(leadIds)) ?? new Set()
  const newCount = matches.filter(({ leadId }) => leadId === null).length
  const [reserved, knownRows] = await Promise.all([
    newCount === 0 ? 0 : reserveUpTo(tx, leadsPerMonth, newCount, locale.timezone),
    lockRows(tx, leadIds),
  ])
  let granted = reserved

  const created: SourcedRow[] = []
  const updated: ChangedLead[] = []
  const seen: SourcedRow[] = []
  const overQuotaIds = new Set<string>()
  const results = matches.map(({ input, row, leadId, isDuplicate, source, hasIdConflict }): SavedLead => {
    const skip = (reason: 'LEAD_EXISTS' | 'DUPLICATE_IN_BATCH' | 'QUOTA_EXCEEDED') => {
      const exists = leadId !== null && !overQuotaIds.has(leadId)
      const hasExternalId = exists && typeof knownRows.get(leadId)?.row.external_id === 'string'
      return {
        result: 'skipped',
        leadId: exists ? leadId : null,
        hasExternalId,
        reason,
        hasIdConflict,
      } as const
    }
    if (isDuplicate || (leadId !== null && alreadyWritten.has(leadId))) return skip('DUPLICATE_IN_BATCH')
    if (leadId === null) {
      if (granted === 0) {
        overQuotaIds.add(row.id)
        return skip('QUOTA_EXCEEDED')
      }
      granted--
      const stated = withInitialEdits(withExternalId(row), { isFromFile: origin.importId !== null })
      const campaignId = row.campaign_id ?? origin.campaignId
      created.push({ row: { ...stated, campaign_id: campaignId }, source, derived: input.prepared?.derived })
      return { result: 'created', leadId: row.id, hasIdConflict }
    }
    if (options.onMatch === 'skip') return skip('LEAD_EXISTS')
    const before = knownRows.get(leadId)!.row
    const after = withExternalId(mergeInput(before, input, locale, now), before.external_id)
    const changes = changesBetween(before, after)
    seen.push({ row: after, source })
    if (Object.keys(changes).length === 0) return { result: 'unchanged', leadId, hasIdConflict }
    updated.push({ before, after })
    return { result: 'updated', leadId, changes, hasIdConflict }
  })
  if (!options.isDryRun) await write(tx, origin, { created, updated, seen, now })
  return results
}

interface SaveBatch {
  created: SourcedRow[]
  updated: ChangedLead[]
  /** All existing leads of the batch, updated or not. */
  seen: SourcedRow[]
  now: Date
}

async function write(tx: Tx, origin: InputOrigin, { created, updated, seen, now }: SaveBatch): Promise<void> {
  await Promise.all([
    insertLeads(tx, created),
    updateLeads(tx, updated, now),
    insertSources(tx, origin, created, null),
    insertSources(tx, origin, seen, now),
  ])
}

interface SourcedRow {
  row: LeadRow
  source: SourceKey
  derived?: Derived | undefined
}

/** The row with the input applied; new phones, addresses and tags are added to the existing ones. */
function mergeInput(row: LeadRow, input: LeadInput, locale: WorkspaceLocale, now: Date): LeadRow {
  const merged = applyInput(row, input, locale, now)
  const isOther = (value: unknown) => value !== null && value !== merged.phone && value !== merged.email
  merged.identifiers = [
    ...new Set([...(row.identifiers as string[]), ...(merged.identifiers as string[]), row.phone, row.email]),
  ].filter(isOther)
  merged.tags = [...new Set([...(row.tags as string[]), ...(merged.tags as string[])])]
  // Another notation of the same phone, and a cell that shows the same custom value as text, are no changes.
  if (merged.phone !== null && merged.phone === row.phone) merged.phone_raw = row.phone_raw
  const formerFields = row.custom_fields as Record<string, CustomValue>
  const fields = Object.entries(merged.custom_fields as Record<string, CustomValue>)
  merged.custom_fields = Object.fromEntries(
    fields.map(([name, value]) => [
      name,
      Object.hasOwn(formerFields, name) && isTextOfValue(value, formerFields[name]!)
        ? formerFields[name]!
        : value,
    ]),
  )
  return merged
}

/** `seenAt`: null for new leads, whose first source has the time of the lead and stores its checksum. */
async function insertSources(
  tx: Tx,
  { platform, importId, campaignId }: InputOrigin,
  sources: SourcedRow[],
  seenAt: Date | null,
): Promise<void> {
  if (sources.length === 0) return
  const rows = sources.map(({ row, source }) => ({
    lead_id: row.id,
    listing_id: source.listingId,
    external_id: source.externalId,
    url: row.url,
    no_agencies: statesNoAgencies(`${row.title ?? ''}\n${row.description ?? ''}`),
  }))
  const isNew = seenAt === null
  await sql`
    insert into lead_sources (tenant_id, platform, listing_id, external_id, lead_id, url, import_id, campaign_id, first_seen_at, last_seen_at,
      is_primary, no_agencies, written_checksum)
    select ${getTenantId(tx)}::uuid, ${platform}, i.listing_id, i.external_id, i.lead_id, i.url, ${importId}::uuid, ${campaignId}::uuid,
      coalesce(${seenAt}::timestamptz, l.created_at), coalesce(${seenAt}::timestamptz, l.created_at), ${isNew}, i.no_agencies,
      ${isNew && importId !== null ? leadChecksum : sql`null::bigint`}
    from json_to_recordset(${sanitizeJson(rows)}::json) as i (lead_id uuid, listing_id text, external_id text, url text, no_agencies boolean)
    join leads l on l.tenant_id = ${getTenantId(tx)} and l.id = i.lead_id
    on conflict (tenant_id, platform, listing_id) do update set last_seen_at = excluded.last_seen_at,
      no_agencies = excluded.no_agencies
    returning true`.execute(tx)
}
