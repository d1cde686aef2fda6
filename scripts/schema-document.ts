/**
 * Generates docs/schema.md: the tables of the migrated database, with a section for each migration that creates tables.
 */
import pg from 'pg'
import { type Migration, readMigrations } from '../src/kit/db/migrate.ts'

export interface Column {
  table: string
  name: string
  type: string
  required: boolean
  /** The default or generated expression; null: none. */
  defaultValue: string | null
  comment: string | null
}

export interface Key {
  table: string
  kind: 'primary' | 'unique' | 'foreign'
  columns: string[]
  /** The table that a foreign key refers to. */
  to: string | null
  onDelete: 'cascade' | null
  required: boolean
}

export interface Schema {
  tables: { name: string; comment: string | null }[]
  columns: Column[]
  keys: Key[]
}

const intro = `# The schema

Generated from the migrated database by \`npm run generate\`: the tables of each concern, which is a file of [\`migrations/\`](../migrations/).

A table whose primary key begins with \`tenant_id\` belongs to tenants: row level security shows each tenant its own rows, and every row
refers to \`tenants\`, directly or through its parent row. This page omits that reference, and the diagrams omit the column.
\`key_hashes\` and \`share_tokens\` name a tenant too, but are read before the tenant is known. Times are \`timestamptz\`; ids are UUIDv7.
`

export async function readSchema(ownerUrl: string): Promise<Schema> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const queryRows = async <T extends object>(sql: string) => (await client.query<T>(sql)).rows
    return {
      tables: await queryRows(`
        select relname as name, obj_description(oid, 'pg_class') as comment from pg_class
        where relnamespace = 'aldaba'::regnamespace and relkind in ('r', 'v') and relname <> 'schema_migrations' order by relname`),
      columns: await queryRows(`
        select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
          a.attnotnull as required, case when a.attgenerated = 's' then 'generated' else pg_get_expr(d.adbin, d.adrelid) end as "defaultValue",
          col_description(c.oid, a.attnum) as comment
        from pg_class c join pg_attribute a on a.attrelid = c.oid
          left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where c.relnamespace = 'aldaba'::regnamespace and c.relkind in ('r', 'v') and a.attnum > 0 and not a.attisdropped
        order by c.relname, a.attnum`),
      keys: await queryRows(`
        select c.relname as table, case k.contype when 'p' then 'primary' when 'u' then 'unique' else 'foreign' end as kind,
          array_agg(a.attname::text order by u.n) as columns, other.relname as to,
          case when k.contype = 'f' and k.confdeltype = 'c' then 'cascade' end as "onDelete", bool_and(a.attnotnull) as required
        from pg_constraint k join pg_class c on c.oid = k.conrelid left join pg_class other on other.oid = k.confrelid,
          unnest(k.conkey) with ordinality u (num, n) join pg_attribute a on a.attnum = u.num
        where c.relnamespace = 'aldaba'::regnamespace and k.contype in ('p', 'u', 'f') and a.attrelid = c.oid
        group by k.oid, c.relname, k.contype, other.relname, k.confdeltype, k.conname
        order by c.relname, k.contype, k.conname`),
    }
  } finally {
    await client.end()
  }
}

/** The document's text. */
export async function generateSchemaDocument(ownerUrl: string): Promise<string> {
  return renderDocument(await readSchema(ownerUrl), await readMigrations())
}

export function renderDocument(schema: Schema, migrations: Migration[]): string {
  const concerns = migrations
    .map(migration => ({ migration, names: listCreatedNames(migration.text) }))
    .filter(({ names }) => names.length > 0)
  const createdNames = new Set(concerns.flatMap(({ names }) => names))
  const uncreatedTables = schema.tables.filter(({ name }) => !createdNames.has(name))
  if (uncreatedTables.length > 0)
    throw new Error(`no migration creates ${uncreatedTables.map(({ name }) => name).join(', ')}`)
  const sections = concerns.map(({ migration, names }) => renderSection(schema, migration, names))
  return `${intro}\n${concerns.map(({ migration }) => toContentsLine(migration)).join('\n')}\n\n${sections.join('\n')}`
}

function listCreatedNames(text: string): string[] {
  return [...text.matchAll(/^create (?:table|view) (\w+)/gm)].map(match => match[1]!)
}

/** `0002_users_and_keys.sql` is "Users and keys". */
function toTitle({ name }: Migration): string {
  const words = name.replace(/^\d+_|\.sql$/g, '').replaceAll('_', ' ')
  return words[0]!.toUpperCase() + words.slice(1)
}

function toContentsLine(migration: Migration): string {
  const title = toTitle(migration)
  return `- [${title}](#${title.toLowerCase().replaceAll(' ', '-')})`
}

/** The comment that the file begins with. */
function toIntroduction({ text }: Migration): string {
  return text
    .slice(0, text.search(/^(?!--)/m))
    .replaceAll(/^-- ?/gm, '')
    .trim()
}

function renderSection(schema: Schema, migration: Migration, names: string[]): string {
  // A table that a later migration dropped is in none of the lists.
  const tables = names.flatMap(name => schema.tables.filter(table => table.name === name))
  const diagram = renderDiagram(
    schema,
    tables.map(({ name }) => name),
  )
  return [
    `## ${toTitle(migration)}`,
    '',
    toIntroduction(migration),
    '',
    ...(diagram ? ['```mermaid', diagram, '```', ''] : []),
    ...tables.flatMap(table => toTableLines(schema, table)),
  ].join('\n')
}

const isShownReference = ({ kind, to }: Key) => kind === 'foreign' && to !== 'tenants'
const withoutTenantId = (columns: string[]) => columns.filter(name => name !== 'tenant_id')

/** Shows the keys of the tables and their references. Empty if there are no references. */
function renderDiagram(schema: Schema, names: string[]): string {
  const links = schema.keys.filter(key => isShownReference(key) && names.includes(key.table))
  if (links.length === 0) return ''
  const keyedTables = names.filter(name =>
    schema.keys.some(({ table, kind }) => table === name && kind === 'primary'),
  )
  return [
    'erDiagram',
    ...links.map(
      link =>
        `  ${link.to} ${toCardinality(schema, link)} ${link.table} : "${withoutTenantId(link.columns).join(', ')}"`,
    ),
    ...keyedTables.flatMap(name => toBoxLines(schema, name)),
  ].join('\n')
}

/**
 * The referenced side has one row, or none if the reference is nullable. The referring side has at most one row if the
 * reference is a unique key, and many otherwise.
 */
function toCardinality(schema: Schema, { table, columns, required }: Key): string {
  const isUnique = schema.keys.some(
    key => key.table === table && key.kind !== 'foreign' && key.columns.join() === columns.join(),
  )
  return `${required ? '||' : '|o'}--${isUnique ? 'o|' : 'o{'}`
}

function toBoxLines({ columns, keys }: Schema, name: string): string[] {
  const own = keys.filter(key => key.table === name)
  const isInKey = (kind: Key['kind'], column: string) =>
    own.some(key => key.kind === kind && key.columns.includes(column))
  const lines = columns
    .filter(column => column.table === name && column.name !== 'tenant_id')
    .flatMap(column => {
      const keyMarkers = [
        ...(isInKey('primary', column.name) ? ['PK'] : []),
        ...(isInKey('foreign', column.name) ? ['FK'] : []),
      ]
      return keyMarkers.length > 0
        ? [`    ${shortType(column.type)} ${column.name} ${keyMarkers.join(',')}`]
        : []
    })
  return lines.length > 0 ? [`  ${name} {`, ...lines, '  }'] : []
}

function shortType(type: string): string {
  return type.replace('timestamp with time zone', 'timestamptz').replace('double precision', 'float8')
}

function toTableLines(schema: Schema, { name, comment }: Schema['tables'][number]): string[] {
  const columns = schema.columns.filter(column => column.table === name)
  const keys = schema.keys.filter(key => key.table === name)
  const referring = schema.keys
    .filter(key => isShownReference(key) && key.to === name)
    .map(({ table }) => table)
  const unique = keys.filter(({ kind }) => kind === 'unique').map(key => toCode(key.columns.join(', ')))
  return [
    `### ${toCode(name)}`,
    '',
    ...(comment ? [comment, ''] : []),
    '| column | type | rule | meaning |',
    '|---|---|---|---|',
    ...columns.map(
      column =>
        `| ${toCode(column.name)} | ${shortType(column.type)} | ${formatRules(column)} | ${toCell(column.comment ?? '')} |`,
    ),
    '',
    ...keys
      .filter(({ kind }) => kind === 'primary')
      .map(key => `- Primary key: ${toCode(key.columns.join(', '))}`),
    ...(unique.length > 0 ? [`- Unique: ${unique.join('; ')}`] : []),
    ...keys.filter(isShownReference).map(toReferenceLine),
    ...(referring.length > 0 ? [`- Referred to by ${[...new Set(referring)].map(toCode).join(', ')}`] : []),
    '',
  ]
}

function toReferenceLine({ columns, to, onDelete }: Key): string {
  const deleteNote = onDelete === 'cascade' ? ', and is deleted with it' : ''
  return `- ${toCode(withoutTenantId(columns).join(', '))} refers to ${toCode(to!)}${deleteNote}`
}

function formatRules({ required, defaultValue, name }: Column): string {
  if (defaultValue === 'generated') return 'generated'
  if (defaultValue !== null && name !== 'tenant_id')
    return `default ${toCode(defaultValue.replace(/::[\w ]+(\[\])?$/, ''))}`
  return required ? 'required' : ''
}

const toCode = (text: string) => `\`${text}\``
const toCell = (text: string) => text.replaceAll('|', '\\|')
