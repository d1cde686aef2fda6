/** `GET /me`, quotas over HTTP, and the creation of workspaces. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeDatabase, startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeKey, makeWorkspace, type TestWorkspace } from '../../../test/make.ts'
import { openDatabase } from '../../kit/db/index.ts'
import { getMonth } from '../../kit/quota.ts'
import type { Me } from './schemas.ts'
import { createWorkspace, ensureDemoWorkspace, listUsers, setQuota } from './service.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
})
afterAll(() => app.stop())

const newExtraction = {
  platform: 'portal_a',
  filters: { operation: 'sale', propertyType: 'homes', location: { id: 'barcelona', label: 'Barcelona' } },
}

describe('GET /me', () => {
  it('returns the workspace, the key without its value, and the usage', async () => {
    const { slug } = await makeWorkspace(app.database)
    const expiresAt = new Date(Date.now() + 86_400_000)
    const key = await makeKey(app.database, { workspace: slug, scopes: ['leads:read'], expiresAt })
    const { body, text } = await app.call<Me>('GET', '/me', { key })
    expect(body.workspace).toEqual({
      id: expect.any(String),
      name: expect.stringMatching(/^Agency /),
      slug,
      timezone: 'Europe/Madrid',
      country: 'ES',
      currency: 'EUR',
      plan: 'self-hosted',
    })
    expect(body.key).toEqual({
      id: expect.any(String),
      name: 'a key',
      environment: 'test',
      scopes: ['leads:read'],
      prefix: 'svc_test_',
      last4: key.slice(-4),
      createdAt: expect.stringMatching(/Z$/),
      createdBy: null,
      expiresAt: expiresAt.toISOString(),
      // Written concurrently with the request, before or after this reply.
      lastUsedAt: expect.toBeOneOf([null, expect.stringMatching(/Z$/)]),
      revokedAt: null,
    })
    expect(text).not.toContain(key.slice('svc_test_'.length, -4))
    const month = getMonth(Temporal.Now.instant(), 'Europe/Madrid')
    expect(body.usage.period).toEqual({ start: month.start.toString(), end: month.end.toString() })
    const byName = Object.groupBy(body.usage.quotas, ({ name }) => name)
    const names = ['Extractions', 'Fichas', 'Leads', 'Messages', 'Valuations'].map(
      what => `max${what}PerMonth`,
    )
    expect(Object.keys(byName).sort()).toEqual(names)
    expect(Object.values(byName)).toEqual(
      body.usage.quotas.map(({ name }) => [
        {
          name,
          limit: null,
          used: 0,
          remaining: null,
          resetsAt: month.end.toString(),
        },
      ]),
    )
    expect(body.usage.rateLimit).toEqual({ limit: 600, windowSeconds: 60 })
  })

  it('returns the environment of the key', async () => {
    for (const environment of ['test', 'live'] as const) {
      const { body } = await app.call<Me>('GET', '/me', { key: app.workspace[`${environment}Key`] })
      expect(body.key!.environment).toBe(environment)
      expect(body.key!.prefix).toBe(`svc_${environment}_`)
    }
  })
})

describe('a quota', () => {
  const name = 'maxExtractionsPerMonth'
  let workspace: TestWorkspace
  let key: string
  beforeEach(async () => {
    workspace = await makeWorkspace(app.database)
    key = await makeKey(app.database, { workspace: workspace.slug })
  })

  const setLimit = (limit: number | null) =>
    setQuota(app.database.owner, { tenantId: workspace.testTenantId, name, limit })
  const start = () => app.call<{ code: string }>('POST', '/extractions', { key, body: newExtraction })
  const getQuota = async (key: string) => {
    const { body } = await app.call<Me>('GET', '/me', { key })
    return body.usage.quotas.find(quota => quota.name === name)
  }

  it('of 7 accepts exactly 7 of 20 concurrent requests', async () => {
    await setLimit(7)
    const replies = await Promise.all(Array.from({ length: 20 }, start))
    expect(replies.filter(reply => reply.status === 202)).toHaveLength(7)
    const refused = replies.filter(reply => reply.status !== 202)
    expect(refused.map(reply => `${reply.status} ${reply.body.code}`)).toEqual(
      Array(13).fill('429 QUOTA_EXCEEDED'),
    )
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await getQuota(key)).toMatchObject({ limit: 7, used: 7, remaining: 0 })
    const { rows } = await app.database.ownerPool.query(
      'select from graphile_worker._private_jobs where payload ->> $1 = $2',
      ['tenantId', workspace.testTenantId],
    )
    expect(rows).toHaveLength(7)
  })

  it('is not used by refused requests', async () => {
    await setLimit(1)
    const refused = await app.call('POST', '/extractions', { key, body: { ...newExtraction, filters: {} } })
    expect(refused.status).toBe(400)
    expect(await getQuota(key)).toMatchObject({ used: 0 })
    expect((await start()).status).toBe(202)
  })

  it('of live is not used by test', async () => {
    await start()
    const live = await makeKey(app.database, { workspace: workspace.slug, environment: 'live' })
    expect(await getQuota(live)).toMatchObject({ used: 0 })
    expect(await getQuota(key)).toMatchObject({ used: 1 })
  })

  it('can be raised and removed', async () => {
    await setLimit(0)
    expect((await start()).status).toBe(429)
    await setLimit(1)
    expect((await start()).status).toBe(202)
    await setLimit(null)
    expect((await start()).status).toBe(202)
    expect(await getQuota(key)).toMatchObject({ limit: null, used: 2, remaining: null })
  })
})

describe('a workspace', () => {
  it('gets its slug from its name, without accents and punctuation', async () => {
    expect(await createWorkspace(app.database.owner, { name: ' Pérez & Núñez, S.L. ' })).toBe(
      'perez-nunez-s-l',
    )
  })

  it('starts with both environments and an owner', async () => {
    const slug = await createWorkspace(app.database.owner, {
      name: 'Soler',
      ownerEmail: 'marta@soler.example',
    })
    expect(await listUsers(app.database.owner, slug)).toEqual([
      {
        id: expect.any(String),
        email: 'marta@soler.example',
        name: 'Owner',
        role: 'owner',
        createdAt: expect.stringMatching(/Z$/),
      },
    ])
    for (const environment of ['live', 'test'] as const)
      expect(await makeKey(app.database, { workspace: slug, environment })).toMatch(`svc_${environment}_`)
  })

  it('with a slug that is taken is refused, and nothing is created', async () => {
    const slug = await createWorkspace(app.database.owner, { name: 'Taken' })
    await expect(createWorkspace(app.database.owner, { name: 'Another', slug })).rejects.toThrow(
      'A workspace with the slug taken already exists. Choose another with --slug.',
    )
    expect(await listUsers(app.database.owner, slug)).toHaveLength(1)
  })

  it.each(['', 'Upper', 'a--b', '-a', 'a b', 'ñ', 'a/b'])('with the slug %j is refused', async slug => {
    await expect(createWorkspace(app.database.owner, { name: 'x', slug })).rejects.toThrow(
      'is not a valid slug',
    )
  })

  it('with a name that gives no slug is refused, with a hint to choose one', async () => {
    await expect(createWorkspace(app.database.owner, { name: '株式会社' })).rejects.toThrow(
      '--slug my-agency',
    )
  })

  it('that is unknown is refused with a list of the existing ones', async () => {
    await expect(makeKey(app.database, { workspace: 'nobody' })).rejects.toThrow(
      /There is no workspace nobody\. Existing workspaces: .*agency-/,
    )
  })
})

it('named demo is created once on an empty database, also by concurrent processes', async () => {
  const database = openDatabase(await makeDatabase(), { onError: () => {} })
  await Promise.all(Array.from({ length: 5 }, () => ensureDemoWorkspace(database.owner)))
  await ensureDemoWorkspace(database.owner)
  const workspaces = await database.owner.selectFrom('workspaces').select('slug').execute()
  expect(workspaces).toEqual([{ slug: 'demo' }])
  expect(await listUsers(database.owner, 'demo')).toHaveLength(1)
  await database.close()
})

it('named demo is not created if a workspace exists', async () => {
  const database = openDatabase(await makeDatabase(), { onError: () => {} })
  await createWorkspace(database.owner, { name: 'Soler' })
  await ensureDemoWorkspace(database.owner)
  expect(await database.owner.selectFrom('workspaces').select('slug').execute()).toEqual([{ slug: 'soler' }])
  await database.close()
})
