/** The program reads the time from the clock of an environment or from that of the machine, never directly. */
import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setClock, sqlNowFor } from '../src/kit/clock/clock.ts'
import { type Database, openDatabase, sql } from '../src/kit/db/index.ts'
import { makeDatabase } from './harness.ts'
import { makeWorkspace } from './make.ts'

let database: Database
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), { onError: () => {} })
})
afterAll(() => database.close())

const pattern =
  /Date\.now\b|new Date\(\)|new Date\b(?![\w(<.])|(?<![\w.])Date\(\)|Temporal\.Now\b|(?<![.\w])now\(\)|(clock|statement|transaction)_timestamp\b|current_(date|time|timestamp)\b|\blocaltime(stamp)?\b|timeofday\(|'(now|today|tomorrow|yesterday)'::/

/** Files that may read the machine's time. */
const machineClockFiles = [
  // The clock.
  'src/kit/clock/clock.ts',
  // The time of a transaction, for the clock.
  'src/kit/db/context.ts',
  // Times of ids, locks and jobs in tables without tenants.
  'src/kit/db/migrate.ts',
  'src/kit/jobs/queue-tables.ts',
  'src/kit/throttle/throttle.ts',
  // The page of the phone, in the browser of a person.
  'src/features/sandbox/phones/script.ts',
  // The widget, in the browser of a visitor.
  'src/features/campaigns/widget/script.ts',
]

const isCode = (file: string) => !/\.test\.ts$|generated/.test(file)
/** The simulator has its own time; the command line and the embedded database work for the operator. */
const isElsewhere = (file: string) => /^src\/(simulator|cli)\/|\/embedded-postgres/.test(file)
const clockReaders = globSync('src/**/*.ts')
  .filter(file => isCode(file) && !isElsewhere(file))
  .filter(file => pattern.test(readFileSync(file, 'utf8')))

it('no other file reads the time', () => {
  expect(clockReaders.filter(file => !machineClockFiles.includes(file))).toEqual([])
})

it('the listed files read the time', () => {
  expect(clockReaders.sort()).toEqual([...machineClockFiles].sort())
})

it('functions of the database only use the machine’s time between processes', async () => {
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

it('columns of tenant tables have no default time, except those that only the machine reads', () => {
  const types = readFileSync('src/kit/db/tables.generated.ts', 'utf8')
  const tables = [...types.matchAll(/export interface (\w+) \{([^}]*)\}/g)]
    .filter(([, , columns]) => columns!.includes('tenant_id'))
    .flatMap(([, table, columns]) =>
      [...columns!.matchAll(/(\w+): Generated<Timestamp>/g)].map(([, column]) => `${table}.${column}`),
    )
  expect(tables.sort()).toEqual([
    // It is generated from the range of the reservation.
    'AgendaReservations.starts_at',
    'ApiKeys.created_at',
    'Extractions.progressed_at',
    'Fichas.progressed_at',
    'LeadOperations.progressed_at',
  ])
})

describe('queries across tenants', () => {
  const dayMs = 86_400_000
  /** The shift of each clock; the last one was not moved. */
  const shifts = new Map<string, number>()
  beforeAll(async () => {
    for (const days of [10, 20, 0]) {
      const { testTenantId: tenantId } = await makeWorkspace(database)
      shifts.set(tenantId, days)
      await database.withTenant({ tenantId }, tx => setClock(tx, new Date(Date.now() + days * dayMs)))
    }
  })

  const columns = globSync('src/**/*.ts').flatMap(file =>
    [...readFileSync(file, 'utf8').matchAll(/sqlNowFor\('([^']+)'\)/g)].map(([, column]) => column!),
  )
  it.each([...new Set(columns)].sort())('read the clock of each tenant by %s', async column => {
    const [alias] = column.split('.')
    const { rows } = await sql<{ tenantId: string; days: number }>`
      select tenant_id as "tenantId", round(extract(epoch from ${sqlNowFor(column)} - clock_timestamp()) / 86400)::int as days
      from unnest(${[...shifts.keys()]}::uuid[]) as ${sql.ref(alias!)} (tenant_id)`.execute(database.owner)
    expect(new Map(rows.map(({ tenantId, days }) => [tenantId, days]))).toEqual(shifts)
  })
})
