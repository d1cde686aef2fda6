/** Tests generated from the list of routes: the refusals that hold for every route. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { describeFeatures } from '../src/app.ts'
import { collectScopes } from '../src/kit/feature.ts'
import { newId } from '../src/kit/id.ts'
import { createKeyValue } from '../src/kit/key.ts'
import type { Route } from '../src/kit/route.ts'
import { listScopes } from '../src/kit/route-refusals.ts'
import { allows, type Scope } from '../src/kit/scope.ts'
import { toExampleRequest } from './example-requests.ts'
import { type CallOptions, type Reply, startTestApp, type TestApp } from './harness.ts'
import { makeKey, makeWorkspace } from './make.ts'
import { makePath, makeResource, type ProblemBody, sendTo, toUnknownPath, withNames } from './route-paths.ts'

const features = describeFeatures()
const routes = features.flatMap(feature => feature.routes)
const scopes = collectScopes(features)
/** False for lists that are the same for every tenant, or for both environments of a workspace. */
const isTenantOwned = ({ path }: Route) =>
  !/^\/(platforms|sandbox)/.test(path) &&
  ![
    '/valuations/accuracy',
    '/webhooks/event-types',
    '/chat-providers',
    '/ads/networks',
    '/scheduling/calendar-providers',
    '/templates/variables',
    '/users',
  ].includes(path)
/** One route of each kind that the server handles alike: general refusals are tested on these. */
const representatives = firstOfEach(routes, ({ method, scope, params, query, body, upload }) =>
  JSON.stringify([method, scope === 'any', !params, !query, !body, !upload]),
)
const withParams = routes.filter(route => route.params && isTenantOwned(route))
const pagedLists = routes.filter(({ query }) => query && 'cursor' in query.properties)
/** Without lists below an id: for other tenants the id is unknown. */
const lists = routes.filter(
  route => route.method === 'GET' && 'data' in listProperties(route) && isTenantOwned(route) && !route.params,
)

function firstOfEach<T>(items: T[], toKind: (item: T) => string): T[] {
  return [...Map.groupBy(items, toKind).values()].map(([first]) => first!)
}

function listProperties({ reply }: Route): object {
  return (reply as { properties?: object } | undefined)?.properties ?? {}
}

let app: TestApp
let other: { testKey: string; liveKey: string }
let revokedKey: string
let expiredKey: string

beforeAll(async () => {
  // Without a worker, started operations stay queued.
  app = await startTestApp({ env: { ROLE: 'api', PORTAL_URLS: 'portal_a=http://127.0.0.1:9' } })
  const { database } = app
  await database.owner.updateTable('workspaces').set({ requests_per_minute: 1_000_000 }).execute()
  const { slug } = await makeWorkspace(database)
  other = {
    testKey: await makeKey(database, { workspace: slug }),
    liveKey: await makeKey(database, { workspace: slug, environment: 'live' }),
  }
  const workspace = app.workspace.slug
  revokedKey = await makeKey(database, { workspace })
  expiredKey = await makeKey(database, { workspace, expiresAt: new Date(Date.now() - 1000) })
  await database.owner
    .updateTable('api_keys')
    .set({ revoked_at: new Date() })
    .where('last4', '=', revokedKey.slice(-4))
    .execute()
})
afterAll(() => app.stop())

const send = (route: Route, path: string, options: CallOptions = {}) => sendTo(app, route, path, options)

describe.each(withNames(routes))('%s', (_name, route) => {
  it('answers an anonymous request with 401 and the authentication scheme', async () => {
    const { status, headers } = await send(route, toUnknownPath(route), {
      key: null,
      ...toExampleRequest(route),
    })
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toBe('Bearer')
  })

  it('declares its query parameters, and refuses others', () => {
    if (route.query) expect(route.query).toMatchObject({ additionalProperties: false })
  })
})

describe.each(withNames(representatives))('%s, as an example of its kind,', (_name, route) => {
  it('answers a mistyped key with 401 without querying the database', async () => {
    const spies = [vi.spyOn(app.database, 'findApiKey'), vi.spyOn(app.database, 'withTenant')]
    const key = createKeyValue('test')
    const mistyped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
    for (const key of [mistyped, 'nonsense'])
      expect((await send(route, toUnknownPath(route), { key })).status).toBe(401)
    for (const spy of spies) expect(spy).not.toHaveBeenCalled()
    vi.restoreAllMocks()
  })

  it('answers an unknown, a revoked and an expired key with the same 401', async () => {
    const refusals = []
    for (const key of [createKeyValue('test'), revokedKey, expiredKey]) {
      const { status, body } = await send(route, toUnknownPath(route), { key, ...toExampleRequest(route) })
      expect(status).toBe(401)
      refusals.push(body.message)
    }
    expect(new Set(refusals).size).toBe(1)
  })

  it('works with the key in either header', async () => {
    const { testKey } = app.workspace
    for (const headers of [{ 'x-api-key': testKey }, { authorization: `Bearer ${testKey}` }]) {
      const path = await makePath(app, route, testKey)
      expect(await send(route, path, { key: null, headers, ...toExampleRequest(route) })).toMatchObject({
        status: route.status,
      })
    }
  })

  it('answers an unknown query parameter with 400 and names it', async () => {
    const { status, body } = await send(route, `${toUnknownPath(route)}?nonsense=1`, toExampleRequest(route))
    expect(status).toBe(400)
    expect(body.errors).toContainEqual(expect.objectContaining({ path: '/nonsense', code: 'UNKNOWN_FIELD' }))
  })
})

describe.each(withNames(routes.filter(route => route.scope !== 'any')))('the scope of %s', (_name, route) => {
  const scope = route.scope as Scope
  const others = route.alsoScope ? [route.alsoScope] : []

  it.each(listScopes(route))(
    'refuses a key with all scopes but %s, and names the missing one',
    async scope => {
      const key = await makeKey(app.database, {
        workspace: app.workspace.slug,
        scopes: scopes.filter(granted => !allows([granted], scope)),
      })
      const { status, body } = await send(route, toUnknownPath(route), { key, ...toExampleRequest(route) })
      expect(status).toBe(403)
      expect(body.code).toBe('INSUFFICIENT_SCOPE')
      expect(body.message).toContain(` ${scope}.`)
    },
  )

  it('accepts a key with only this scope; a read scope is also included in the write scope', async () => {
    const widerScope = representatives.includes(route) ? scope.replace(/:read$/, ':write') : scope
    for (const granted of scopes.filter(one => one === scope || one === widerScope)) {
      const key = await makeKey(app.database, { workspace: app.workspace.slug, scopes: [granted, ...others] })
      const path = await makePath(app, route, app.workspace.testKey)
      expect((await send(route, path, { key, ...toExampleRequest(route) })).status).toBe(route.status)
    }
  })

  it('refuses a key with only the read scope if it needs the write scope', async () => {
    if (!scope.endsWith(':write') || !representatives.includes(route)) return
    const readScope = scope.replace(/:write$/, ':read')
    const key = await makeKey(app.database, { workspace: app.workspace.slug, scopes: [readScope, ...others] })
    expect((await send(route, toUnknownPath(route), { key, ...toExampleRequest(route) })).status).toBe(403)
  })
})

// A route with `createdStatus` creates the object if the caller's tenant has none with this id.
const routesWithId = withParams.filter(route => !('createdStatus' in route && route.createdStatus))
describe.each(withNames(routesWithId))('the object of %s', (_name, route) => {
  const withoutRequestId = ({ status, body }: Reply<ProblemBody>) => ({
    status,
    body: { ...body, requestId: '' },
  })

  it('is refused with the same 404 if it belongs to another workspace or environment, or does not exist', async () => {
    const { testKey, liveKey } = app.workspace
    const unknown = withoutRequestId(await send(route, toUnknownPath(route), toExampleRequest(route)))
    expect(unknown).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })

    const cases = [
      [other.testKey, testKey],
      [liveKey, testKey],
      [other.liveKey, testKey],
      [testKey, liveKey],
    ] as const
    for (const [holder, caller] of representatives.includes(route) ? cases : cases.slice(0, 2)) {
      const path = await makePath(app, route, holder)
      const refusal = await send(route, path, { key: caller, ...toExampleRequest(route) })
      expect(withoutRequestId(refusal)).toEqual(unknown)
      // In live, the provider itself would answer.
      if (calledInLive.includes(route.operation) && holder === liveKey) continue
      expect((await send(route, path, { key: holder, ...toExampleRequest(route) })).status).toBe(route.status)
    }
  })

  it('is refused with 400 if the id is malformed', async () => {
    // An external id may be any text.
    if ('externalId' in route.params!.properties) return
    for (const id of ['1', '%00', 'urn:uuid:01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f', '%27%20or%201=1']) {
      const { status, body } = await send(route, route.path.replace(/\{\w+\}/, id), toExampleRequest(route))
      expect(status).toBe(400)
      expect(body.errors[0]?.path).toMatch(/^\/\w+$/)
    }
  })
})

const calledInLive = [
  'submitTemplate',
  'listExternalCalendars',
  'readCalendar',
  'testAdConnection',
  'deleteAdConnection',
]

describe.each(withNames(lists))('the list of %s', (_name, route) => {
  const countFor = async (key: string) =>
    (await app.call<{ data: unknown[] }>('GET', route.path, { key })).body.data.length

  it('has only rows of its own tenant', async () => {
    const { slug } = await makeWorkspace(app.database)
    const testKey = await makeKey(app.database, { workspace: slug })
    const liveKey = await makeKey(app.database, { workspace: slug, environment: 'live' })
    expect(await countFor(testKey)).toBe(0)
    await makeResource(app, testKey, `${route.path}/{id}`, route.path)
    expect(await countFor(testKey)).toBe(1)
    expect(await countFor(liveKey)).toBe(0)
  })
})

describe.each(withNames(pagedLists))('the pages of %s', (_name, route) => {
  it.each(['nonsense', 'W10', ''])('refuse an invalid cursor with 400: %j', async cursor => {
    const path = await makePath(app, route, app.workspace.testKey)
    expect(await send(route, `${path}?cursor=${cursor}`)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_CURSOR', errors: [{ path: '/cursor' }] },
    })
  })
})

describe.each(withNames(representatives.filter(route => route.method === 'GET')))(
  'HEAD in place of %s',
  (_name, route) => {
    it('answers with the same status and headers, and without body', async () => {
      const path = await makePath(app, route, app.workspace.testKey)
      const [get, head] = [await app.call('GET', path), await app.call('HEAD', path)]
      expect(head.status).toBe(get.status)
      expect(head.text).toBe('')
      for (const name of ['content-type', 'cache-control', 'ratelimit-policy'])
        expect(head.headers.get(name)).toBe(get.headers.get(name))
    })
  },
)

const paths = [...Map.groupBy(routes, route => route.path)]
const toMethods = (sameRoutes: Route[]) => sameRoutes.map(({ method }) => method).sort()

describe.each(
  firstOfEach(paths, ([path, sameRoutes]) => JSON.stringify([toMethods(sameRoutes), path.includes('{')])),
)('%s', (path, sameRoutes) => {
  it('answers other methods with 405 and lists the allowed ones', async () => {
    const allowedMethods: string[] = sameRoutes.map(route => route.method)
    if (allowedMethods.includes('GET')) allowedMethods.push('HEAD')
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
      method => !allowedMethods.includes(method),
    )
    for (const method of others) {
      const { status, headers, body } = await app.call<ProblemBody>(
        method,
        path.replaceAll(/\{\w+\}/g, () => newId()),
      )
      expect(`${method} ${status} ${body.code}`).toBe(`${method} 405 METHOD_NOT_ALLOWED`)
      expect(headers.get('allow')?.split(', ').sort()).toEqual(allowedMethods.sort())
    }
  })
})
