/** Updating, disabling and enabling subscriptions. Nothing is sent here. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { createPendingDeliveries, emitImported, subscribe } from '../../../test/receiver.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { sql } from '../../kit/db/index.ts'
import type { Static } from '../../kit/schema.ts'
import type { Delivery } from './schemas.ts'
import { listDueSubscriptions } from './sending/queries.ts'
import type { Subscription } from './subscription-schema.ts'

type Shown = Static<typeof Subscription>

const url = 'https://crm.example/hooks/aldaba'
let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api', ALLOWED_PRIVATE_RANGES: '' } })
})
afterAll(() => app.stop())

/** A subscription in a new workspace. */
async function make(body: Record<string, unknown> = {}): Promise<Shown> {
  tenant = await makeTenant(app)
  const made = await tenant.call<Shown & { secret: string }>('POST', '/webhooks', { body: { url, ...body } })
  const { secret: _secret, ...shown } = made.body
  return shown
}

const show = async ({ id }: Shown) => (await tenant.call<Shown>('GET', `/webhooks/${id}`)).body

async function change({ id }: Shown, body: Record<string, unknown>): Promise<Shown> {
  const reply = await tenant.call<Shown>('PATCH', `/webhooks/${id}`, { body })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

/** Its deliveries, oldest first. */
async function listDeliveries({ id }: { id: string }): Promise<Static<typeof Delivery>[]> {
  const { body } = await tenant.call<{ data: Static<typeof Delivery>[] }>('GET', `/webhooks/${id}/deliveries`)
  return body.data.reverse()
}

describe('an update', () => {
  test.each([
    { url: 'https://other.example/' },
    { events: ['lead.created', 'lead.deleted'] },
    { description: 'CRM' },
    { description: null },
    { url: 'http://other.example/', events: ['*'], description: 'both' },
  ])('of %j changes only that and returns it', async body => {
    const before = await make({
      events: ['leads.imported'],
      description: 'before',
      headers: { 'X-Key': '1' },
    })
    const changed = await change(before, body)
    expect(changed).toEqual({ ...before, ...body, updatedAt: expect.any(String) })
    expect(Date.parse(changed.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt))
    expect(await show(before)).toEqual(changed)
  })

  test('without fields changes nothing', async () => {
    const before = await make()
    expect(await change(before, {})).toEqual(before)
  })

  test('of the event types applies to events from then on', async () => {
    const subscription = await make({ events: ['lead.created'] })
    await emitImported(tenant, 1)
    await change(subscription, { events: ['leads.imported'] })
    const emitted = await emitImported(tenant, 2)
    await change(subscription, { events: ['lead.created'] })
    await emitImported(tenant, 3)
    expect((await listDeliveries(subscription)).map(({ eventId }) => eventId)).toEqual([emitted])
  })

  test.each([
    ['/url', 'ADDRESS_REFUSED', { url: 'http://127.0.0.1/hooks' }],
    ['/url', 'ADDRESS_REFUSED', { url: 'http://169.254.169.254/latest/meta-data/' }],
    ['/url', 'ADDRESS_REFUSED', { url: 'http://[::ffff:10.0.0.1]/' }],
    ['/url', 'ADDRESS_REFUSED', { url: 'http://localhost:4500/' }],
    ['/url', 'ADDRESS_REFUSED', { url: 'ftp://crm.example/' }],
    ['/url', 'ADDRESS_REFUSED', { url: 'https://user:password@crm.example/' }],
    ['/headers/Host', 'HEADER_RESERVED', { headers: { Host: 'other.example' } }],
    ['/events/0', 'NOT_ALLOWED', { events: ['lead.invented'] }],
    ['/status', 'NOT_ALLOWED', { status: 'paused' }],
    ['/secret', 'UNKNOWN_FIELD', { secret: 'mine' }],
  ])('is refused with an error at %s, code %s, and changes nothing: %j', async (path, code, body) => {
    const before = await make()
    const refusal = await tenant.call<{ errors: { path: string; code: string }[] }>(
      'PATCH',
      `/webhooks/${before.id}`,
      { body: { description: 'changed', status: 'disabled', ...body } },
    )
    expect(refusal.status).toBe(400)
    expect(refusal.body.errors.map(error => [error.path, error.code])).toEqual([[path, code]])
    expect(await show(before)).toEqual(before)
  })

  test("of another workspace's subscription is 404 and changes nothing", async () => {
    const before = await make()
    const stranger = await makeTenant(app)
    const reply = await stranger.call('PATCH', `/webhooks/${before.id}`, { body: { status: 'disabled' } })
    expect(reply.status).toBe(404)
    expect(await show(before)).toEqual(before)
  })
})

describe('disabling', () => {
  test('fails pending deliveries, and no new ones are created', async () => {
    const subscription = await make()
    const [delivered, pending] = [await emitImported(tenant, 1), await emitImported(tenant, 2)]
    await createPendingDeliveries(tenant, subscription.id)
    await tenant.inTenant(tx =>
      sql`update webhook_deliveries set status = 'delivered', next_attempt_at = null where event_id = ${delivered}`.execute(
        tx,
      ),
    )
    const disabled = await change(subscription, { status: 'disabled' })
    expect(disabled).toMatchObject({ status: 'disabled', disabledReason: null })
    expect(Math.abs(Date.parse(disabled.disabledAt!) - Date.now())).toBeLessThan(60_000)
    await emitImported(tenant, 3)
    await createPendingDeliveries(tenant, subscription.id)
    expect(await listDeliveries(subscription)).toMatchObject([
      { eventId: delivered, status: 'delivered' },
      { eventId: pending, status: 'failed', nextAttemptAt: null },
    ])
  })

  test('by a user emits no event, also not the second time', async () => {
    const subscription = await make()
    const other = await subscribe(tenant, { url })
    const disabled = await change(subscription, { status: 'disabled' })
    expect(await change(subscription, { status: 'disabled' })).toEqual(disabled)
    await createPendingDeliveries(tenant, other.id)
    expect(await listDeliveries(other)).toEqual([])
  })
})

describe('enabling', () => {
  test('resets the failure history', async () => {
    const subscription = await make()
    await tenant.inTenant(tx =>
      sql`
        update webhook_subscriptions set status = 'disabled', disabled_by = 'failures', disabled_reason = 'Deliveries have failed for 5 days.',
          disabled_at = now(), failing_since = now() - interval '5 days', paused_until = now() + interval '1 hour'`.execute(
        tx,
      ),
    )
    await emitImported(tenant, 1)
    const enabled = await change(subscription, { status: 'enabled' })
    const cleared = { disabledReason: null, disabledAt: null, failingSince: null }
    expect(enabled).toEqual({ ...subscription, ...cleared, updatedAt: expect.any(String) })
    const emitted = await emitImported(tenant, 2)
    const due = await listDueSubscriptions(app.database.owner, tenant.tenantId)
    expect(due).toHaveLength(1)
    expect(due[0]!.dueAt.getTime()).toBeLessThan(Date.now() + 1000)
    await createPendingDeliveries(tenant, subscription.id)
    expect(await listDeliveries(subscription)).toMatchObject([{ eventId: emitted, status: 'pending' }])
  })

  test('an enabled subscription keeps its failure history', async () => {
    const subscription = await make()
    await tenant.inTenant(tx => sql`update webhook_subscriptions set failing_since = now()`.execute(tx))
    const before = await show(subscription)
    expect(before.failingSince).not.toBeNull()
    expect(await change(subscription, { status: 'enabled' })).toEqual(before)
  })

  test('sends none of the failed deliveries', async () => {
    const subscription = await make()
    await emitImported(tenant)
    await change(subscription, { status: 'disabled' })
    await change(subscription, { status: 'enabled' })
    expect((await listDeliveries(subscription)).map(({ status }) => status)).toEqual(['failed'])
  })
})
