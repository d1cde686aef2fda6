/** How much work a tenant may have queued or running: without a bound a crowd of requests becomes a crowd of jobs. */
import { sql } from 'kysely'
import type { Tx } from '../db/index.ts'
import { Problem, type ProblemType } from '../problem.ts'

export interface WorkLimit {
  table: 'extractions' | 'imports' | 'lead_operations'
  /** Of what is still to be done; written out in the condition of an index. */
  statuses: string[]
  max: number
  /** What they are, in a sentence: `100 ${of} of this environment are queued or running`. */
  of: string
}

const retryAfterSeconds = 30

/**
 * Throws 429 TOO_MANY_JOBS if the tenant has more under way than it may have, what this transaction has added included.
 * Transactions that count in the same moment may each add one too many: a tenant has few at once.
 */
export async function requireRoom(tx: Tx, { table, statuses, max, of }: WorkLimit): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      select from ${sql.table(table)} where status in (${sql.join(statuses.map(status => sql.lit(status)))}) limit ${max + 1}) under_way`.execute(
    tx,
  )
  if (rows[0]!.count <= max) return
  const refusal = tooManyJobs({ max, of })
  throw new Problem(refusal, refusal.example, { headers: { 'Retry-After': String(retryAfterSeconds) } })
}

/** The 429 of a route that starts such jobs. */
export function tooManyJobs({ max, of }: Pick<WorkLimit, 'max' | 'of'>): ProblemType {
  return {
    code: 'TOO_MANY_JOBS',
    status: 429,
    example: `${max} ${of} of this environment are queued or running. Wait until some have ended, then try again.`,
  }
}
