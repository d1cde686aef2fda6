/**
 * The country, currency and time zone of a workspace: for phone numbers without a prefix, for prices without a
 * currency, and for the beginning of its months.
 */
import type { Tx } from '../../../kit/db/index.ts'

export interface WorkspaceLocale {
  /** ISO 3166-1 alpha-2. */
  country: string
  /** ISO 4217. */
  currency: string
  /** IANA. */
  timezone: string
}

export function getWorkspaceLocale(tx: Tx): Promise<WorkspaceLocale> {
  return tx.selectFrom('workspaces').select(['country', 'currency', 'timezone']).executeTakeFirstOrThrow()
}
