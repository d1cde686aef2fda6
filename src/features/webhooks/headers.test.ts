/** Custom headers: sent with each message, stored encrypted, never overriding Aldaba's own. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { type Receiver, startReceiverForTest, waitForDeliveries } from '../../../test/receiver.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { emit } from '../../kit/events/emit.ts'
import type { Static } from '../../kit/schema.ts'
import { leadsImported } from '../leads/events.ts'
import type { Subscription } from './subscription-schema.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

async function make({ url }: Pick<Receiver, 'url'>, headers: Record<string, string>): Promise<string> {
  const { status, text, body } = await tenant.call<{ id: string }>('POST', '/webhooks', {
    body: { url, headers },
  })
  expect(status, text).toBe(201)
  return body.id
}

const change = (id: string, headers: Record<string, string>) =>
  tenant.call<Static<typeof Subscription>>('PATCH', `/webhooks/${id}`, { body: { headers } })

/** Emits an event and returns the headers of its message. */
async function emitAndReadHeaders(receiver: Receiver): Promise<Record<string, unknown>> {
  const before = receiver.deliveries.length
  await tenant.inTenant(tx => emit(tx, leadsImported, leadsImported.example))
  return (await waitForDeliveries(receiver, before + 1)).at(-1)!.headers
}

test('custom headers are sent with each message, in addition to its own headers', async () => {
  tenant = await makeTenant(app)
  const receiver = await startReceiverForTest()
  await make(receiver, { Authorization: 'Bearer abc', 'X-Empty': '', constructor: 'x' })
  for (let number = 0; number < 2; number++)
    expect(await emitAndReadHeaders(receiver)).toMatchObject({
      authorization: 'Bearer abc',
      'x-empty': '',
      constructor: 'x',
      'content-type': 'application/json',
      'user-agent': 'Aldaba-Webhooks/1.0',
      'webhook-signature': expect.stringMatching(/^v1,/),
    })
})

test('custom headers are replaced as a whole, and can be emptied', async () => {
  tenant = await makeTenant(app)
  const receiver = await startReceiverForTest()
  const id = await make(receiver, { 'X-First': '1', 'X-Second': '2' })
  const changed = await change(id, { 'X-Second': '3' })
  expect(changed.body.headerNames).toEqual(['X-Second'])
  const replaced = await emitAndReadHeaders(receiver)
  expect([replaced['x-first'], replaced['x-second']]).toEqual([undefined, '3'])
  await tenant.call('PATCH', `/webhooks/${id}`, { body: { description: 'no word of headers' } })
  expect((await emitAndReadHeaders(receiver))['x-second']).toBe('3')
  expect((await change(id, {})).body.headerNames).toEqual([])
  expect(await emitAndReadHeaders(receiver)).not.toHaveProperty('x-second')
})

test('custom headers are returned by name only, and stored encrypted', async () => {
  tenant = await makeTenant(app)
  const url = 'https://crm.example/hooks'
  const headers = { 'X-Key': 'a value to keep', Authorization: 'Bearer to keep' }
  const made = await tenant.call<Static<typeof Subscription>>('POST', '/webhooks', { body: { url, headers } })
  const { id } = made.body
  const replies = [
    made,
    await change(id, headers),
    await tenant.call('GET', `/webhooks/${id}`),
    await tenant.call('GET', '/webhooks'),
    await tenant.call('POST', `/webhooks/${id}/test`, { body: {} }),
  ]
  expect(made.body.headerNames).toEqual(['Authorization', 'X-Key'])
  for (const { text } of replies) expect(text).not.toContain('to keep')
  const stored = await tenant.inTenant(tx =>
    tx.selectFrom('webhook_subscriptions').selectAll().executeTakeFirstOrThrow(),
  )
  expect(JSON.stringify(stored)).not.toContain('to keep')
  expect(stored.headers!.includes('to keep')).toBe(false)
})

describe('custom headers are refused', () => {
  const reserved = [
    'host',
    'Content-Type',
    'CONTENT-LENGTH',
    'content-encoding',
    'Transfer-Encoding',
    'connection',
  ]
  const ours = ['User-Agent', 'webhook-id', 'Webhook-Timestamp', 'webhook-signature', 'Webhook-Other']
  const cases: [path: string, code: string, headers: Record<string, string>][] = [
    ...[...reserved, ...ours].map((name): [string, string, Record<string, string>] => [
      `/headers/${name}`,
      'HEADER_RESERVED',
      { 'X-Key': '1', [name]: 'x' },
    ]),
    ['/headers/x-key', 'HEADER_DUPLICATE', { 'X-Key': '1', 'x-key': '2' }],
    ['/headers/x~0key', 'HEADER_DUPLICATE', { 'X~Key': '1', 'x~key': '2' }],
    ['/headers/a b', 'HEADER_NAME', { 'a b': '1' }],
    ['/headers/', 'HEADER_NAME', { '': '1' }],
    ['/headers/X-Key', 'HEADER_VALUE', { 'X-Key': '1\r\nHost: other.example' }],
    ['/headers/X-Key', 'HEADER_VALUE', { 'X-Key': 'é' }],
    [
      '/headers',
      'TOO_MANY',
      Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`X-${index}`, '1'])),
    ],
  ]

  test.each(cases)('with an error at %s, code %s: %j', async (path, code, headers) => {
    const url = 'https://crm.example/hooks'
    const subscriptionId = await make({ url }, {})
    const refusals = [
      await tenant.call<{ errors: object[] }>('POST', '/webhooks', { body: { url, headers } }),
      await tenant.call<{ errors: object[] }>('PATCH', `/webhooks/${subscriptionId}`, { body: { headers } }),
    ]
    for (const { status, body } of refusals) {
      expect(status).toBe(400)
      expect(body.errors).toMatchObject([{ path, code }])
    }
    expect((await change(subscriptionId, { 'X-Key': '1' })).status).toBe(200)
  })

  test('all in one reply, with the errors of the schema', async () => {
    const { body } = await tenant.call<{ errors: { path: string; code: string }[] }>('POST', '/webhooks', {
      body: {
        url: 'http://10.0.0.1/hooks',
        events: ['unknown'],
        headers: { host: 'x', 'a b': '1', 'X-Key': 'é', 'X-Number': 5 },
      },
    })
    expect(body.errors.map(({ path, code }) => `${path} ${code}`).sort()).toEqual([
      '/events/0 NOT_ALLOWED',
      '/headers/X-Key HEADER_VALUE',
      '/headers/X-Number WRONG_TYPE',
      '/headers/a b HEADER_NAME',
      '/headers/host HEADER_RESERVED',
      '/url ADDRESS_REFUSED',
    ])
  })
})
