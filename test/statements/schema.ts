/** The schema information that the statement rules need. */
import type pg from 'pg'

export type Volatility = 'stable' | 'volatile'

export interface StatementSchema {
  /** Columns of each table and view, by name. A view must have a `tenant_id`, or it cannot be joined. */
  columns: Record<string, string[]>
  /** Volatility by function name. Overloads have that of the least volatile. Other functions are immutable. */
  volatility: Record<string, Volatility>
}

export async function readStatementSchema(pool: pg.Pool): Promise<StatementSchema> {
  const tables = await pool.query<{ name: string; columns: string[] }>(
    `select relname as name, array_agg(attname::text order by attnum) || case when relkind in ('v', 'm') then '{tenant_id}'::text[] else '{}' end as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
     where relnamespace = 'aldaba'::regnamespace and relkind in ('r', 'p', 'v', 'm') group by relname, relkind`,
  )
  const functions = await pool.query<{ name: string; volatility: Volatility }>(
    `select proname as name, case min(provolatile) when 's' then 'stable' else 'volatile' end as volatility
     from pg_proc group by proname having min(provolatile) <> 'i' order by proname`,
  )
  return {
    columns: Object.fromEntries(tables.rows.map(({ name, columns }) => [name, columns])),
    volatility: Object.fromEntries(functions.rows.map(({ name, volatility }) => [name, volatility])),
  }
}
