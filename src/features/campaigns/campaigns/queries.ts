/** The SQL statements of campaigns. */
import { type RawBuilder, sql } from 'kysely'
import type { Health } from '../../../domain/campaigns/health.ts'
import { createId, getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { isOneOf } from '../../../kit/db/is-one-of.ts'
import type { Position } from '../../../kit/page.ts'
import { notFound } from '../../../kit/problem.ts'
import { sanitizeJson, sanitizeText } from '../../../kit/sanitize-text.ts'
import { splitNames } from '../../../kit/schema.ts'
import { requestHeldUp } from '../held-up.ts'
import type { CampaignFilter } from './input-schemas.ts'
import type { CampaignRow } from './row.ts'

const columns = sql.raw(`
  id, name, status, mode, platform, contact_mode as "contactMode", account_id as "accountId", segmentation, settings,
  all_urls_checked as "allUrlsChecked", pause_reason as "pauseReason", seed, next_send_at as "nextSendAt", plan_at as "planAt", wait, next_run_at as "nextRunAt", search_changed_at as "searchChangedAt", contact_from as "contactFrom", health, health_since as "healthSince", version, created_by as "createdBy", basis_by as "basisBy", created_at as "createdAt",
  updated_at as "updatedAt", started_at as "startedAt", completed_at as "completedAt"`)

export async function selectCampaigns(
  tx: Tx,
  condition: RawBuilder<unknown>,
  rest: RawBuilder<unknown> = sql``,
): Promise<CampaignRow[]> {
  const { rows } = await sql<CampaignRow>`
    select ${columns} from campaigns where tenant_id = ${getTenantId(tx)} and ${condition} ${rest}`.execute(
    tx,
  )
  return rows
}

/** Finds campaigns by id, in any order. */
export const findCampaigns = (tx: Tx, ids: readonly string[]): Promise<CampaignRow[]> =>
  selectCampaigns(tx, sql`id = any(${ids}::uuid[])`)

export async function findCampaign(tx: Tx, id: string): Promise<CampaignRow | undefined> {
  const [row] = await selectCampaigns(tx, sql`id = ${id}`)
  return row
}

/** Throws 404. */
export async function getCampaign(tx: Tx, id: string): Promise<CampaignRow> {
  const row = await findCampaign(tx, id)
  if (!row) throw notFound('campaign')
  return row
}

/** Returns whether the form of a campaign of the platform `widget` was configured. */
export async function hasWidget(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from widgets where tenant_id = ${getTenantId(tx)} and campaign_id = ${id}`.execute(tx)
  return rows.length > 0
}

/** Locks a campaign until the transaction ends; undefined if there is none. */
export async function lockCampaign(tx: Tx, id: string): Promise<CampaignRow | undefined> {
  const [row] = await selectCampaigns(tx, sql`id = ${id}`, sql`for no key update`)
  return row
}

/** Locks campaigns until the transaction ends, always in the same order. */
export const lockCampaigns = (tx: Tx, condition: RawBuilder<unknown>): Promise<CampaignRow[]> =>
  selectCampaigns(tx, condition, sql`order by id for no key update`)

/** Newest first. Returns `limit + 1` rows if there are more. */
export function listCampaigns(
  tx: Tx,
  { limit, status, platform, mode, q }: CampaignFilter,
  after: Position | null,
): Promise<CampaignRow[]> {
  const conditions = [sql`true`]
  if (after) conditions.push(sql`id < ${after[0]}`)
  if (status) conditions.push(sql`${isOneOf(sql`status`, splitNames(status))}`)
  if (platform) conditions.push(sql`${isOneOf(sql`platform`, splitNames(platform))}`)
  if (mode) conditions.push(sql`mode = ${mode}`)
  if (q) conditions.push(sql`strpos(${toPlain(sql`name`)}, ${toPlain(sql`${sanitizeText(q)}`)}) > 0`)
  return selectCampaigns(tx, sql.join(conditions, sql` and `), sql`order by id desc limit ${limit + 1}`)
}

/** SQL: without case and accents. */
const toPlain = (text: RawBuilder<unknown>) => sql`lower(unaccent(${text}))`

/** Counts campaigns. Until the transaction ends, no other one can be inserted. */
export async function countCampaigns(tx: Tx): Promise<number> {
  const tenantId = getTenantId(tx)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`campaigns ${tenantId}`}, 0))`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from campaigns where tenant_id = ${tenantId}`.execute(tx)
  return rows[0]!.count
}

type NewCampaignRow = Pick<
  CampaignRow,
  | 'name'
  | 'mode'
  | 'platform'
  | 'contactMode'
  | 'accountId'
  | 'segmentation'
  | 'settings'
  | 'seed'
  | 'createdBy'
  | 'basisBy'
>

/** Inserts a draft. Returns its id. */
export async function insertCampaign(tx: Tx, row: NewCampaignRow): Promise<string> {
  const id = createId(tx)
  const now = getNow(tx)
  const { seed, createdBy, basisBy, ...fields } = row
  await tx
    .insertInto('campaigns')
    .values({
      tenant_id: getTenantId(tx),
      id,
      name: sanitizeText(fields.name),
      mode: fields.mode,
      platform: fields.platform,
      contact_mode: fields.contactMode,
      account_id: fields.accountId,
      segmentation: sanitizeJson(fields.segmentation),
      settings: sanitizeJson(fields.settings),
      seed,
      created_by: createdBy,
      basis_by: basisBy,
      created_at: now,
      updated_at: now,
    })
    .execute()
  return id
}

type CampaignChanges = Partial<
  Pick<
    CampaignRow,
    | 'name'
    | 'status'
    | 'mode'
    | 'platform'
    | 'contactMode'
    | 'accountId'
    | 'segmentation'
    | 'settings'
    | 'basisBy'
    | 'allUrlsChecked'
    | 'pauseReason'
    | 'startedAt'
    | 'healthSince'
    | 'completedAt'
    | 'searchChangedAt'
    | 'contactFrom'
  >
>

/** A change of the record: it gets a new version. `planAt`: the next plan, of a campaign that does not run. */
export async function updateCampaign(
  tx: Tx,
  id: string,
  changes: CampaignChanges & { planAt?: Date | null },
): Promise<void> {
  await tx
    .updateTable('campaigns')
    .set({
      ...toColumns(changes),
      ...(changes.planAt === undefined ? {} : { plan_at: changes.planAt, wait: null }),
      version: sql<number>`version + 1`,
      updated_at: getNow(tx),
    })
    .where('tenant_id', '=', getTenantId(tx))
    .where('id', '=', id)
    .execute()
}

function toColumns({ name, segmentation, settings, pauseReason, ...changes }: CampaignChanges) {
  const { status, mode, platform, contactMode, accountId, allUrlsChecked, startedAt, completedAt } = changes
  const { healthSince, searchChangedAt, contactFrom, basisBy } = changes
  return {
    ...(name === undefined ? {} : { name: sanitizeText(name) }),
    ...(status === undefined ? {} : { status }),
    ...(mode === undefined ? {} : { mode }),
    ...(platform === undefined ? {} : { platform }),
    ...(contactMode === undefined ? {} : { contact_mode: contactMode }),
    ...(accountId === undefined ? {} : { account_id: accountId }),
    ...(segmentation === undefined ? {} : { segmentation: sanitizeJson(segmentation) }),
    ...(settings === undefined ? {} : { settings: sanitizeJson(settings) }),
    ...(basisBy === undefined ? {} : { basis_by: basisBy }),
    ...(allUrlsChecked === undefined ? {} : { all_urls_checked: allUrlsChecked }),
    ...(pauseReason === undefined ? {} : { pause_reason: pauseReason && sanitizeJson(pauseReason) }),
    ...(startedAt === undefined ? {} : { started_at: startedAt }),
    // What happened before it was resumed does not pause it again.
    ...(healthSince === undefined ? {} : { health_since: healthSince, health: null }),
    ...(completedAt === undefined ? {} : { completed_at: completedAt }),
    ...(searchChangedAt === undefined ? {} : { search_changed_at: searchChangedAt }),
    ...(contactFrom === undefined ? {} : { contact_from: contactFrom }),
  }
}

/** No change of the record. */
/**
 * How many steps those recipients of a campaign have behind them who may get more. A message that is planned or queued may be sent at
 * this moment, or fail.
 */
export async function listPositions(tx: Tx, campaignId: string): Promise<number[]> {
  const { rows } = await sql<{ position: number }>`
    select distinct r.step + behind as position from campaign_recipients r
    join unnest(array[0, 1]) as behind on behind = 0 or r.status in ('planned', 'queued')
    where r.tenant_id = ${getTenantId(tx)} and r.campaign_id = ${campaignId}
      and r.status in ('waiting', 'planned', 'queued', 'skipped', 'failed')`.execute(tx)
  return rows.map(({ position }) => position)
}

export async function storeHealth(tx: Tx, id: string, health: Health): Promise<void> {
  await sql`
    update campaigns set health = ${JSON.stringify(health)}::jsonb
    where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
}

/** Recipients that are deleted in one transaction. */
const deletedMax = 2000

/**
 * Deletes recipients of a campaign, with what they got: a statement per table, because cascades delete row by row. First those who wait,
 * to whom no other campaign may write. Returns whether more may be left.
 */
export async function deleteRecipients(tx: Tx, id: string): Promise<boolean> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ id: string; leadId: string | null; isActive: boolean }>`
    select id, lead_id as "leadId", status in ('waiting', 'planned', 'queued') as "isActive"
    from campaign_recipients where tenant_id = ${tenantId} and campaign_id = ${id}
    order by status desc, id desc limit ${deletedMax} for update`.execute(tx)
  const ids = rows.map(row => row.id)
  await sql`delete from campaign_sends where tenant_id = ${tenantId} and recipient_id = any(${ids}::uuid[])`.execute(
    tx,
  )
  await sql`delete from campaign_recipients where tenant_id = ${tenantId} and id = any(${ids}::uuid[])`.execute(
    tx,
  )
  await requestHeldUp(
    tx,
    rows.flatMap(({ leadId, isActive }) => (isActive ? leadId : [])),
  )
  return ids.length === deletedMax
}

/** Deletes a campaign and its runs. */
export async function deleteCampaignRow(tx: Tx, id: string): Promise<void> {
  const tenantId = getTenantId(tx)
  await sql`delete from campaign_digests where tenant_id = ${tenantId} and campaign_id = ${id}`.execute(tx)
  await sql`delete from campaign_search_changes where tenant_id = ${tenantId} and campaign_id = ${id}`.execute(
    tx,
  )
  await sql`delete from campaign_search_listings where tenant_id = ${tenantId} and campaign_id = ${id}`.execute(
    tx,
  )
  await sql`delete from campaign_runs where tenant_id = ${tenantId} and campaign_id = ${id}`.execute(tx)
  await sql`delete from campaigns where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}
