/** Authorization towards portals: one shared token, renewed when it expires or is refused, and sent to nobody else. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import type { Database } from '../kit/db/index.ts'
import { createHttpClient, type HttpClient, HttpFailure, type HttpRequest } from '../kit/http/client.ts'
import { createMetrics } from '../kit/metrics.ts'
import type { Authentication, PortalDefinition } from '../plugins/portal.ts'
import { createAuthorization } from './authorization.ts'
import { openPortalClient } from './portal-client.ts'
import type { ResolvedPortal } from './resolved-portal.ts'

const credentials = { id: 'agency ñ', secret: 's3cret:/+&' }
const oauth2: Authentication = { kind: 'oauth2', tokenPath: '/oauth/token' }

let portals = 0

/** A portal with a unique address, because tokens are cached by address. */
function createPortal(
  authentication: Authentication | undefined,
  overrides: Partial<ResolvedPortal> = {},
): ResolvedPortal {
  const definition = {
    id: 'portal',
    politeness: { requestsPerSecond: 1000, concurrency: 8 },
    ...(authentication && { authentication }),
  } as Partial<PortalDefinition> as PortalDefinition
  return {
    definition,
    baseUrl: `https://portal-${portals++}.example`,
    credentials,
    isLocal: true,
    ...overrides,
  }
}

type Grant = { status: number; body: string } | HttpFailure

const granted = (token: string, more: object = { expires_in: 3600 }): Grant => ({
  status: 200,
  body: JSON.stringify({ access_token: token, token_type: 'bearer', ...more }),
})

/** Answers token requests with the grants in order, and repeats the last one. */
function makeGrantClient(...grants: Grant[]) {
  const requests: { url: string; request: HttpRequest }[] = []
  const http = {
    async fetch(url, request) {
      const grant = grants[Math.min(requests.length, grants.length - 1)]!
      requests.push({ url, request })
      if (grant instanceof HttpFailure) throw grant
      return { status: grant.status, headers: {}, body: Buffer.from(grant.body) }
    },
  } as Partial<HttpClient> as HttpClient
  return { requests, http }
}

const notAccepted = {
  code: 'CREDENTIALS_INVALID',
  message: expect.stringMatching(/does not accept the credentials .*PORTAL_URLS/),
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

afterEach(() => void vi.useRealTimers())

describe('the header', () => {
  test('is missing for a portal without authentication, or without configured credentials', () => {
    const { http } = makeGrantClient()
    expect(createAuthorization(createPortal(undefined), http)).toBeNull()
    expect(createAuthorization(createPortal(oauth2, { credentials: null }), http)).toBeNull()
  })

  test('is the fixed token if the portal uses one, which cannot be renewed', async () => {
    const { requests, http } = makeGrantClient()
    const authorization = createAuthorization(createPortal({ kind: 'bearer' }), http)!
    expect(await authorization.getHeaders()).toEqual(bearer(credentials.secret))
    expect(await authorization.renew(`Bearer ${credentials.secret}`)).toBe(false)
    expect(requests).toEqual([])
  })

  test('is a token requested with the credentials', async () => {
    const { requests, http } = makeGrantClient(granted('one'))
    const portal = createPortal({ ...oauth2, scope: 'read' })
    expect(await createAuthorization(portal, http)!.getHeaders()).toEqual(bearer('one'))
    const [{ url, request }] = requests as [(typeof requests)[0]]
    expect([url, request.method]).toEqual([`${portal.baseUrl}/oauth/token`, 'POST'])
    expect(Object.fromEntries(new URLSearchParams(String(request.body)))).toEqual({
      grant_type: 'client_credentials',
      scope: 'read',
    })
    const pair = Buffer.from(request.headers!.authorization!.replace('Basic ', ''), 'base64').toString()
    expect(pair.split(':').map(decodeURIComponent)).toEqual([credentials.id, credentials.secret])
  })
})

describe('a token', () => {
  test('is requested once for concurrent and later requests', async () => {
    const { requests, http } = makeGrantClient(granted('one'), granted('two'))
    const portal = createPortal(oauth2)
    const getHeaders = () => createAuthorization(portal, http)!.getHeaders()
    const all = await Promise.all(Array.from({ length: 20 }, getHeaders))
    expect(new Set(all.map(headers => headers.authorization))).toEqual(new Set(['Bearer one']))
    expect(await getHeaders()).toEqual(bearer('one'))
    expect(requests).toHaveLength(1)
  })

  test('is separate for other credentials and other portals', async () => {
    const { http } = makeGrantClient(granted('one'), granted('two'), granted('three'))
    const portal = createPortal(oauth2)
    const others = [{ ...portal, credentials: { ...credentials, secret: 'new' } }, createPortal(oauth2)]
    const tokens = []
    for (const which of [portal, ...others]) tokens.push(await createAuthorization(which, http)!.getHeaders())
    expect(tokens).toEqual([bearer('one'), bearer('two'), bearer('three')])
  })

  test.each([
    [{ expires_in: 3600 }, 3539, 3541],
    [{ expires_in: 100 }, 89, 91],
    [{}, 269, 271],
    [{ expires_in: 'soon' }, 269, 271],
  ])(
    'with %o is used for %i seconds but not for %i: then one request fetches the next',
    async (more, good, lapsed) => {
      const startMs = Date.now()
      vi.useFakeTimers({ toFake: ['Date'], now: startMs })
      const { requests, http } = makeGrantClient(granted('one', more), granted('two', more))
      const authorization = createAuthorization(createPortal(oauth2), http)!
      await authorization.getHeaders()
      vi.setSystemTime(startMs + good * 1000)
      expect(await authorization.getHeaders()).toEqual(bearer('one'))
      vi.setSystemTime(startMs + lapsed * 1000)
      const all = await Promise.all(Array.from({ length: 9 }, () => authorization.getHeaders()))
      expect(all).toEqual(Array.from({ length: 9 }, () => bearer('two')))
      expect(requests).toHaveLength(2)
    },
  )

  test('is renewed once after a refusal, for all requests that were refused', async () => {
    const { requests, http } = makeGrantClient(granted('one'), granted('two'), granted('three'))
    const authorization = createAuthorization(createPortal(oauth2), http)!
    const refused = (await authorization.getHeaders()).authorization
    const renewRefused = async () => {
      expect(await authorization.renew(refused)).toBe(true)
      return authorization.getHeaders()
    }
    expect(await Promise.all([1, 2, 3].map(renewRefused))).toEqual(Array(3).fill(bearer('two')))
    // A refusal of the previous token arrives late.
    expect(await renewRefused()).toEqual(bearer('two'))
    expect(requests).toHaveLength(2)
  })
})

describe('a portal that grants no token', () => {
  test.each<[string, Grant]>([
    ['refuses', { status: 401, body: '{"error":"invalid_client"}' }],
    ['calls it a bad request', { status: 400, body: '{"error":"invalid_client"}' }],
    ['answers with a page', { status: 200, body: '<html>Sign in</html>' }],
    ['answers without a token', { status: 200, body: '{"access_token":""}' }],
    ['answers with null', { status: 200, body: 'null' }],
    ['redirects', { status: 302, body: '' }],
  ])('and %s has rejected the credentials', async (_how, grant) => {
    const { requests, http } = makeGrantClient(grant, granted('one'))
    const authorization = createAuthorization(createPortal(oauth2), http)!
    await expect(authorization.getHeaders()).rejects.toMatchObject(notAccepted)
    // The operator may have corrected the credentials meanwhile.
    expect(await authorization.getHeaders()).toEqual(bearer('one'))
    expect(requests).toHaveLength(2)
  })

  test.each<[string, Grant]>([
    ['503', { status: 503, body: '' }],
    ['429', { status: 429, body: '' }],
    ['no answer', new HttpFailure('timeout', 'no complete reply within 8000 ms')],
  ])('temporarily (%s) is tried again later', async (_why, grant) => {
    const { http } = makeGrantClient(grant, granted('one'))
    const authorization = createAuthorization(createPortal(oauth2), http)!
    await expect(authorization.getHeaders()).rejects.toBeInstanceOf(HttpFailure)
    expect(await authorization.getHeaders()).toEqual(bearer('one'))
  })
})

describe('a portal', () => {
  const http = createHttpClient({ reach: 'any' })
  const servers: Server[] = []
  afterAll(async () => {
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
    await http.close()
  })

  /** A portal that accepts the tokens it granted, until the test clears `valid`. */
  async function openPortal(
    answer: { token?: () => number; page?: () => number } = {},
    authentication: Authentication | null = oauth2,
  ) {
    const valid = new Set<string>()
    const [robots, tokens, pages] = [[], [], []] as [IncomingMessage[], IncomingMessage[], IncomingMessage[]]
    const server = createServer(async (request, response) => {
      await text(request)
      if (request.url === '/robots.txt') {
        robots.push(request)
        return response.writeHead(404).end()
      }
      if (request.url === '/oauth/token') {
        tokens.push(request)
        const status = answer.token?.() ?? 200
        const token = `token-${tokens.length}`
        valid.add(`Bearer ${token}`)
        return response.writeHead(status).end(JSON.stringify({ access_token: token, expires_in: 3600 }))
      }
      pages.push(request)
      const isKnown = valid.has(request.headers.authorization ?? '')
      response.writeHead(answer.page?.() ?? (isKnown ? 200 : 401)).end('a page')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    servers.push(server)
    const client = await openPortalClient({
      portal: createPortal(authentication ?? undefined, {
        baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      }),
      tenantId: 'tenant',
      http,
      // Local portals are not throttled.
      database: {} as Database,
      metrics: createMetrics(async () => 0),
      contactUrl: 'https://agency.example',
      signal: new AbortController().signal,
    })
    const readMany = () =>
      Promise.all(Array.from({ length: 12 }, (_, at) => client.fetchPage({ path: `/${at}` })))
    return { client, valid, robots, tokens, pages, readMany }
  }

  test('grants one token for concurrent requests, and one more when the first is invalidated', async () => {
    const { valid, tokens, pages, readMany } = await openPortal()
    expect((await readMany()).map(({ kind }) => kind)).toEqual(Array(12).fill('page'))
    expect([tokens.length, pages.length]).toEqual([1, 12])
    valid.clear()
    expect((await readMany()).map(({ kind }) => kind)).toEqual(Array(12).fill('page'))
    expect(tokens).toHaveLength(2)
    expect(pages.length).toBeLessThanOrEqual(36)
  })

  test('that refuses a new token too gets no third request', async () => {
    const { client, tokens, pages } = await openPortal({ page: () => 401 })
    await expect(client.fetchPage({ path: '/' })).rejects.toMatchObject(notAccepted)
    expect([tokens.length, pages.length]).toEqual([2, 2])
  })

  test('that refuses a fixed token gets no second request', async () => {
    const { client, pages } = await openPortal({}, { kind: 'bearer' })
    await expect(client.fetchPage({ path: '/' })).rejects.toMatchObject(notAccepted)
    expect(pages).toHaveLength(1)
  })

  test('that requires credentials while none are configured fails with a clear message', async () => {
    const { client } = await openPortal({ page: () => 401 }, null)
    await expect(client.fetchPage({ path: '/' })).rejects.toMatchObject({
      code: 'CREDENTIALS_INVALID',
      message: 'The portal requires credentials. The operator sets them with PORTAL_URLS.',
    })
  })

  test('that temporarily grants no token is read after a retry', async () => {
    const { client, tokens } = await openPortal({ token: () => (tokens.length === 1 ? 503 : 200) })
    expect(await client.fetchPage({ path: '/' })).toMatchObject({ kind: 'page' })
    expect(tokens).toHaveLength(2)
  })

  test('gets no credentials with the request for robots.txt', async () => {
    const { client, robots } = await openPortal()
    await client.fetchPage({ path: '/' })
    expect(robots.map(({ headers }) => headers.authorization)).toEqual([undefined])
  })

  test('that fails causes errors without any credentials in them', async () => {
    const failures = await Promise.all([
      openPortal({ page: () => 401 }),
      openPortal({ page: () => 403 }),
      openPortal({ token: () => 401 }),
      openPortal({}, { kind: 'bearer' }),
    ])
    const errors: unknown[] = await Promise.all(
      failures.map(({ client }) => client.fetchPage({ path: '/' }).catch((error: unknown) => error)),
    )
    const [id, secret] = [credentials.id, credentials.secret].map(encodeURIComponent)
    const secrets = [credentials.secret, secret, Buffer.from(`${id}:${secret}`).toString('base64')]
    for (const error of errors) {
      expect(error).toBeInstanceOf(Error)
      for (const secret of [...secrets, 'token-']) expect(inspect(error, { depth: 9 })).not.toContain(secret)
    }
  })
})
