/** What the rules for statements know of the database. */
import type pg from 'pg'

export interface StatementSchema {
  /** The columns of each table and view, by name. A view counts as having a `tenant_id`: if it hides it, nothing can be joined to it. */
  columns: Record<string, string[]>
  /** Functions of which no form is immutable. */
  mutableFunctions: string[]
}

export async function readStatementSchema(pool: pg.Pool): Promise<StatementSchema> {
  const tables = await pool.query<{ name: string; columns: string[] }>(
    `select relname as name, array_agg(attname::text order by attnum) || case when relkind in ('v', 'm') then '{tenant_id}'::text[] else '{}' end as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
     where relnamespace = 'aldaba'::regnamespace and relkind in ('r', 'p', 'v', 'm') group by relname, relkind`,
  )
  const functions = await pool.query<{ name: string }>(
    `select proname as name from pg_proc group by proname having bool_and(provolatile <> 'i') order by proname`,
  )
  return {
    columns: Object.fromEntries(tables.rows.map(({ name, columns }) => [name, columns])),
    mutableFunctions: functions.rows.map(({ name }) => name),
  }
}
