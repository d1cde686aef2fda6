/** Tests generated from the lists of dashboard routes: the refusals that hold for every one of them. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeFeatures } from '../src/app.ts'
import { toRoute } from '../src/kit/anonymous-route.ts'
import { openDatabase } from '../src/kit/db/index.ts'
import { createLog } from '../src/kit/log.ts'
import { type Route, route } from '../src/kit/route.ts'
import { strictObject } from '../src/kit/schema.ts'
import { createApp } from '../src/server.ts'
import { startTestApp, type TestApp } from './harness.ts'
import { listProblemCodes, withNames } from './route-paths.ts'
import { browse, makeSignedInUser } from './users.ts'

const features = describeFeatures()
const routes = features.flatMap(({ dashboardRoutes = [] }) => dashboardRoutes)
const anonymousRoutes = features.flatMap(({ anonymousRoutes = [] }) => anonymousRoutes).map(toRoute)

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api', TRUSTED_PROXIES: '127.0.0.1/32' } })
})
afterAll(() => app.stop())

const toPath = ({ path }: Route) => `/dashboard/v1${path.replace(/\{\w+\}/, 'nothing')}`
const send = async (route: Route, options: Parameters<typeof browse>[3] = {}, query = '') => {
  const body = route.body ? { body: route.example } : {}
  const reply = await browse(app, route.method, toPath(route) + query, { ...body, ...options })
  if (reply.status >= 400)
    expect([...listProblemCodes(route), 'ORIGIN_NOT_ALLOWED']).toContain(reply.body.code)
  return reply
}

describe.each(withNames(routes))('%s', (_name, route) => {
  it('requires a session, and refuses anonymous requests and keys', async () => {
    const { testKey } = app.workspace
    for (const headers of [{}, { 'X-Api-Key': testKey }, { Authorization: `Bearer ${testKey}` }])
      expect((await send(route, { headers })).status).toBe(401)
    const unknown = `aldaba_session=${'A'.repeat(43)}`
    expect((await send(route, { cookie: unknown })).status).toBe(401)
    expect((await send(route, { cookie: 'aldaba_session=x' })).status).toBe(401)
  })

  it('accepts a session, and refuses unknown query parameters', async () => {
    const { cookie } = await makeSignedInUser(app, app.workspace.slug)
    const refused = await send(route, { cookie }, '?nonsense=1')
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: '/nonsense' }] } })
    const expected = route.params ? 404 : route.status
    expect((await send(route, { cookie })).status).toBe(expected)
  })

  it('refuses requests of another site', async () => {
    if (route.method === 'GET') return
    const { cookie } = await makeSignedInUser(app, app.workspace.slug)
    expect((await send(route, { cookie, headers: { Origin: 'https://foreign.example' } })).status).toBe(403)
  })
})

describe.each(withNames(anonymousRoutes))('%s', (_name, route) => {
  it('refuses requests of another site, invalid values and large bodies', async () => {
    expect((await send(route, { headers: { Origin: 'https://foreign.example' } })).status).toBe(403)
    expect(await send(route, { body: { nonsense: 1 } })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT' },
    })
    expect((await send(route, { body: 'x'.repeat(17_000) })).status).toBe(413)
  })
})

describe.each([...Map.groupBy([...routes, ...anonymousRoutes], ({ path }) => path)])(
  '%s',
  (_path, samePathRoutes) => {
    it('answers other methods with 405 and lists the allowed ones', async () => {
      const allowedMethods: string[] = samePathRoutes.map(({ method }) => method)
      if (allowedMethods.includes('GET')) allowedMethods.push('HEAD')
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
        each => !allowedMethods.includes(each),
      )) {
        const { status, headers } = await browse(app, method, toPath(samePathRoutes[0]!))
        expect([method, status]).toEqual([method, 405])
        expect(headers.get('allow')?.split(', ').sort()).toEqual(allowedMethods.sort())
      }
    })
  },
)

it('dashboard-openapi.json describes all of them, with their authentication', () => {
  const { paths } = JSON.parse(readFileSync(new URL('../dashboard-openapi.json', import.meta.url), 'utf8'))
  const described = Object.entries<Record<string, { operationId: string; security: object[] }>>(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, security }]) => [
        method,
        path,
        operationId,
        security,
      ]),
    )
    .sort()
  const expected = (some: Route[], security: object[]) =>
    some.map(({ method, path, operation }) => [
      method.toLowerCase(),
      `/dashboard/v1${path}`,
      operation,
      security,
    ])
  expect(described).toEqual([...expected(routes, [{ session: [] }]), ...expected(anonymousRoutes, [])].sort())
})

it('the OpenAPI document of the public API has none of them', () => {
  for (const { operation } of [...routes, ...anonymousRoutes])
    expect(app.app.openapi).not.toContain(`"${operation}"`)
})

it('a schema with the title of another one stops the start', async () => {
  const twin = route({
    method: 'GET',
    path: '/twins',
    operation: 'getTwin',
    tag: 'Leads',
    summary: 'Retrieve a twin',
    scope: 'leads:read',
    status: 200,
    reply: strictObject({}, { title: 'Lead' }),
    replyExample: {},
    handle: async () => ({}),
  })
  const extraFeatures = [{ name: 'twins', routes: [twin], jobs: [], events: [] }]
  const { config, deployment } = app
  const database = openDatabase(config.databaseUrl!, { onError: () => {} })
  const second = createApp(config, { ...deployment, database }, createLog('silent'), { extraFeatures })
  await expect(second.start()).rejects.toThrow('Two schemas of OpenAPI have the title Lead.')
  await second.stop()
  await database.close()
})
