/** Whoever wants to know the time asks the clock: of the environment, or of the machine, and says which by that. */
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const pattern =
  /Date\.now\(|new Date\(\)|Temporal\.Now\b|(?<![.\w])now\(\)|clock_timestamp\(\)|\bcurrent_timestamp\b|transaction_timestamp\(|localtimestamp/i

/** These ask the machine themselves. */
const machines = [
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
const asking = globSync('src/{features,crawl,plugins,documents,domain,kit}/**/*.ts')
  .filter(isCode)
  .filter(file => !file.includes('/embedded-postgres'))
  .filter(file => pattern.test(readFileSync(file, 'utf8')))

it('nothing else asks for the time', () => {
  expect(asking.filter(file => !machines.includes(file))).toEqual([])
})

it('those that are named do', () => {
  expect(asking.sort()).toEqual([...machines].sort())
})

it('columns of tenants have no time by default, but for what only the machine looks at', () => {
  const types = readFileSync('src/kit/db/tables.generated.ts', 'utf8')
  const tables = [...types.matchAll(/export interface (\w+) \{([^}]*)\}/g)]
    .filter(([, , columns]) => columns!.includes('tenant_id'))
    .flatMap(([, table, columns]) =>
      [...columns!.matchAll(/(\w+): Generated<Timestamp>/g)].map(([, column]) => `${table}.${column}`),
    )
  expect(tables.sort()).toEqual(['ApiKeys.created_at', 'Extractions.moved_at', 'LeadOperations.moved_at'])
})
