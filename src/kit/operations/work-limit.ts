/** Limits how many operations a tenant may have queued or running. */
import { type RawBuilder, sql } from 'kysely'
import { getTenantId } from '../db/context.ts'
import type { Tx } from '../db/index.ts'
import type { DB } from '../db/tables.generated.ts'
import { Problem, type ProblemType } from '../problem.ts'

/** The tables that have the columns of operations. */
export type OperationTable = {
  [T in keyof DB]: DB[T] extends { requeues: unknown; progressed_at: unknown } ? T : never
}[keyof DB]

export interface WorkLimit {
  table: OperationTable
  /** The statuses of active operations. */
  statuses: string[]
  max: number
  /** The plural for the error message: `100 ${noun} of this environment are queued or running`. */
  noun: string
}

const retryAfterSeconds = 30

/**
 * SQL: true for active operations. The statuses are literals as in the partial index, so that PostgreSQL can use it.
 */
export const sqlIsActive = (statuses: string[]): RawBuilder<boolean> =>
  sql<boolean>`status in (${sql.join(statuses.map(status => sql.lit(status)))})`

/**
 * Throws 429 TOO_MANY_JOBS if the tenant exceeds its limit, counting rows that this transaction has added. Concurrent
 * transactions may each exceed the limit by one, which is acceptable because a tenant has few at once.
 */
export async function checkWorkLimit(tx: Tx, { table, statuses, max, noun }: WorkLimit): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      select from ${sql.table(table)} where tenant_id = ${getTenantId(tx)} and ${sqlIsActive(statuses)}
      limit ${max + 1}) active`.execute(tx)
  if (rows[0]!.count <= max) return
  const refusal = tooManyJobs({ max, noun })
  throw new Problem(refusal, refusal.example, { headers: { 'Retry-After': String(retryAfterSeconds) } })
}

/** The 429 for the documentation of a route that starts such operations. */
export function tooManyJobs({ max, noun }: Pick<WorkLimit, 'max' | 'noun'>): ProblemType {
  return {
    code: 'TOO_MANY_JOBS',
    status: 429,
    meaning: 'As many operations of this kind as allowed are queued or running in the environment.',
    action: 'Wait until some have ended (`Retry-After`), then try again.',
    example: `${max} ${noun} of this environment are queued or running. Wait until some have ended, then try again.`,
  }
}
