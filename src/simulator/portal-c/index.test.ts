/** Access to the simulated portal_c: tokens, their expiry, the quota, and refusals. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { PortalCall, Reply } from '../portal.ts'
import { createWorld } from '../world.ts'
import { createPortalC, type PortalC } from './index.ts'

const portalOrigin = 'http://127.0.0.1:1'
const hourMs = 3_600_000
const searchBody = 'operation=sale&propertyType=homes&locationId=0-EU-ES-28-079'
const world = await createWorld({ seed: 1, asOf: Date.parse('2026-11-01T00:00:00Z') })

let portal: PortalC
let nowMs: number
beforeEach(() => {
  nowMs = 1_000_000
  portal = createPortalC(world, portalOrigin, { requestsPerHour: 3, now: () => nowMs })
})

function call(path: string, options: Partial<PortalCall> = {}): Reply {
  const url = new URL(path, portalOrigin)
  return portal.answer({ url, method: 'GET', headers: {}, body: '', variant: 'normal', ...options })
}

function body(reply: Reply): Record<string, unknown> {
  return JSON.parse(reply.render().toString())
}

function requestToken(credentials = portal.credentials!, grant = 'client_credentials'): Reply {
  return call('/oauth/token', {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: `grant_type=${grant}`,
  })
}

function search(token: unknown, options: Partial<PortalCall> = {}): Reply {
  const headers = { authorization: `Bearer ${token}` }
  return call('/3.5/es/search', { method: 'POST', headers, body: searchBody, ...options })
}

describe('tokens', () => {
  test('are issued to the known client only', () => {
    expect(body(requestToken())).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
    for (const credentials of ['aldaba:wrong', 'other:secreto-de-socio', 'aldaba', '', '%:%']) {
      const reply = requestToken(credentials)
      expect([reply.status, body(reply).error]).toEqual([401, 'invalid_client'])
    }
    expect(body(requestToken(undefined, 'password'))).toMatchObject({ error: 'unsupported_grant_type' })
    expect(call('/oauth/token').status).toBe(405)
  })

  test('are accepted for an hour, and then refused with 401', () => {
    const { access_token: token } = body(requestToken())
    nowMs += hourMs - 1
    expect(search(token).status).toBe(200)
    nowMs += 1
    expect(search(token)).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': expect.stringContaining('invalid_token') },
    })
    expect(search('made-up').status).toBe(401)
    expect(call('/3.5/es/properties/91')).toMatchObject({ status: 401 })
  })

  test('can all be made to expire at once', () => {
    const { access_token: token } = body(requestToken())
    portal.expireTokens()
    expect(body(search(token))).toMatchObject({ error: 'invalid_token' })
    expect(search(body(requestToken()).access_token).status).toBe(200)
  })
})

describe('the quota', () => {
  test('is counted by the hour, and states when it resets', () => {
    const { access_token: token } = body(requestToken())
    const statuses = [1, 2, 3].map(() => search(token).status)
    expect(statuses).toEqual([200, 200, 200])
    nowMs += hourMs / 2
    const refused = search(token)
    expect([refused.status, refused.headers['retry-after'], body(refused).error]).toEqual([
      429,
      '1800',
      'quota_exceeded',
    ])
    nowMs += hourMs / 2
    expect(search(body(requestToken()).access_token).status).toBe(200)
  })

  test('does not count refused requests', () => {
    for (let requests = 0; requests < 5; requests++) search('made-up')
    expect(search(body(requestToken()).access_token).status).toBe(200)
  })
})

describe('answers', () => {
  test('to GET and POST are the same, and only GET has an entity tag', () => {
    const { access_token: token } = body(requestToken())
    const posted = search(token)
    const got = call(`/3.5/es/search?${searchBody}`, { headers: { authorization: `Bearer ${token}` } })
    expect(body(got)).toEqual(body(posted))
    expect([posted.etag, got.etag]).toEqual([undefined, expect.any(String)])
    expect(body(got)).toMatchObject({ actualPage: 1, itemsPerPage: 20, lowerRangePosition: 0 })
  })

  test.each([
    'operation=sell',
    'locationId=madrid',
    'minPrice=1.5',
    'bedrooms=5',
    'sinceDate=D',
    'numPage=0',
  ])('a search with %s is refused with the name of the parameter', parameter => {
    const [name = '', value = ''] = parameter.split('=')
    const query = new URLSearchParams(searchBody)
    query.set(name, value)
    const reply = search(body(requestToken()).access_token, { body: query.toString() })
    expect(reply.status).toBe(400)
    expect(body(reply).error_description).toContain(name)
  })

  test('unknown listings and those of another country are 404', () => {
    const { access_token: token } = body(requestToken())
    const [foreignId = -1] = world.published('PT')
    const headers = { authorization: `Bearer ${token}` }
    for (const id of ['9', '1', `9${world.attributes(foreignId).id}`])
      expect(call(`/3.5/es/properties/${id}`, { headers })).toMatchObject({ status: 404, kind: 'detail' })
  })
})
