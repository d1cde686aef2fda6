/** The SQL statements of runs. */
import { type RawBuilder, sql } from 'kysely'
import { createId, sqlMachineNow, sqlNow, sqlNowFor } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import { fetchPage, jsonObject, type ListRow, type Page } from '../../../kit/db/json.ts'
import type { Position } from '../../../kit/page.ts'
import { notFound } from '../../../kit/problem.ts'
import { sanitizeJson } from '../../../kit/sanitize-text.ts'
import type { ResultPosition } from '../../extractions/service.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import { runColumns } from '../campaigns/run-json.ts'

export interface RunReason {
  code: string
  message: string
}

/** A run, and the end of its extraction. */
export interface RunRow {
  id: string
  campaignId: string
  status: 'running' | 'completed' | 'failed'
  extractionId: string
  incremental: boolean
  joined: number
  position: ResultPosition | null
  startedAt: Date
  extractionStatus: 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED'
  error: RunReason | null
  portalTotal: number | null
  /** Listings that were not stored, because the quota of leads was used up. */
  overQuota: number
  /** Listings of the search that were not read. */
  isPartial: boolean
  /** Listings that were read. */
  listingsRead: number
  /** Listings that could not be read. */
  unreadable: number
}

const columns = sql.raw(`
  r.id, r.campaign_id as "campaignId", r.status, r.extraction_id as "extractionId", r.incremental, r.joined, r.position,
  r.started_at as "startedAt", e.status as "extractionStatus", e.reported_total as "portalTotal",
  coalesce((e.skipped_by_reason ->> 'quotaExceeded')::int, 0) as "overQuota", coalesce(e.outcome = 'partial', false) as "isPartial",
  e.listings_found + e.processed_before - e.failed as "listingsRead", e.failed as unreadable,
  case when e.error_code is not null then jsonb_build_object('code', e.error_code, 'message', e.error_message) end as error`)

/** The campaign of a run; null: the run was deleted. */
export async function findCampaignOf(tx: Tx, runId: string): Promise<string | null> {
  const { rows } = await sql<{ campaignId: string }>`
    select campaign_id as "campaignId" from campaign_runs where tenant_id = ${getTenantId(tx)} and id = ${runId}`.execute(
    tx,
  )
  return rows[0]?.campaignId ?? null
}

/** Finds a run whose extraction was started, and locks it until the transaction ends. */
export async function lockRun(tx: Tx, id: string): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`
    select ${columns} from campaign_runs r join extractions e on e.tenant_id = r.tenant_id and e.id = r.extraction_id
    where r.tenant_id = ${getTenantId(tx)} and r.id = ${id} for no key update of r`.execute(tx)
  return rows[0]
}

export async function insertRun(
  tx: Tx,
  { campaignId, incremental }: { campaignId: string; incremental: boolean },
): Promise<string> {
  const id = createId(tx)
  await sql`
    insert into campaign_runs (tenant_id, id, campaign_id, status, incremental, started_at)
    values (${getTenantId(tx)}, ${id}, ${campaignId}, 'running', ${incremental}, ${sqlNow(tx)})`.execute(tx)
  return id
}

/** The run that had this extraction. */
export async function findRunWith(
  tx: Tx,
  extractionId: string,
): Promise<{ incremental: boolean; startedAt: Date } | undefined> {
  const { rows } = await sql<{ incremental: boolean; startedAt: Date }>`
    select incremental, started_at as "startedAt" from campaign_runs
    where tenant_id = ${getTenantId(tx)} and extraction_id = ${extractionId}`.execute(tx)
  return rows[0]
}

export async function setExtraction(tx: Tx, id: string, extractionId: string): Promise<void> {
  await sql`
    update campaign_runs set extraction_id = ${extractionId} where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(
    tx,
  )
}

export async function recordJoined(
  tx: Tx,
  { id, joined, position }: { id: string; joined: number; position: ResultPosition },
): Promise<void> {
  await sql`
    update campaign_runs set joined = joined + ${joined}, position = ${position}::text[]
    where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
}

/** `reason`: why it failed, or what it left out. */
export async function endRun(
  tx: Tx,
  id: string,
  { status, reason }: { status: 'completed' | 'failed'; reason: RunReason | null },
): Promise<void> {
  await sql`
    update campaign_runs set status = ${status}, reason = ${reason && JSON.stringify(reason)}::jsonb,
      finished_at = ${sqlNow(tx)}
    where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
}

export interface RunHistory {
  isRunning: boolean
  /** When the last completed run began; null: none has completed. */
  completedStartedAt: Date | null
  /** Runs that have failed since. */
  failures: number
}

/** What the runs of the campaign's present search have come to, without the run `except`. */
export async function readHistory(
  tx: Tx,
  { id: campaignId, searchChangedAt }: Pick<CampaignRow, 'id' | 'searchChangedAt'>,
  except: string | null = null,
): Promise<RunHistory> {
  const ofCampaign = sql`r.tenant_id = ${getTenantId(tx)} and r.campaign_id = ${campaignId} and r.id is distinct from ${except}::uuid`
  const ofSearch = sql`${ofCampaign} and r.started_at >= coalesce(${searchChangedAt}::timestamptz, '-infinity')`
  const { rows } = await sql<RunHistory>`
    select last.started_at as "completedStartedAt",
      exists (select from campaign_runs r where ${ofCampaign} and r.status = 'running') as "isRunning",
      (select count(*) from campaign_runs r
        where ${ofSearch} and r.status = 'failed' and (last.id is null or r.id > last.id)) as failures
    from (select) one left join lateral (
      select r.id, r.started_at from campaign_runs r where ${ofSearch} and r.status = 'completed'
      order by r.id desc limit 1) last on true`.execute(tx)
  return rows[0]!
}

/** Deletes all runs but the newest. */
export async function deleteOldRuns(tx: Tx, campaignId: string, kept: number): Promise<void> {
  await sql`
    delete from campaign_runs where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId} and id < (
      select id from campaign_runs where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId}
      order by id desc offset ${kept} limit 1)`.execute(tx)
}

const runJson = jsonObject(runColumns)

/** A page of the runs of a campaign, the newest first. */
export function listRuns(tx: Tx, campaignId: string, limit: number, after: Position | null): Promise<Page> {
  const conditions: RawBuilder<unknown>[] = [
    sql`r.tenant_id = ${getTenantId(tx)}`,
    sql`r.campaign_id = ${campaignId}`,
  ]
  if (after) conditions.push(sql`r.id < ${after[0]}::uuid`)
  const rows = sql<ListRow>`
    select ${runJson} as json, array[r.id::text] as position
    from campaign_runs r left join extractions e on e.tenant_id = r.tenant_id and e.id = r.extraction_id
    where ${sql.join(conditions, sql` and `)} order by r.id desc limit ${limit + 1}`
  return fetchPage(tx, rows, limit)
}

/** Throws 404. */
export async function getRunExtraction(tx: Tx, campaignId: string, id: string): Promise<string | null> {
  const { rows } = await sql<{ extractionId: string | null }>`
    select extraction_id as "extractionId" from campaign_runs
    where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId} and id = ${id}`.execute(tx)
  if (!rows[0]) throw notFound('run')
  return rows[0].extractionId
}

/** Finds the run of an extraction; undefined: no campaign has started it, or its run has ended. */
export async function findRunOf(tx: Tx, extractionId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from campaign_runs
    where tenant_id = ${getTenantId(tx)} and extraction_id = ${extractionId} and status = 'running'`.execute(
    tx,
  )
  return rows[0]?.id
}

/** Campaigns whose run is due. */
export async function listDueCampaigns(tx: Tx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from campaigns
    where tenant_id = ${getTenantId(tx)} and status = 'running' and next_run_at <= ${sqlNow(tx)}
    order by next_run_at, id limit ${limit}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Runs whose extraction has ended. */
export async function listEndedRuns(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select r.id from campaign_runs r join extractions e on e.tenant_id = r.tenant_id and e.id = r.extraction_id
    where r.tenant_id = ${getTenantId(tx)} and r.status = 'running' and e.status in ('COMPLETED', 'FAILED', 'CANCELLED')
    order by r.id`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * When the next run is due; a past time while one goes on, so that a moved clock waits for it. One that a portal or a missing
 * worker has stopped for ten seconds is not waited for.
 */
export async function findNextRunAt(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      (select min(next_run_at) from campaigns
        where tenant_id = ${getTenantId(tx)} and status = 'running' and next_run_at is not null),
      (select min(r.started_at) from campaign_runs r
        join extractions e on e.tenant_id = r.tenant_id and e.id = r.extraction_id
        where r.tenant_id = ${getTenantId(tx)} and r.status = 'running'
          and (e.status not in ('QUEUED', 'RUNNING') or e.progressed_at > ${sqlMachineNow} - interval '10 seconds'))) as at`.execute(
    tx,
  )
  return rows[0]!.at
}

export async function listTenantsWithDueRuns({ owner }: Database): Promise<string[]> {
  const { rows } = await sql<{ tenantId: string }>`
    select distinct tenant_id as "tenantId" from campaigns
    where status = 'running' and next_run_at <= ${sqlNowFor('campaigns.tenant_id')}
    union
    select distinct tenant_id from campaign_runs where status = 'running'`.execute(owner)
  return rows.map(({ tenantId }) => tenantId)
}

/** Which of these leads have no listing that was published, or else first seen, on `date` or later. */
export async function findLeadsBefore(tx: Tx, leadIds: readonly string[], date: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select l.id from leads l
    where l.tenant_id = ${getTenantId(tx)} and l.id = any(${leadIds}::uuid[])
      and coalesce(l.published_at, l.created_at) < (
        select ${date}::date::timestamp at time zone w.timezone from workspaces w)`.execute(tx)
  return rows.map(({ id }) => id)
}

/** What a run changes in its campaign, which is locked. */
export async function applyRunEffects(
  tx: Tx,
  campaignId: string,
  { allUrlsChecked, segmentation }: Pick<CampaignRow, 'allUrlsChecked' | 'segmentation'>,
): Promise<void> {
  await sql`
    update campaigns set all_urls_checked = ${allUrlsChecked}, segmentation = ${sanitizeJson(segmentation)}::jsonb
    where tenant_id = ${getTenantId(tx)} and id = ${campaignId}`.execute(tx)
}
