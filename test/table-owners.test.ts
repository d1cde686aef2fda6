/** Each table is written by one module. Other modules use its service or a hook. */
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it } from 'vitest'

const pattern =
  /(?:insert\s+into|update|delete\s+from|merge\s+into)\s+(?:only\s+)?(?:aldaba\.)?(\w+)|(?:insertInto|updateTable|deleteFrom)\(\s*'(\w+)/g

/** The same for a table whose name is a variable. */
const variableTable =
  /(?:insert\s+into|(?<!do )update|delete\s+from|merge\s+into)\s+(?:only\s+)?\$\{|(?:insertInto|updateTable|deleteFrom)\(\s*[^'\s)]/

/** The module of a file: a folder of `src`, a feature, or a file of `src`. */
function toModule(file: string): string {
  const [, folder, feature] = file.split('/')
  return folder === 'features' ? `${folder}/${feature}` : folder!
}

const types = readFileSync('src/kit/db/tables.generated.ts', 'utf8')
const tables = [...types.slice(types.indexOf('export interface DB')).matchAll(/^ {2}(\w+): /gm)].map(
  ([, name]) => name!,
)
/** Views, which nobody writes. */
const views = ['lead_documents', 'message_documents']
const program = globSync('src/**/*.ts')
  .filter(file => !/\.test\.ts$|generated/.test(file))
  .map(file => ({ file, text: readFileSync(file, 'utf8') }))

it('each table is written by one module', () => {
  const writers = new Map(
    tables.filter(table => !views.includes(table)).map(table => [table, new Set<string>()]),
  )
  for (const { file, text } of program)
    for (const [, inSql, byBuilder] of text.matchAll(pattern))
      writers.get((inSql ?? byBuilder)!)?.add(toModule(file))
  const shared = [...writers].map(([table, modules]) => `${table}: ${[...modules].sort().join(', ')}`)
  expect(tables.length).toBeGreaterThan(30)
  expect(shared.filter(line => !/: [^,]+$/.test(line))).toEqual([])
})

it('only the listed files write a table whose name is a variable', () => {
  const writing = program.filter(({ text }) => variableTable.test(text)).map(({ file }) => file)
  expect(writing.sort()).toEqual([
    // Counts requeues of an operation, in the table of its kind.
    'src/kit/operations/stalled-operations.ts',
    // Re-encrypts the encrypted columns of features.
    'src/rotation.ts',
  ])
})

it('only two files write leads and their indexes', () => {
  const written = ['leads', 'lead_search', 'lead_identifiers', 'lead_tags']
  const writers = globSync('src/**/*.ts')
    .filter(file => !file.endsWith('.test.ts'))
    .filter(file =>
      [...readFileSync(file, 'utf8').matchAll(pattern)].some(([, table]) => written.includes(table!)),
    )
  expect(writers.sort()).toEqual([
    'src/features/leads/record/index-leads.ts',
    'src/features/leads/record/write-leads.ts',
  ])
})

it('files that declare routes, schemas or jobs contain no statements', () => {
  const declaring = /(^|-)(index|schemas|routes|service|settings|hooks|quotas|problems|jobs|events)\.ts$/
  const declares = /\b(route|uploadRoute|publicRoute|job|deploymentJob|operationJob)(<.*>)?\(\{/
  const found = globSync('src/features/**/*.ts').filter(file => {
    if (file.endsWith('.test.ts')) return false
    const text = readFileSync(file, 'utf8')
    return (
      (declaring.test(basename(file)) || declares.test(text)) &&
      /\bsql[`<]|\.execute(TakeFirst)?\(/.test(text)
    )
  })
  expect(found).toEqual([])
})

it.each([
  ['insert into leads (id)', 'leads'],
  ['update only leads set', 'leads'],
  ['delete\n  from aldaba.leads l', 'leads'],
  ['merge into leads', 'leads'],
  ["tx.insertInto('leads')", 'leads'],
  ["tx\n.deleteFrom('leads')", 'leads'],
])('finds a write: %s', (text, table) => {
  const [match] = text.matchAll(pattern)
  expect(match![1] ?? match![2]).toBe(table)
})

it.each([
  'update $'.concat('{sql.table(table)} set'),
  'insert into $'.concat('{table} (id)'),
  'tx.updateTable(table)',
])('finds a write to a variable: %s', text => expect(variableTable.test(text)).toBe(true))
