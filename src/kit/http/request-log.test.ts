/** The log line of a request: who changed what, without tokens or text of the caller. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { serveRoutes } from '../../../test/serve-routes.ts'
import { newId } from '../id.ts'
import { createLog } from '../log.ts'
import { rawBody } from '../public-body.ts'
import { publicRoute } from '../public-route.ts'
import { route } from '../route.ts'
import { id, strictObject, Type } from '../schema.ts'

const things = (['GET', 'DELETE'] as const).map(method =>
  route({
    method,
    path: '/things/{id}',
    operation: `${method.toLowerCase()}Thing`,
    tag: 'Test',
    summary: 'A',
    scope: 'any',
    params: strictObject({ id: id('The thing.') }),
    status: 204,
    reply: Type.Null(),
    handle: async () => null,
  }),
)

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
})
afterAll(() => app.stop())

it.each(['GET', 'HEAD', 'POST'])('contains no token of a public route: %s', async method => {
  const log = createLog('silent')
  const info = vi.spyOn(log, 'info')
  const page = publicRoute({
    path: '/pages/{token}',
    kind: 'page',
    findResource: async (_database, token) => ({ tenantId: app.workspace.testTenantId, name: token }),
    get: async () => ({ type: 'text/html', body: '<p>Hello</p>' }),
    post: {
      body: rawBody({ maxBytes: 10 }),
      handle: async () => ({ type: 'text/html', body: '<p>Hello</p>' }),
    },
  })
  const { server, url } = await serveRoutes(app, [], { log, publicRoutes: [page] })
  const reply = await fetch(`${url.replace('/public/v1', '/pages')}/secret-token?and=secret-query`, {
    method,
  })
  expect(reply.status).toBe(200)
  await server.close()
  expect(info).toHaveBeenCalledOnce()
  expect(JSON.stringify(info.mock.calls)).not.toContain('secret-')
})

it.each([
  ['the id of a deletion', 'DELETE', newId(), 204, true],
  ['no id of a read', 'GET', newId(), 204, false],
  ['no invalid id', 'DELETE', '+34612345678', 400, false],
])('contains %s', async (_what, method, thing, status, isLogged) => {
  const log = createLog('silent')
  const info = vi.spyOn(log, 'info')
  const { server, url } = await serveRoutes(app, things, { log })
  const headers = { 'x-api-key': app.workspace.testKey }
  expect((await fetch(`${url}/things/${thing}`, { method, headers })).status).toBe(status)
  await server.close()
  const line = info.mock.calls.map(
    ([message]) => message as { method?: string; keyId?: string; params?: object },
  )[0]!
  expect(line).toMatchObject({ method, keyId: expect.any(String) })
  expect(line.params).toEqual(isLogged ? { id: thing } : undefined)
})
