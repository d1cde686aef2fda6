/** A route whose handler fails: the reply reveals nothing, and says when to come back. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { sql } from '../db/index.ts'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics.ts'
import { type Route, route } from '../route.ts'
import { Type } from '../schema.ts'
import { createHttpServer } from './server.ts'

const failures: Record<string, () => unknown> = {
  surprise: () => {
    throw new Error('the password is hunter2')
  },
  nonsense: () => {
    throw 'not even an error'
  },
  'has no database': () => {
    throw Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:5432'), { code: 'ECONNREFUSED' })
  },
  'writes in a read-only transaction': () => sql`insert into leads default values`,
  'waits too long': () => {
    throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
  },
}
const failing: Route = route({
  method: 'GET',
  path: '/fail',
  operation: 'fail',
  tag: 'Test',
  summary: 'Fails',
  scope: 'any',
  query: Type.Object({ how: Type.String() }),
  status: 200,
  reply: Type.Null(),
  async handle({ query, tx }) {
    const statement = failures[query.how]!() as ReturnType<typeof sql>
    await statement.execute(tx)
    return null
  },
})
let app: TestApp
let server: FastifyInstance
beforeAll(async () => {
  app = await shareTestApp('api')
  const metrics = createMetrics(async () => 0)
  server = createHttpServer({
    routes: [failing],
    database: app.database,
    cipher: app.deployment.cipher,
    publicUrl: 'http://localhost',
    agentScopes: [],
    basePaths: [''],
    log: createLog('silent'),
    metrics,
  })
})
afterAll(async () => {
  await server.close()
  await app.stop()
})

const fail = (how: string) =>
  server.inject({
    url: '/public/v1/fail',
    query: { how },
    headers: { 'x-api-key': app.workspace.testKey },
  })

it.each(['surprise', 'nonsense', 'writes in a read-only transaction'])(
  'answers 500 without revealing the cause: %s',
  async how => {
    const { statusCode, payload } = await fail(how)
    expect(statusCode).toBe(500)
    expect(JSON.parse(payload)).toEqual({
      statusCode: 500,
      code: 'INTERNAL',
      message: 'Something went wrong on our side. It has been recorded under the request id.',
      requestId: expect.any(String),
    })
  },
)

it.each(['has no database', 'waits too long'])('answers 503 with Retry-After: %s', async how => {
  const { statusCode, headers, payload } = await fail(how)
  expect(statusCode).toBe(503)
  expect(JSON.parse(payload)).toMatchObject({ code: 'UNAVAILABLE' })
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(payload).not.toContain('10.1.2.3')
})
