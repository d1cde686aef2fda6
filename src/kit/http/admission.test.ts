/** One workspace floods the server while others are still served: slots are limited per kind, tenant and key. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { countAdvisoryLockWaiters, eventually, startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeKey } from '../../../test/make.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'

let app: TestApp
let flooding: TestTenant
let other: TestTenant
beforeAll(async () => {
  // On a busy machine, the requests of a flood take longer to arrive than one of them waits.
  app = await startTestApp({ env: { ROLE: 'api' }, slotWaitMaxMs: 600_000 })
  flooding = await makeTenant(app)
  other = await makeTenant(app)
})
afterAll(() => app.stop())

const lead = { contact: { name: 'Marta Soler', phone: '612 34 56 78' }, property: { title: 'Piso' } }
const bulkChange = { body: { filter: { q: 'piso' }, changes: { addTags: ['autumn'] } } }

/** Holds the lock for which the writers of a tenant wait. Returns a function that releases it. */
async function blockWriters({ tenantId }: TestTenant): Promise<() => Promise<void>> {
  expect((await other.call('PATCH', '/leads', bulkChange)).status).toBe(200)
  const client = await app.database.ownerPool.connect()
  await client.query('select pg_advisory_lock(hashtextextended($1, 2))', [tenantId])
  let isHeld = true
  const release = async () => {
    if (!isHeld) return
    isHeld = false
    await client.query('select pg_advisory_unlock_all()')
    client.release()
  }
  onTestFinished(release)
  return release
}

const countStatuses = (replies: { status: number }[]) =>
  Object.fromEntries(
    Map.groupBy(replies, ({ status }) => status)
      .entries()
      .map(([status, some]) => [status, some.length]),
  )

describe('120 bulk changes of one key at once', () => {
  it('wait for each other, not for another workspace; those above the limit are refused at once', async () => {
    const release = await blockWriters(flooding)
    const replies: { status: number }[] = []
    const flood = Array.from({ length: 120 }, async () => {
      const reply = await flooding.call('PATCH', '/leads', bulkChange)
      replies.push(reply)
      return reply
    })
    await eventually(
      async () => replies.length,
      count => count === 120 - 64,
    )
    // Only the tenant's share of the connections waits for the lock.
    await eventually(
      () => countAdvisoryLockWaiters(app.database),
      waiting => waiting === 3,
    )

    for (const { status, headers, body } of replies as Awaited<(typeof flood)[number]>[]) {
      expect(status).toBe(429)
      expect(headers.get('retry-after')).toBe('1')
      expect(body).toMatchObject({ code: 'TOO_MANY_CONCURRENT_REQUESTS' })
    }
    expect((await other.call('POST', '/leads', { body: lead })).status).toBe(201)
    expect((await other.listLeads()).data).toHaveLength(1)
    await expect(flooding.listLeads()).rejects.toThrow('429')

    await release()
    expect(countStatuses(await Promise.all(flood))).toEqual({ 200: 64, 429: 56 })
  })

  it('are refused at almost no cost: one database query serves many of them', async () => {
    const release = await blockWriters(flooding)
    const reads = vi.spyOn(app.database, 'readTenant')
    onTestFinished(() => reads.mockRestore())
    const flood = Array.from({ length: 200 }, () => flooding.call('PATCH', '/leads', bulkChange))
    const refusals = flood.map(reply => reply.then(({ status }) => status === 429))
    await eventually(
      async () =>
        (await Promise.all(refusals.map(one => Promise.race([one, sleep(0, false)])))).filter(Boolean),
      ({ length }) => length === 200 - 64,
    )
    expect(reads.mock.calls.length).toBeLessThan(80)

    await release()
    expect(countStatuses(await Promise.all(flood))).toEqual({ 200: 64, 429: 136 })
  })

  it('run six at a time: any later request of the key waits', async () => {
    const release = await blockWriters(flooding)
    const flood = Array.from({ length: 6 }, () => flooding.call('PATCH', '/leads', bulkChange))
    await eventually(
      () => countAdvisoryLockWaiters(app.database),
      waiting => waiting === 3,
    )
    const read = flooding.call('GET', '/leads').then(({ status }) => status)
    expect(await Promise.race([read, sleep(300, 'waits')])).toBe('waits')
    await release()
    expect(await read).toBe(200)
    expect(countStatuses(await Promise.all(flood))).toEqual({ 200: 6 })
  })

  it('leave slots of the workspace to its other keys', async () => {
    const release = await blockWriters(flooding)
    const { rows } = await app.database.ownerPool.query<{ slug: string }>(
      'select w.slug from aldaba.workspaces w join aldaba.tenants t on t.workspace_id = w.id where t.id = $1',
      [flooding.tenantId],
    )
    const key = await makeKey(app.database, { workspace: rows[0]!.slug })
    const flood = Array.from({ length: 64 }, () => flooding.call('PATCH', '/leads', bulkChange))
    await eventually(
      () => countAdvisoryLockWaiters(app.database),
      count => count === 3,
    )
    expect((await app.call('GET', '/leads', { key })).status).toBe(200)
    await release()
    await Promise.all(flood)
  })

  it('are dropped if their client disconnects before they start', async () => {
    const { status, body } = await flooding.call<{ id: string }>('POST', '/leads', { body: lead })
    expect(status).toBe(201)
    const release = await blockWriters(flooding)
    const disconnected = new AbortController()
    const send = (tag: string, signal?: AbortSignal) =>
      fetch(`${app.url}/public/v1/leads`, {
        method: 'PATCH',
        headers: { 'x-api-key': flooding.key, 'content-type': 'application/json' },
        body: JSON.stringify({ ids: [body.id], changes: { addTags: [tag] } }),
        ...(signal ? { signal } : {}),
      })
    const running = Array.from({ length: 3 }, () => send('started'))
    await eventually(
      () => countAdvisoryLockWaiters(app.database),
      count => count === 3,
    )
    const waiting = Array.from({ length: 40 }, () => send('waited', disconnected.signal).catch(() => null))
    await sleep(100)
    disconnected.abort()
    await Promise.all(waiting)
    const last = send('last')
    await release()
    expect(countStatuses(await Promise.all([...running, last]))).toEqual({ 200: 4 })
    const { body: changed } = await flooding.call<{ tags: string[] }>('GET', `/leads/${body.id}`)
    expect(changed.tags.toSorted()).toEqual(['last', 'started'])
  })
})

describe('long-lived requests', () => {
  const startExtraction = async (tenant: TestTenant) => {
    const { body, status } = await tenant.call<{ extractionId: string }>('POST', '/extractions', {
      body: {
        platform: 'portal_a',
        filters: { operation: 'sale', location: { id: 'barcelona', label: 'Barcelona' } },
      },
    })
    expect(status).toBe(202)
    return body.extractionId
  }

  it.each([
    ['long polls', (id: string, seconds: number) => `/extractions/${id}?waitSeconds=${seconds}`],
    ['event streams', (id: string) => `/extractions/${id}/events`],
  ])(
    '%s: a key may have 50 at once; more are refused, and its other requests are served',
    async (_name, toPath) => {
      const extractionId = await startExtraction(flooding)
      const path = toPath(extractionId, 60)
      const leaving = new AbortController()
      const refusals: Response[] = []
      // Fetch ends the stream of a reply that is garbage-collected.
      const held: Response[] = []
      const watch = async () => {
        const reply = await fetch(`${app.url}/public/v1${path}`, {
          headers: { 'x-api-key': flooding.key },
          signal: leaving.signal,
        })
        if (reply.status === 429) refusals.push(reply)
        else held.push(reply)
        return reply
      }
      const watching = Array.from({ length: 60 }, async () => {
        // A kept-alive connection may have been closed at this moment, so the request is repeated.
        while (!leaving.signal.aborted && !(await watch().catch(() => null)));
      })
      await eventually(
        async () => refusals.length,
        // A repeated request may arrive while the slot of the broken one is still held.
        count => count >= 10,
      )
      expect(held.length).toBeLessThanOrEqual(50)
      expect(refusals[0]!.headers.get('retry-after')).toBe('5')
      expect(await refusals[0]!.json()).toMatchObject({ code: 'TOO_MANY_CONCURRENT_REQUESTS' })
      expect((await flooding.call('GET', '/leads')).status).toBe(200)
      expect(
        (await other.call('POST', '/leads', { body: { ...lead, contact: { name: 'Ana' } } })).status,
      ).toBe(201)

      leaving.abort()
      await Promise.all(watching)
      // Their slots are free again.
      const again = new AbortController()
      onTestFinished(() => again.abort())
      const fetchStatus = async () => {
        const reply = await fetch(`${app.url}/public/v1${toPath(extractionId, 1)}`, {
          headers: { 'x-api-key': flooding.key },
          signal: again.signal,
        })
        return reply.status
      }
      await eventually(fetchStatus, status => status === 200)
    },
  )
})

it('validations that wait for a portal do not delay other requests of their key', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  onTestFinished(() => void silent.close())
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const slow = await startTestApp({ env: { ROLE: 'api', PORTAL_URLS: `portal_a=http://127.0.0.1:${port}` } })
  onTestFinished(() => slow.stop())
  const tenant = await makeTenant(slow, 'live')
  const filters = { operation: 'sale', location: { id: 'barcelona', label: 'Barcelona' } }
  for (let n = 0; n < 8; n++)
    void tenant.call('POST', '/platforms/portal_a/validate', { body: filters }).catch(() => null)
  await once(silent, 'connection')
  await sleep(200)
  const startedMs = performance.now()
  expect((await tenant.call('GET', '/me')).status).toBe(200)
  expect(performance.now() - startedMs).toBeLessThan(10_000)
})
