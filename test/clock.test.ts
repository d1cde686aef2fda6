/** Whoever wants to know the time asks the clock: of the environment, or of the machine, and says which by that. */
import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openDatabase, sql } from '../src/kit/db/index.ts'
import { makeDatabase } from './harness.ts'

let database: Database
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), { onError: () => {} })
})
afterAll(() => database.close())

const pattern =
  /Date\.now\b|new Date\(\)|new Date\b(?![\w(<.])|(?<![\w.])Date\(\)|Temporal\.Now\b|(?<![.\w])now\(\)|(clock|statement|transaction)_timestamp\b|current_(date|time|timestamp)\b|\blocaltime(stamp)?\b|timeofday\(|'(now|today|tomorrow|yesterday)'::/

/** These ask the machine themselves. */
const machineClockFiles = [
  // The clock.
  'src/kit/clock/clock.ts',
  // What a transaction knows of time, for the clock.
  'src/kit/db/context.ts',
  // Times of ids, of locks and of jobs in tables that belong to no tenant.
  'src/kit/db/migrate.ts',
  'src/kit/jobs/queue-tables.ts',
  'src/kit/throttle/throttle.ts',
]

const isCode = (file: string) => !/\.test\.ts$|generated/.test(file)
/** The simulator has a day of its own; the command line and the embedded database work for the operator. */
const isElsewhere = (file: string) => /^src\/(simulator|cli)\/|\/embedded-postgres/.test(file)
const clockReaders = globSync('src/**/*.ts')
  .filter(file => isCode(file) && !isElsewhere(file))
  .filter(file => pattern.test(readFileSync(file, 'utf8')))

it('nothing else asks for the time', () => {
  expect(clockReaders.filter(file => !machineClockFiles.includes(file))).toEqual([])
})

it('those that are named do', () => {
  expect(clockReaders.sort()).toEqual([...machineClockFiles].sort())
})

it('functions of the database ask for the machine’s time where it is between processes, and for no other', async () => {
  const { rows } = await sql<{ name: string; text: string }>`
    select proname as name, coalesce(pg_get_function_sqlbody(oid), prosrc) as text
    from pg_proc where pronamespace = 'aldaba'::regnamespace`.execute(database.owner)
  expect(rows.length).toBeGreaterThan(5)
  expect(rows.flatMap(({ name, text }) => (pattern.test(text) ? name : [])).sort()).toEqual([
    // The request rate of portals.
    'acquire_throttle',
    'current_slow_factor',
    // Lifetimes of keys.
    'enter_with_key',
    // Ids of rows that are found by other ids.
    'new_id',
  ])
})

it('columns of tenants have no time by default, but for what only the machine looks at', () => {
  const types = readFileSync('src/kit/db/tables.generated.ts', 'utf8')
  const tables = [...types.matchAll(/export interface (\w+) \{([^}]*)\}/g)]
    .filter(([, , columns]) => columns!.includes('tenant_id'))
    .flatMap(([, table, columns]) =>
      [...columns!.matchAll(/(\w+): Generated<Timestamp>/g)].map(([, column]) => `${table}.${column}`),
    )
  expect(tables.sort()).toEqual([
    'ApiKeys.created_at',
    'Extractions.progressed_at',
    'LeadOperations.progressed_at',
  ])
})
