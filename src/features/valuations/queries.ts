/** The SQL statements of valuations. */

import { type RawBuilder, sql } from 'kysely'
import type { ComparedProperty, ExclusionReason } from '../../domain/valuation/estimate.ts'
import type {
  Characteristics,
  Comparable,
  Operation,
  PriceBasis,
  PropertyType,
} from '../../domain/valuation/property.ts'
import { createId, getNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import type { Position } from '../../kit/page.ts'
import { notFound } from '../../kit/problem.ts'
import { sanitizeJson } from '../../kit/sanitize-text.ts'
import { findShares, revokeShares, type ShareRow } from '../shares/service.ts'
import type { Subject } from './property-schemas.ts'
import type { ReportConfig } from './report/schemas.ts'
import type { ValuationFilter } from './schemas.ts'
import type { Area } from './subject.ts'

/** The estimate without the comparables. */
export interface StoredEstimate {
  value: number
  low: number
  high: number
  coverage: number
  pricePerSquareMeter: number
  fsd: number
  confidence: { level: 'high' | 'medium' | 'low'; score: number }
  modelVersion: string
  /** The number of comparables considered. */
  considered: number
  /** The number of considered comparables left out, by reason. The first valuations do not have it. */
  exclusionCounts?: Partial<Record<ExclusionReason, number>>
}

/** The adjustments and weight of a comparable, or why it was left out. */
export type StoredCompared = Omit<ComparedProperty, 'comparable'> & { id: string }
/** `seenAt`: ISO 8601. `isForeign`: the search did not find it; the user included it by its id. */
export type StoredComparable = Characteristics &
  Pick<Comparable, 'id' | 'price'> & { seenAt: string; isForeign?: true }

/** The input of a valuation; it never changes. */
export interface ValuationInput {
  operation: Operation
  propertyType: PropertyType
  subject: Subject
  area: Area
  portalLocationId: string | null
  asOf: Date
}

/** The fields that a user can change without a new calculation. */
export interface DisplayFields {
  name: string | null
  address: string | null
  reportConfig: ReportConfig
}

/** The calculated fields; they are calculated again when the choice of comparables changes. */
export interface ValuationResult {
  includedIds: string[]
  excludedIds: string[]
  currency: string
  priceBasis: PriceBasis
  estimate: StoredEstimate
  comparablesUsed: number
  compared: StoredCompared[]
  candidates: StoredComparable[]
}

export interface SummaryRow
  extends ValuationInput,
    DisplayFields,
    Omit<ValuationResult, 'compared' | 'candidates'> {
  id: string
  revision: number
  createdAt: Date
  updatedAt: Date
  /** The valid link to the report; undefined: there is none. */
  share: ShareRow | undefined
}

export type ValuationRow = SummaryRow & Pick<ValuationResult, 'compared' | 'candidates'>

const summaryColumns = sql.raw(`
  v.id, v.name, v.address, v.portal_location_id as "portalLocationId", v.operation, v.property_type as "propertyType",
  v.subject, v.area, v.included_ids as "includedIds", v.excluded_ids as "excludedIds", v.report_config as "reportConfig",
  v.currency, v.price_basis as "priceBasis", v.estimate, v.comparables_used as "comparablesUsed", v.as_of as "asOf",
  v.revision, v.created_at as "createdAt", v.updated_at as "updatedAt"`)

/** Returns the id of the new valuation. */
export async function insertValuation(
  tx: Tx,
  {
    operation,
    propertyType,
    subject,
    area,
    portalLocationId,
    asOf,
    ...rest
  }: ValuationInput & DisplayFields & ValuationResult,
  now: Date,
): Promise<string> {
  const id = createId(tx)
  await tx
    .insertInto('valuations')
    .values({
      tenant_id: getTenantId(tx),
      id,
      operation,
      property_type: propertyType,
      portal_location_id: portalLocationId,
      subject: sanitizeJson(subject),
      area: sanitizeJson(area),
      as_of: asOf,
      ...displayColumns(rest),
      ...resultColumns(rest),
      created_at: now,
      updated_at: now,
    })
    .execute()
  return id
}

/** Requires the lock of `lockValuation`. `result` null: the estimate keeps its value. */
export async function updateValuation(
  tx: Tx,
  id: string,
  display: DisplayFields,
  result: ValuationResult | null,
): Promise<void> {
  await tx
    .updateTable('valuations')
    .set({
      ...displayColumns(display),
      ...(result ? resultColumns(result) : {}),
      revision: sql<number>`revision + 1`,
      updated_at: getNow(tx),
    })
    .where('tenant_id', '=', getTenantId(tx))
    .where('id', '=', id)
    .execute()
}

function displayColumns({ name, address, reportConfig }: DisplayFields) {
  return { name, address, report_config: sanitizeJson(reportConfig) }
}

function resultColumns(result: ValuationResult) {
  const { includedIds, excludedIds, currency, priceBasis, comparablesUsed } = result
  const { estimate, compared, candidates } = result
  return {
    included_ids: includedIds,
    excluded_ids: excludedIds,
    currency,
    price_basis: priceBasis,
    estimate: sanitizeJson(estimate),
    comparables_used: comparablesUsed,
    compared: sanitizeJson(compared),
    candidates: sanitizeJson(candidates),
  }
}

export async function findValuation(tx: Tx, id: string): Promise<ValuationRow | null> {
  const { rows } = await sql<ValuationRow>`
    select ${summaryColumns}, v.compared, v.candidates from valuations v
    where v.tenant_id = ${getTenantId(tx)} and v.id = ${id}`.execute(tx)
  const [row] = await addShares(tx, rows)
  return row ?? null
}

/** Throws 404 if there is no such valuation. */
export async function getValuation(tx: Tx, id: string): Promise<ValuationRow> {
  const row = await findValuation(tx, id)
  if (!row) throw notFound('valuation')
  return row
}

/** Like `getValuation`; until the transaction ends, no other transaction can change or share the valuation. */
export async function lockValuation(tx: Tx, id: string): Promise<ValuationRow> {
  // A separate statement: one that waits for the row lock would see joined rows as they were before the wait.
  await sql`select from valuations where tenant_id = ${getTenantId(tx)} and id = ${id} for no key update`.execute(
    tx,
  )
  return getValuation(tx, id)
}

/** The existing valuations with these ids, in any order. */
export async function findSummaries(tx: Tx, ids: string[]): Promise<SummaryRow[]> {
  const { rows } = await sql<SummaryRow>`
    select ${summaryColumns} from valuations v where v.tenant_id = ${getTenantId(tx)} and v.id = any(${ids}::uuid[])`.execute(
    tx,
  )
  return addShares(tx, rows)
}

async function addShares<Row extends { id: string }>(tx: Tx, rows: Row[]): Promise<Row[]> {
  const shares = await findShares(
    tx,
    'valuation',
    rows.map(({ id }) => id),
  )
  return rows.map(row => ({ ...row, share: shares.get(row.id) }))
}

/** Newest first. Returns `limit + 1` rows if there are more. */
export async function listValuations(
  tx: Tx,
  { operation, propertyType, q, limit }: ValuationFilter,
  after: Position | null,
): Promise<SummaryRow[]> {
  const conditions: RawBuilder<unknown>[] = [sql`v.tenant_id = ${getTenantId(tx)}`]
  if (after) conditions.push(sql`v.id < ${after[0]}`)
  if (operation) conditions.push(sql`v.operation = ${operation}`)
  if (propertyType) conditions.push(sql`v.property_type = ${propertyType}`)
  if (q) {
    const plain = (text: RawBuilder<unknown>) => sql`lower(unaccent(${text}))`
    const term = plain(sql`${q.replaceAll('\0', '')}::text`)
    conditions.push(sql`strpos(${plain(sql`concat_ws(' ', v.name, v.address)`)}, ${term}) > 0`)
  }
  const { rows } = await sql<SummaryRow>`
    select ${summaryColumns} from valuations v where ${sql.join(conditions, sql` and `)}
    order by v.id desc limit ${limit + 1}`.execute(tx)
  return addShares(tx, rows)
}

/** Deletes a valuation and its link. Returns false if it did not exist. */
export async function deleteValuation(tx: Tx, id: string): Promise<boolean> {
  // The valuation first: a concurrent request to share it holds the row lock, and its link exists when the delete
  // continues.
  const result = await tx
    .deleteFrom('valuations')
    .where('tenant_id', '=', getTenantId(tx))
    .where('id', '=', id)
    .executeTakeFirst()
  await revokeShares(tx, 'valuation', [id])
  return result.numDeletedRows > 0n
}
