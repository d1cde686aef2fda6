/** The row of a lead: it is read as a whole, changed in memory, and written as a whole by `write-leads.ts`. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { columns } from './lead-columns.ts'

/** The columns that are written, with their PostgreSQL types. */
export const writableColumns = {
  external_id: 'text',
  status: 'text',
  ...columns,
  identifiers: 'text[]',
  price_history: 'jsonb',
  campaign_id: 'uuid',
  owner_user_id: 'uuid',
  tags: 'text[]',
  custom_fields: 'jsonb',
  edited_columns: 'text[]',
  lawful_basis: 'text',
  lawful_basis_at: 'timestamptz',
  lawful_basis_proof: 'text',
  lawful_basis_channels: 'text[]',
  lawful_basis_expires_at: 'timestamptz',
  lawful_basis_by: 'uuid',
  lawful_basis_withdrawn_at: 'timestamptz',
  consent_at: 'timestamptz',
  notice_sent_at: 'timestamptz',
  last_contacted_at: 'timestamptz',
  last_reply_at: 'timestamptz',
} as const

export type WritableColumn = keyof typeof writableColumns
const names = Object.keys(writableColumns) as WritableColumn[]

/** Values as in JSON: times as ISO 8601, lists as arrays. */
export type LeadRow = { id: string } & Record<WritableColumn, unknown>

const emptyLists = new Set<WritableColumn>([
  'identifiers',
  'features',
  'images',
  'tags',
  'price_history',
  'edited_columns',
])

const nulls = { id: '', ...Object.fromEntries(names.map(name => [name, null])) } as LeadRow

/** A row without any values. */
export function emptyRow(id: string): LeadRow {
  const row: LeadRow = { ...nulls, id, status: 'new', custom_fields: {} }
  for (const name of emptyLists) row[name] = []
  return row
}

const selectedColumns = sql.raw(
  names
    .map(name => (writableColumns[name] === 'timestamptz' ? `aldaba.iso_time(${name}) as ${name}` : name))
    .join(', '),
)

export interface LockedRow {
  row: LeadRow
  /** Changes with every update; the ETag contains it. */
  version: string
  /** The price in its primary listing; null: unknown. */
  listingPrice: number | null
}

/** By id, the rows of these leads, locked until the transaction ends; leads that do not exist are missing. */
export async function lockRows(tx: Tx, leadIds: string[]): Promise<Map<string, LockedRow>> {
  if (leadIds.length === 0) return new Map()
  const { rows } = await sql<LockedRow>`
    select xmin::text as version, listing_price as "listingPrice", (select row_to_json(o) from (select id, ${selectedColumns}) o) as row
    from leads where tenant_id = ${getTenantId(tx)} and id = any(${leadIds}::uuid[]) order by id for update`.execute(
    tx,
  )
  return new Map(rows.map(locked => [locked.row.id, locked]))
}

/**
 * The version for the ETag; null if there is no such lead. Read it before the record: the next If-Match then detects
 * a change in between.
 */
export async function findVersion(tx: Tx, leadId: string): Promise<string | null> {
  const { rows } = await sql<{
    version: string
  }>`select xmin::text as version from leads where tenant_id = ${getTenantId(tx)} and id = ${leadId}`.execute(
    tx,
  )
  return rows[0]?.version ?? null
}

/** The former and the new value of each changed column. */
export type RowChanges = Partial<Record<WritableColumn, { before: unknown; after: unknown }>>

export function changesBetween(before: LeadRow, after: LeadRow): RowChanges {
  return Object.fromEntries(
    names.flatMap(name =>
      isEqual(before[name], after[name]) ? [] : [[name, { before: before[name], after: after[name] }]],
    ),
  )
}

/** Compares JSON values; the order of object fields does not matter, because PostgreSQL changes it. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true
  const areObjects = [one, other].every(value => typeof value === 'object' && value !== null)
  return areObjects && toCanonicalJson(one) === toCanonicalJson(other)
}

function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  )
}

/** Restores the former values, except in columns that were changed since. `isComplete`: all could be restored. */
export function revertChanges(row: LeadRow, changes: RowChanges): { row: LeadRow; isComplete: boolean } {
  const reverted = { ...row }
  let isComplete = true
  for (const [name, change] of Object.entries(changes) as [WritableColumn, RowChanges[WritableColumn]][]) {
    if (isEqual(row[name], change!.after)) reverted[name] = change!.before
    else isComplete = false
  }
  return { row: reverted, isComplete }
}
