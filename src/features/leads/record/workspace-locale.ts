/**
 * Where a workspace is: telephones without a prefix are read as dialled there, prices without a currency are in its own, and its
 * months begin at midnight there.
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
