/** Updates the planner's statistics of tables that grow quickly. */
import { sql } from 'kysely'
import type { Database } from './index.ts'

/** Analyzes tables that have grown fourfold. Call it from time to time in code that inserts many rows. */
export async function analyzeGrownTables({ unscoped }: Pick<Database, 'unscoped'>): Promise<void> {
  await sql`select aldaba.analyze_grown_tables()`.execute(unscoped)
}
