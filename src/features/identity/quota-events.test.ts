/** `quota.threshold_reached` as a webhook. Dry runs do not emit it. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { importFile } from '../../../test/imports.ts'
import { waitUntilIdle } from '../../../test/jobs.ts'
import {
  hasValidSignature,
  startReceiverForTest,
  subscribe,
  waitForDeliveries,
} from '../../../test/receiver.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { compile } from '../../kit/schema.ts'
import { quotaThresholdReached } from './events.ts'
import type { Me } from './schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const thresholdReached = quotaThresholdReached([{ name: 'maxLeadsPerMonth' }])
const people = (count: number) =>
  ['Nombre,Email', ...Array.from({ length: count }, (_, n) => `Persona ${n},p${n}@example.com`)].join('\n')
const addLead = (n: number) =>
  tenant.call('POST', '/leads', { body: { contact: { name: `Marta ${n}`, email: `marta${n}@example.com` } } })

test('a webhook reports each threshold when a request reaches it', async () => {
  await tenant.limitQuota('maxLeadsPerMonth', 5)
  const receiver = await startReceiverForTest()
  const { secret } = await subscribe(tenant, receiver, ['quota.threshold_reached'])
  for (const n of [1, 2, 3]) expect((await addLead(n)).status).toBe(201)
  await waitUntilIdle(app.database, tenant.tenantId)
  expect(receiver.deliveries).toEqual([])

  await addLead(4)
  const [delivery] = await waitForDeliveries(receiver)
  expect(hasValidSignature(secret, delivery!)).toBe(true)
  const { usage } = (await tenant.call<Me>('GET', '/me')).body
  expect(delivery!.event).toMatchObject({ type: 'quota.threshold_reached', environment: 'test' })
  expect(delivery!.event.data).toEqual({
    name: 'maxLeadsPerMonth',
    limit: 5,
    used: 4,
    percent: 80,
    period: usage.period,
  })
  expect(compile(thresholdReached.data)(delivery!.event.data)).toEqual([])

  await addLead(5)
  expect((await addLead(6)).status).toBe(429)
  await waitUntilIdle(app.database, tenant.tenantId)
  expect(receiver.deliveries.map(({ event }) => [event.data.percent, event.data.used])).toEqual([
    [80, 4],
    [100, 5],
  ])
})

test('a dry run of an import emits nothing; the import does', async () => {
  // Two batches: the dry run of the second also counts the units that the first would have used.
  await tenant.limitQuota('maxLeadsPerMonth', 520)
  const dryRun = await importFile(tenant, people(600), { dryRun: true })
  expect(dryRun.progress).toMatchObject({ created: 520, skipped: 80 })
  const listPercents = async () => {
    const events = await tenant.inTenant(tx =>
      tx.selectFrom('events').select('data').where('type', '=', 'quota.threshold_reached').execute(),
    )
    return events.map(({ data }) => (data as { percent: number }).percent).sort((a, b) => a - b)
  }
  expect(await listPercents()).toEqual([])
  await importFile(tenant, people(600))
  expect(await listPercents()).toEqual([80, 100])
})
