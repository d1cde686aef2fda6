/** The token bucket with a fixed time, and its headers in replies of a running server. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Reply, startTestApp, type TestApp } from '../../test/harness.ts'
import { makeKey, makeWorkspace } from '../../test/make.ts'
import { createRateLimiter, rateHeaders } from './rate-limit.ts'

describe('the bucket', () => {
  const anyLimit = fc.integer({ min: 1, max: 10_000 })
  const waitsMs = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 90_000, noNaN: true })), {
    maxLength: 120,
  })

  it('allows the requests of one minute at once, and not one more', () => {
    const limiter = createRateLimiter()
    for (let i = 1; i <= 60; i++)
      expect(limiter('a', 60, 0)).toMatchObject({ allowed: true, limit: 60, remaining: 60 - i })
    expect(limiter('a', 60, 0)).toMatchObject({ allowed: false, remaining: 0, retryAfterSeconds: 1 })
  })

  it('never allows more than the limit plus the refill in any period', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), waitsMs, (limit, waits) => {
        const limiter = createRateLimiter()
        const allowedAtMs: number[] = []
        let nowMs = 0
        for (const waitMs of waits) {
          nowMs += waitMs
          for (let i = 0; i < 3; i++) if (limiter('a', limit, nowMs).allowed) allowedAtMs.push(nowMs)
        }
        allowedAtMs.forEach((fromMs, first) => {
          allowedAtMs.slice(first).forEach((toMs, count) => {
            expect(count + 1).toBeLessThanOrEqual(limit + (limit / 60_000) * (toMs - fromMs) + 1e-4)
          })
        })
      }),
    )
  })

  it('keeps its rate over hours', () => {
    const limiter = createRateLimiter()
    let allowed = 0
    for (let nowMs = 0; nowMs <= 3_600_000; nowMs += 100) if (limiter('a', 60, nowMs).allowed) allowed++
    expect(allowed).toBe(60 + 3600)
  })

  it('allows one request after Retry-After, and is full after the reset', () => {
    fc.assert(
      fc.property(anyLimit, waitsMs, (limit, waits) => {
        const limiter = createRateLimiter()
        let nowMs = 0
        let last = limiter('a', limit, nowMs)
        for (const waitMs of waits) {
          nowMs += waitMs
          last = limiter('a', limit, nowMs)
        }
        while (last.allowed) last = limiter('a', limit, nowMs)
        expect(last.retryAfterSeconds).toBeGreaterThanOrEqual(1)
        nowMs += last.retryAfterSeconds * 1000
        last = limiter('a', limit, nowMs)
        expect(last.allowed).toBe(true)
        expect(last.retryAfterSeconds).toBe(0)
        nowMs += last.resetSeconds * 1000
        expect(limiter('a', limit, nowMs).remaining).toBe(limit - 1)
      }),
    )
  })

  it('counts each key separately', () => {
    const limiter = createRateLimiter()
    expect(limiter('a', 1, 0).allowed).toBe(true)
    expect(limiter('a', 1, 0).allowed).toBe(false)
    expect(limiter('b', 1, 0).allowed).toBe(true)
  })

  it('applies a changed limit', () => {
    const limiter = createRateLimiter()
    limiter('a', 100, 0)
    expect(limiter('a', 5, 0)).toMatchObject({ limit: 5, remaining: 4 })
  })

  it('returns the headers of the IETF draft and the older ones', () => {
    const limiter = createRateLimiter()
    limiter('a', 60, 0)
    expect(rateHeaders(limiter('a', 60, 0))).toEqual({
      'RateLimit-Policy': '"default";q=60;w=60',
      RateLimit: '"default";r=58;t=2',
      'X-RateLimit-Limit': 60,
      'X-RateLimit-Remaining': 58,
      'X-RateLimit-Reset': 2,
    })
  })
})

describe('the limit over HTTP', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ env: { ROLE: 'api' } })
  })
  afterAll(() => app.stop())

  const limit = 4
  async function makeSlowKey(scopes: string[] = []): Promise<string> {
    const { slug } = await makeWorkspace(app.database)
    await app.database.owner
      .updateTable('workspaces')
      .set({ requests_per_minute: limit })
      .where('slug', '=', slug)
      .execute()
    return makeKey(app.database, { workspace: slug, scopes })
  }

  function expectHeaders({ headers }: Reply, remaining: number): void {
    expect(headers.get('ratelimit-policy')).toBe(`"default";q=${limit};w=60`)
    expect(headers.get('ratelimit')).toMatch(new RegExp(`^"default";r=${remaining};t=\\d+$`))
    expect(headers.get('x-ratelimit-limit')).toBe(String(limit))
    expect(headers.get('x-ratelimit-remaining')).toBe(String(remaining))
    expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(0)
    expect(Number(headers.get('x-ratelimit-reset'))).toBeLessThanOrEqual(60)
  }

  it('counts every reply, successes and errors, then replies 429 with Retry-After', async () => {
    const key = await makeSlowKey(['leads:read', 'webhooks:write'])
    const success = await app.call('GET', '/leads', { key })
    expect(success.status).toBe(200)
    expectHeaders(success, 3)
    const invalid = await app.call('GET', '/leads?limit=0', { key })
    expect(invalid.status).toBe(400)
    expectHeaders(invalid, 2)
    const forbidden = await app.call('POST', '/extractions', { key, body: {} })
    expect(forbidden.status).toBe(403)
    expectHeaders(forbidden, 1)
    const malformed = await app.call('POST', '/webhooks', { key, rawBody: '{' })
    expect(malformed.status).toBe(400)
    expectHeaders(malformed, 0)

    const refused = await app.call<{ code: string; message: string }>('GET', '/leads', { key })
    expect(refused.status).toBe(429)
    expect(refused.body.code).toBe('RATE_LIMITED')
    expectHeaders(refused, 0)
    // The bucket gains one request in 15 s.
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(15)
    expect(refused.body.message).toContain(`${limit} requests a minute`)
  })

  it('limits one key without affecting others', async () => {
    const key = await makeSlowKey()
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => (await app.call('GET', '/me', { key })).status),
    )
    expect(statuses.filter(status => status === 200)).toHaveLength(limit)
    expect(statuses.filter(status => status === 429)).toHaveLength(10 - limit)
    expect((await app.call('GET', '/me', { key: await makeSlowKey() })).status).toBe(200)
    expect((await app.call('GET', '/me')).status).toBe(200)
  })

  it('reports the limit of the key in its usage', async () => {
    const { body } = await app.call<{ usage: { rateLimit: unknown } }>('GET', '/me', {
      key: await makeSlowKey(),
    })
    expect(body.usage.rateLimit).toEqual({ limit, windowSeconds: 60 })
  })
})
