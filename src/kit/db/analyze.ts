/** What the planner knows of tables that grow quickly. */
import { sql } from 'kysely'
import type { Database } from './index.ts'

/** To be called from time to time by what fills tables: those that have grown fourfold are analyzed. */
export async function analyzeGrownTables({ unscoped }: Pick<Database, 'unscoped'>): Promise<void> {
  await sql`select aldaba.analyze_grown_tables()`.execute(unscoped)
}
