/** Checks emitted events against their schemas. */
import pg from 'pg'
import { inject } from 'vitest'
import { describeFeatures } from '../src/app.ts'
import type { Feature } from '../src/kit/feature.ts'
import { compile, type Validate } from '../src/kit/schema.ts'
import { withDatabaseName } from './database.ts'

const compileValidators = (features: Feature[]): [string, Validate][] =>
  features.flatMap(({ events }) => events.map(({ type, data }): [string, Validate] => [type, compile(data)]))
let builtInValidators: [string, Validate][] | undefined

/** Throws if an event of this database since `since` has an unknown type or does not match its schema. */
export async function assertEventsValid(
  databaseUrl: string,
  { since = new Date(0), extraFeatures = [] }: { since?: Date; extraFeatures?: Feature[] | undefined } = {},
): Promise<void> {
  builtInValidators ??= compileValidators(describeFeatures())
  const validators = new Map([...builtInValidators, ...compileValidators(extraFeatures)])
  // Only a superuser sees the rows of all tenants under row level security.
  const superuser = new pg.Client({
    connectionString: withDatabaseName(inject('superuserUrl'), new URL(databaseUrl).pathname.slice(1)),
  })
  await superuser.connect()
  try {
    const { rows } = await superuser.query<{ type: string; data: unknown }>(
      'select type, data from aldaba.events where created_at >= $1',
      [since],
    )
    for (const { type, data } of rows) {
      const errors = validators.get(type)?.(data) ?? [{ message: 'this event type does not exist' }]
      if (errors.length > 0)
        throw new Error(
          `an event ${type} does not fit its schema: ${JSON.stringify({ errors, data }).slice(0, 1000)}`,
        )
    }
  } finally {
    await superuser.end()
  }
}
