/** Whether what was told is what the catalogue promises. */
import pg from 'pg'
import { inject } from 'vitest'
import { describedFeatures } from '../src/app.ts'
import type { Feature } from '../src/kit/feature.ts'
import { compile, type Validate } from '../src/kit/schema.ts'
import { databaseNamed } from './database.ts'

const validatorsOf = (features: Feature[]): [string, Validate][] =>
  features.flatMap(({ events }) => events.map(({ type, data }): [string, Validate] => [type, compile(data)]))
let ofProduct: [string, Validate][] | undefined

/** Throws if an event of this database since then is of no known kind, or does not fit the schema of its kind. */
export async function refuseMisshapenEvents(
  databaseUrl: string,
  { since = new Date(0), moreFeatures = [] }: { since?: Date; moreFeatures?: Feature[] | undefined } = {},
): Promise<void> {
  ofProduct ??= validatorsOf(describedFeatures())
  const validators = new Map([...ofProduct, ...validatorsOf(moreFeatures)])
  // Row level security shows all tenants' to nobody else.
  const superuser = new pg.Client({
    connectionString: databaseNamed(inject('superuserUrl'), new URL(databaseUrl).pathname.slice(1)),
  })
  await superuser.connect()
  try {
    const { rows } = await superuser.query<{ type: string; data: unknown }>(
      'select type, data from aldaba.events where created_at >= $1',
      [since],
    )
    for (const { type, data } of rows) {
      const errors = validators.get(type)?.(data) ?? [{ message: 'there is no such kind' }]
      if (errors.length > 0)
        throw new Error(
          `an event ${type} does not fit its schema: ${JSON.stringify({ errors, data }).slice(0, 1000)}`,
        )
    }
  } finally {
    await superuser.end()
  }
}
