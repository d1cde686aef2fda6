/** Jobs of webhooks that run again because a worker died right after its work was recorded: nothing is done twice. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { arrival, startReceiverForTest, subscribe } from '../../../test/receiver.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { emit } from '../../kit/event.ts'
import { createHttpClient } from '../../kit/http/client.ts'
import { createLog } from '../../kit/log.ts'
import { createMetrics } from '../../kit/metrics.ts'
import { leadsImported } from '../leads/events.ts'
import { deliverWebhook, fanOutEvent } from './jobs.ts'

let app: TestApp
let tenant: TestTenant
const http = createHttpClient({ reach: 'any' })
beforeAll(async () => {
  // Nobody takes jobs here but the tests.
  app = await startTestApp({ env: { ROLE: 'api' } })
})
afterAll(async () => {
  await http.close()
  await app.stop()
})

const context = () => ({
  ...{ database: app.database, tenantId: tenant.tenantId, log: createLog('silent') },
  ...{
    attempt: 1,
    isLastAttempt: false,
    othersWait: async () => false,
    signal: new AbortController().signal,
  },
})

const deliver = (deliveryId: string) =>
  deliverWebhook({ http, cipher: app.deployment.cipher, metrics: createMetrics(async () => 0) }).run(
    { deliveryId },
    context(),
  )

/** The tenant's jobs that a worker would take now. */
async function listDue(): Promise<unknown[]> {
  const { rows } = await app.database.ownerPool.query(
    `select task_id from graphile_worker._private_jobs
     where payload->>'tenantId' = $1 and payload->'data'->>'deliveryId' is not null and is_available and run_at <= now()`,
    [tenant.tenantId],
  )
  return rows
}

async function emitAndFanOut(): Promise<string> {
  const eventId = await tenant.inTenant(tx => emit(tx, leadsImported, leadsImported.example))
  await fanOutEvent.run({ eventId, type: 'leads.imported' }, context())
  await fanOutEvent.run({ eventId, type: 'leads.imported' }, context())
  const rows = await tenant.inTenant(tx => tx.selectFrom('webhook_deliveries').select('id').execute())
  expect(rows).toHaveLength(1)
  return rows[0]!.id
}

test('an event fanned out twice is delivered once', async () => {
  tenant = await makeTenant(app)
  const receiver = await startReceiverForTest()
  await subscribe(tenant, receiver)
  const deliveryId = await emitAndFanOut()
  expect(await listDue()).toHaveLength(1)
  await deliver(deliveryId)
  await deliver(deliveryId)
  expect(await arrival(receiver)).toHaveLength(1)
})

test('a failed attempt that was recorded is not made again before its time', async () => {
  tenant = await makeTenant(app)
  await subscribe(tenant, await startReceiverForTest(() => ({ status: 500 })))
  const deliveryId = await emitAndFanOut()
  const dying = 'a worker that dies'
  await app.database.ownerPool.query(
    `update graphile_worker._private_jobs set locked_at = now(), locked_by = $2, attempts = 1
     where payload->>'tenantId' = $1 and payload->'data'->>'deliveryId' is not null`,
    [tenant.tenantId, dying],
  )
  await deliver(deliveryId)
  await app.database.ownerPool.query('select graphile_worker.force_unlock_workers(array[$1])', [dying])
  expect(await listDue()).toEqual([])
})
