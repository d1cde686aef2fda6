/** A route's `prepare` runs before its transaction, only for a valid key and valid input, and ends with the request. */
import { request as send } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeKey } from '../../../test/make.ts'
import { serveRoutes } from '../../../test/serve-routes.ts'
import { Problem } from '../problem.ts'
import { route } from '../route.ts'
import { strictObject, Type } from '../schema.ts'

const prepare = vi.fn<(input: { body: { n: number }; signal: AbortSignal }) => Promise<number>>()
const handle = vi.fn<(prepared: number) => Promise<void>>()
const doubling = route({
  method: 'POST',
  path: '/double',
  operation: 'doubleNumber',
  tag: 'Test',
  summary: 'Double',
  scope: 'any',
  body: strictObject({ n: Type.Integer() }),
  status: 200,
  reply: Type.Integer(),
  prepare: input => prepare(input),
  async handle({ prepared, tx }) {
    await tx.selectFrom('workspaces').select('id').execute()
    await handle(prepared)
    return prepared * 2
  },
})

let app: TestApp
let server: FastifyInstance
let url: string
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
})
afterAll(() => app.stop())
beforeEach(async () => {
  prepare.mockReset().mockImplementation(async ({ body }) => body.n)
  handle.mockReset()
  const served = await serveRoutes(app, [doubling])
  server = served.server
  url = `${served.url}/double`
  return () => server.close()
})

async function postDouble(n: unknown, headers: Record<string, string> = {}) {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'x-api-key': app.workspace.testKey, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ n }),
  })
  return { status: reply.status, headers: reply.headers, body: await reply.json() }
}

it('passes its result to the handler, without an open transaction meanwhile', async () => {
  const entered = vi.spyOn(app.database, 'withTenant')
  prepare.mockImplementation(async ({ body }) => {
    expect(entered.mock.calls.filter(([tenant]) => tenant.keyId)).toEqual([])
    return body.n + 1
  })
  expect(await postDouble(20)).toMatchObject({ status: 200, body: 42 })
  expect(handle).toHaveBeenCalledWith(21)
  entered.mockRestore()
})

it('does not run for invalid input, nor for a key that was just revoked', async () => {
  expect((await postDouble('many')).status).toBe(400)
  const key = await makeKey(app.database, { workspace: app.workspace.slug })
  expect((await postDouble('many', { 'x-api-key': key })).status).toBe(400)
  await app.database.owner
    .updateTable('api_keys')
    .set({ revoked_at: new Date() })
    .where('last4', '=', key.slice(-4))
    .execute()
  for (const more of [{}, { 'idempotency-key': 'k' }])
    expect((await postDouble(1, { 'x-api-key': key, ...more })).status).toBe(401)
  expect(prepare).not.toHaveBeenCalled()
})

it('may refuse the request: the handler does not run', async () => {
  prepare.mockRejectedValue(new Problem('IDEMPOTENCY_MISMATCH', 'No address.'))
  expect(await postDouble(1)).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_MISMATCH' } })
  expect(handle).not.toHaveBeenCalled()
})

it('runs once for an idempotency key; a repetition skips it', async () => {
  const headers = { 'idempotency-key': crypto.randomUUID() }
  expect(await postDouble(4, headers)).toMatchObject({ status: 200, body: 8 })
  prepare.mockRejectedValue(new Error('the portal is down'))
  const again = await postDouble(4, headers)
  expect(again).toMatchObject({ status: 200, body: 8 })
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(await postDouble(5, headers)).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_MISMATCH' } })
  expect(prepare).toHaveBeenCalledTimes(1)
})

/** Waits for its signal and throws its reason, as a request to a portal does. */
function waitForSignal() {
  const started = Promise.withResolvers<void>()
  const aborted = Promise.withResolvers<void>()
  prepare.mockImplementation(({ signal }) => {
    started.resolve()
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        aborted.resolve()
        reject(new Error('aborted'))
      })
    })
  })
  return { started: started.promise, aborted: aborted.promise }
}

it('is aborted when the client disconnects', async () => {
  const { started, aborted } = waitForSignal()
  const request = send(url, {
    method: 'POST',
    headers: { 'x-api-key': app.workspace.testKey, 'content-type': 'application/json' },
  })
  request.on('error', () => {})
  request.end('{"n":1}')
  await started
  request.destroy()
  await aborted
  expect(handle).not.toHaveBeenCalled()
})

it('is aborted with a 503 when the server stops, without delaying the shutdown', async () => {
  const { started } = waitForSignal()
  const replied = postDouble(1)
  await started
  const startedMs = performance.now()
  await server.close()
  expect(performance.now() - startedMs).toBeLessThan(30_000)
  expect(await replied).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
})
