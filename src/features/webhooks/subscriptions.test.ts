/** Webhook subscriptions over HTTP: creation, lists, deletion, refused input, and event types. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { readShared } from '../../../test/shared.ts'
import { testShared } from '../../../test/shared-tests.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { describeFeatures } from '../../app.ts'
import { compile, type Static, type TSchema } from '../../kit/schema.ts'
import type { CreatedSubscription, EventType } from './schemas.ts'
import type { Subscription } from './subscription-schema.ts'

type Created = Static<typeof CreatedSubscription>
interface Refusal {
  code: string
  errors: { path: string; code: string }[]
}

const url = 'https://crm.example/hooks/aldaba?tenant=1'
let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api', ALLOWED_PRIVATE_RANGES: '' } })
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

async function create(body: Record<string, unknown> = {}, of = tenant): Promise<Created> {
  const reply = await of.call<Created>('POST', '/webhooks', { body: { url, ...body } })
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}

test('a new subscription returns its secret once, and gets all events by default', async () => {
  const { secret, ...subscription } = await create()
  expect(secret).toMatch(/^whsec_/)
  expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32)
  expect(subscription).toMatchObject({ url, events: ['*'], description: null, status: 'enabled' })
  const { body } = await tenant.call<Static<typeof Subscription>>('GET', `/webhooks/${subscription.id}`)
  expect(body).toEqual(subscription)
  expect((await create()).secret).not.toBe(secret)
})

test('the secret is not stored in plain text', async () => {
  const { secret, id } = await create()
  const stored = await tenant.inTenant(tx =>
    tx.selectFrom('webhook_subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  )
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  expect([stored.secret.includes(key), stored.secret.includes(secret)]).toEqual([false, false])
})

test('the list shows the newest first, in pages, without secrets', async () => {
  const own = await makeTenant(app)
  const made: string[] = []
  for (let number = 0; number < 3; number++) made.unshift((await create({}, own)).id)
  const first = await own.call<{ data: Created[]; nextCursor: string }>('GET', '/webhooks?limit=2')
  const rest = await own.call<{ data: Created[]; nextCursor: null }>(
    'GET',
    `/webhooks?limit=2&cursor=${first.body.nextCursor}`,
  )
  const shown = [...first.body.data, ...rest.body.data]
  expect(shown.map(subscription => subscription.id)).toEqual(made)
  expect(rest.body.nextCursor).toBeNull()
  expect(shown.some(subscription => 'secret' in subscription)).toBe(false)
})

test('a deleted subscription is gone, and deleting it again is 404', async () => {
  const { id } = await create()
  expect((await tenant.call('DELETE', `/webhooks/${id}`)).status).toBe(204)
  expect((await tenant.call('DELETE', `/webhooks/${id}`)).status).toBe(404)
  expect((await tenant.call('GET', `/webhooks/${id}`)).status).toBe(404)
})

test("another tenant's subscription is 404", async () => {
  const { id } = await create()
  const other = await makeTenant(app)
  expect((await other.call('GET', `/webhooks/${id}`)).status).toBe(404)
  expect((await other.call('DELETE', `/webhooks/${id}`)).status).toBe(404)
  const list = await other.call<{ data: Created[] }>('GET', '/webhooks')
  expect(list.body.data).toEqual([])
  expect((await tenant.call('GET', `/webhooks/${id}`)).status).toBe(200)
})

test('concurrent requests create at most a hundred subscriptions; deleting one allows another', async () => {
  const own = await makeTenant(app)
  const make = () => own.call<Refusal & { id: string }>('POST', '/webhooks', { body: { url } })
  const makeAtOnce = () => Promise.all(Array.from({ length: 55 }, make))
  const replies = [...(await makeAtOnce()), ...(await makeAtOnce())]
  const made = replies.filter(({ status }) => status === 201)
  expect(made).toHaveLength(100)
  const refused = replies.filter(({ status }) => status !== 201)
  expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
    new Set(['422 TOO_MANY_WEBHOOKS']),
  )
  await own.call('DELETE', `/webhooks/${made[0]!.body.id}`)
  expect((await make()).status).toBe(201)
})

describe('the event types', () => {
  const listTypes = async () =>
    (await tenant.call<{ data: Static<typeof EventType>[] }>('GET', '/webhooks/event-types')).body.data

  test('include all types, each with an example valid against its schema', async () => {
    const events = describeFeatures().flatMap(feature => feature.events)
    const shown = await listTypes()
    expect(shown.map(({ type, summary }) => [type, summary])).toEqual(
      expect.arrayContaining(events.map(({ type, summary }) => [type, summary])),
    )
    expect(shown).toHaveLength(events.length)
    for (const { type, schema, example } of shown) {
      expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' })
      expect(example).toMatchObject({ type })
      expect(compile(schema as TSchema)(structuredClone(example)), type).toEqual([])
    }
  })

  test('are listed in pages', async () => {
    const all = (await listTypes()).map(({ type }) => type)
    const readPage = async (query: string) =>
      (
        await tenant.call<{ data: Static<typeof EventType>[]; nextCursor: string | null }>(
          'GET',
          `/webhooks/event-types?${query}`,
        )
      ).body
    const first = await readPage('limit=3')
    const rest = await readPage(`limit=200&cursor=${first.nextCursor}`)
    expect([...first.data, ...rest.data].map(({ type }) => type)).toEqual(all)
    expect(rest.nextCursor).toBeNull()
  })

  test('have the schemas of openapi.json', async () => {
    const openapi = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))
    for (const { type, schema, example } of await listTypes()) {
      const messageSchema = openapi.webhooks[type].post.requestBody.content['application/json'].schema
      const [here, there] = [schema, { ...messageSchema, components: openapi.components }].map(each =>
        compile(each as TSchema),
      )
      const variants = [example, ...altered(example as Record<string, unknown>)]
      for (const variant of variants) {
        const verdict = there!(structuredClone(variant)).map(({ path }) => path)
        const what = `${type} ${JSON.stringify(variant)}`
        expect(
          here!(structuredClone(variant)).map(({ path }) => path),
          what,
        ).toEqual(verdict)
      }
      expect(variants.length).toBeGreaterThan(10)
    }
  })

  /** Each field omitted, null, or of another type; and an additional field. */
  function* altered(example: Record<string, unknown>): Generator<Record<string, unknown>> {
    yield { ...example, more: 1 }
    for (const [name, value] of Object.entries(example)) {
      const { [name]: _left, ...rest } = example
      yield rest
      for (const other of [null, -1, 'x', []]) yield { ...example, [name]: other }
      if (name === 'data')
        for (const data of altered(value as Record<string, unknown>)) yield { ...example, data }
    }
  }
})

describe('refused', () => {
  const refuse = async (body: Record<string, unknown>) => {
    const reply = await tenant.call<Refusal>('POST', '/webhooks', { body })
    expect(reply.status, reply.text).toBe(400)
    return reply.body
  }

  test('unknown event types, in one reply with all other errors', async () => {
    const { errors } = await refuse({
      url: 'no address',
      events: ['lead.invented', 'nonsense'],
      secret: 'mine',
    })
    const paths = errors.map(error => error.path).sort()
    expect(paths).toEqual(['/events/0', '/events/1', '/secret', '/url'])
    expect((await refuse({ url, events: [] })).errors[0]!.path).toBe('/events')
    expect((await refuse({ url, events: ['*', '*'] })).errors[0]!.path).toBe('/events')
  })

  test.each([
    'http://127.0.0.1/hooks',
    'http://10.1.2.3:8080/',
    'http://192.168.0.1/',
    'http://172.16.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.64.0.1/',
    'http://0.0.0.0/',
    'http://168.63.129.16/machine?comp=goalstate',
    'http://localhost:4500/hooks',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[fd00::1]/',
    'ftp://crm.example/hooks',
    'file:///etc/passwd',
    'https://user:password@crm.example/',
  ])('the URL %s', async address => {
    const { errors } = await refuse({ url: address })
    expect(errors.map(({ path, code }) => [path, code])).toEqual([['/url', 'ADDRESS_REFUSED']])
  })

  testShared('every blocked URL of the shared fixtures without a host name to resolve', async () => {
    const blocked = (JSON.parse(readShared('fixtures/url-safety/blocked-urls.json')) as string[]).filter(
      address => {
        const host = URL.parse(address)?.hostname
        return host === undefined || /^[\d.]+$|^\[/.test(host)
      },
    )
    expect(blocked.length).toBeGreaterThan(20)
    for (const address of blocked) await refuse({ url: address })
  })
})

test.each([{ description: 'a\0b' }, { description: '\ud800' }])(
  'text that cannot be stored is refused or sanitized, never a 500: %j',
  async body => {
    const { status } = await tenant.call('POST', '/webhooks', { body: { url, ...body } })
    expect([201, 400]).toContain(status)
  },
)
