/** Operations on many leads that lost their job. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { sql } from '../../kit/db/index.ts'
import { createLog } from '../../kit/log.ts'
import { enqueueOperation } from '../../kit/operations/operation.ts'
import { requeueStalledLeadOperations, runOperation } from './jobs.ts'
import { insertOperation } from './writing/bulk.ts'
import type { LeadOperation } from './writing/bulk-schemas.ts'
import { leadOperationKind } from './writing/operation.ts'

let app: TestApp
beforeAll(async () => {
  // Without workers.
  app = await startTestApp({ env: { ROLE: 'api' } })
})
afterAll(() => app.stop())

const makeContext = ({ tenantId }: TestTenant) => ({
  database: app.database,
  tenantId,
  log: createLog('silent'),
  attempt: 1,
  isLastAttempt: false,
  hasWaitingJobs: async () => false,
  signal: new AbortController().signal,
})
const requeue = (tenant: TestTenant) => requeueStalledLeadOperations.run(makeContext(tenant))

/** An operation that last progressed `minutes` ago. */
async function makeOperation(minutes: number, status = 'RUNNING') {
  const tenant = await makeTenant(app)
  const requested = {
    kind: 'erase',
    selection: { filter: { q: 'Marta' } },
    changes: null,
    keyId: null,
    userId: null,
  } as const
  const id = await tenant.inTenant(async tx => {
    const operation = await insertOperation(tx, requested)
    await sql`update lead_operations set status = ${status}, progressed_at = now() - make_interval(mins => ${minutes})
      where tenant_id = ${tenant.tenantId}`.execute(tx)
    await enqueueOperation(tx, leadOperationKind, operation.id, 'RUNNING')
    return operation.id
  })
  return { tenant, id }
}

const loseJob = (id: string) =>
  app.database.ownerPool.query(
    `delete from graphile_worker._private_jobs where payload->'data'->>'operationId' = $1`,
    [id],
  )

async function countJobs(id: string): Promise<number> {
  const { rowCount } = await app.database.ownerPool.query(
    `select from graphile_worker._private_jobs where payload->'data'->>'operationId' = $1`,
    [id],
  )
  return rowCount!
}

const getOperation = (tenant: TestTenant, id: string) =>
  tenant.call<LeadOperation>('GET', `/leads/operations/${id}`).then(({ body }) => body)

test.each(['QUEUED', 'RUNNING'])('a %s operation without a job gets one new job', async status => {
  const { tenant, id } = await makeOperation(11, status)
  await loseJob(id)
  await requeue(tenant)
  await requeue(tenant)
  expect(await countJobs(id)).toBe(1)
  expect((await getOperation(tenant, id)).status).toBe(status)
})

test('an operation that has its job, progressed recently or has ended gets none', async () => {
  const withJob = await makeOperation(11)
  await requeue(withJob.tenant)
  expect(await countJobs(withJob.id)).toBe(1)
  for (const { tenant, id } of [await makeOperation(9), await makeOperation(11, 'CANCELLED')]) {
    await loseJob(id)
    await requeue(tenant)
    expect(await countJobs(id)).toBe(0)
  }
})

test('an operation that loses its job a fourth time fails, and its request is deleted', async () => {
  const { tenant, id } = await makeOperation(11)
  for (let time = 1; time <= 4; time++) {
    await loseJob(id)
    await requeue(tenant)
  }
  expect(await countJobs(id)).toBe(0)
  expect(await getOperation(tenant, id)).toMatchObject({
    status: 'FAILED',
    error: { code: 'INTERNAL', message: expect.stringContaining('stay so') },
  })
  const { rows } = await tenant.inTenant(tx =>
    sql`select selection, changes from lead_operations where tenant_id = ${tenant.tenantId}`.execute(tx),
  )
  expect(rows).toEqual([{ selection: {}, changes: null }])
})

test('an invalid operation fails at once with the reason', async () => {
  const tenant = await makeTenant(app)
  const tags = (name: string) => Array.from({ length: 60 }, (_, at) => `${name} ${at}`)
  const { id } = (await tenant.call<{ id: string }>('POST', '/leads', { body: { tags: tags('own') } })).body
  const changes = { addTags: tags('more') }
  const operation = await tenant.inTenant(tx =>
    insertOperation(tx, { kind: 'update', selection: { ids: [id] }, changes, keyId: null, userId: null }),
  )
  await runOperation.run({ operationId: operation.id }, makeContext(tenant))
  expect(await getOperation(tenant, operation.id)).toMatchObject({
    status: 'FAILED',
    error: { code: 'INVALID_INPUT', message: expect.stringContaining('120 tags') },
  })
})
