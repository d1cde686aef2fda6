/** Describes the schema of a database as text, so that two can be compared: columns by name, in any order. */
import type pg from 'pg'

/** One line per object of the schema, sorted. */
export async function describeCatalogue(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(`
    select format('function %s %s', pg_get_functiondef(oid), proacl) as line
    from pg_proc where pronamespace = 'aldaba'::regnamespace and prokind in ('f', 'p')
    union all select format('trigger %s', pg_get_triggerdef(t.oid))
    from pg_trigger t join pg_class c on c.oid = tgrelid where not tgisinternal and relnamespace = 'aldaba'::regnamespace
    union all select format('column %s.%s %s %s %s %s %s', relname, attname, format_type(atttypid, atttypmod), attnotnull, attgenerated,
      attstorage, pg_get_expr(adbin, adrelid))
    from pg_attribute join pg_class c on c.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = 'aldaba'::regnamespace and relkind in ('r', 'v') and attnum > 0 and not attisdropped
    union all select format('table %s %s %s %s %s %s', relname, relkind, relrowsecurity, relforcerowsecurity, relacl, reloptions)
    from pg_class where relnamespace = 'aldaba'::regnamespace and relkind in ('r', 'v')
    union all select format('view %s %s', viewname, definition) from pg_views where schemaname = 'aldaba'
    union all select format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = 'aldaba'::regnamespace
    union all select indexdef from pg_indexes where schemaname = 'aldaba'
    union all select format('policy %s %s %s %s %s %s', tablename, policyname, roles, cmd, qual, with_check)
    from pg_policies where schemaname = 'aldaba'
    union all select format('comment %s %s %s', relname, coalesce(attname, ''), description)
    from pg_description join pg_class c on c.oid = objoid and classoid = 'pg_class'::regclass
      left join pg_attribute on attrelid = objoid and attnum = objsubid and objsubid > 0
    where relnamespace = 'aldaba'::regnamespace
    order by 1`)
  return rows.map(({ line }) => line)
}
