/**
 * The country, currency and time zone of a workspace: for phone numbers without a prefix, for prices without a
 * currency, and for the beginning of its months.
 */
import { sql, type Tx } from '../../../kit/db/index.ts'
import { fixedPlan } from '../../../kit/db/plans.ts'

export interface WorkspaceLocale {
  /** ISO 3166-1 alpha-2. */
  country: string
  /** ISO 4217. */
  currency: string
  /** IANA. */
  timezone: string
}

export async function getWorkspaceLocale(tx: Tx): Promise<WorkspaceLocale> {
  const { rows } = await sql<WorkspaceLocale>`
    ${fixedPlan} select country, currency, timezone from workspaces`.execute(tx)
  return rows[0]!
}
