/** Requeueing of stalled extractions, whose job was lost. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getExtraction, type Search, startExtraction } from '../../../test/extraction.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant } from '../../../test/tenant.ts'
import { sql } from '../../kit/db/index.ts'
import { createLog } from '../../kit/log.ts'
import { requeueStalledExtractions } from './stalled-extractions.ts'

const offices: Search = { operation: 'sale', propertyType: 'offices', city: 'barcelona' }

let app: TestApp
beforeAll(async () => {
  // No worker runs jobs here.
  app = await startTestApp({ env: { ROLE: 'api' } })
})
afterAll(() => app.stop())

const requeueStalled = () =>
  requeueStalledExtractions.run({
    database: app.database,
    log: createLog('silent'),
    attempt: 1,
    isLastAttempt: false,
    hasWaitingJobs: async () => false,
    signal: new AbortController().signal,
  })

const jobsWhere = `task_id = (select id from graphile_worker._private_tasks where identifier = 'run-extraction')
  and payload->'data'->>'extractionId' = $1`

const deleteJob = (extractionId: string) =>
  app.database.ownerPool.query(`delete from graphile_worker._private_jobs where ${jobsWhere}`, [extractionId])

async function countJobs(extractionId: string): Promise<number> {
  const { rowCount } = await app.database.ownerPool.query(
    `select from graphile_worker._private_jobs where ${jobsWhere}`,
    [extractionId],
  )
  return rowCount!
}

/** Inserts an extraction that was started `minutes` ago. */
async function makeStartedAgo(minutes: number, status = 'RUNNING') {
  const tenant = await makeTenant(app)
  const { extractionId } = await startExtraction(tenant, offices)
  const ago = sql`now() - make_interval(mins => ${minutes})`
  const startedAt = status === 'QUEUED' ? sql`null` : ago
  await tenant.inTenant(tx =>
    sql`update extractions set status = ${status}, created_at = ${ago}, progressed_at = ${ago}, started_at = ${startedAt}
      where id = ${extractionId}`.execute(tx),
  )
  return { tenant, extractionId }
}

describe('an extraction without a job', () => {
  test.each(['QUEUED', 'RUNNING'])('that is %s gets exactly one new job', async status => {
    const { tenant, extractionId } = await makeStartedAgo(11, status)
    await deleteJob(extractionId)
    await requeueStalled()
    await requeueStalled()
    expect(await countJobs(extractionId)).toBe(1)
    expect((await getExtraction(tenant, extractionId)).status).toBe(status)
  })

  test('whose last attempt has failed gets a new job', async () => {
    const { extractionId } = await makeStartedAgo(11)
    const useLastAttempt = `update graphile_worker._private_jobs set attempts = max_attempts where ${jobsWhere}`
    await app.database.ownerPool.query(useLastAttempt, [extractionId])
    await requeueStalled()
    expect(await countJobs(extractionId)).toBe(2)
  })

  test('that has ended or just started gets none', async () => {
    for (const { extractionId } of [await makeStartedAgo(11, 'CANCELLED'), await makeStartedAgo(9)]) {
      await deleteJob(extractionId)
      await requeueStalled()
      expect(await countJobs(extractionId)).toBe(0)
    }
  })

  test('that loses its job a fourth time has failed', async () => {
    const { tenant, extractionId } = await makeStartedAgo(11)
    for (let time = 1; time <= 3; time++) {
      await deleteJob(extractionId)
      await requeueStalled()
      expect(await countJobs(extractionId)).toBe(1)
    }
    await deleteJob(extractionId)
    await requeueStalled()
    expect(await countJobs(extractionId)).toBe(0)
    expect(await getExtraction(tenant, extractionId)).toMatchObject({
      status: 'FAILED',
      error: { code: 'INTERNAL' },
    })
  })
})

describe('a stalled extraction', () => {
  test('keeps its own job, also while the last attempt runs', async () => {
    const { extractionId } = await makeStartedAgo(11)
    await requeueStalled()
    expect(await countJobs(extractionId)).toBe(1)
    const runLastAttempt = `update graphile_worker._private_jobs set attempts = max_attempts, locked_at = now(), locked_by = 'somebody'
      where ${jobsWhere}`
    await app.database.ownerPool.query(runLastAttempt, [extractionId])
    await requeueStalled()
    expect(await countJobs(extractionId)).toBe(1)
  })

  test('gets a job of its own if the existing job belongs to another tenant', async () => {
    const { extractionId } = await makeStartedAgo(11)
    const other = await makeTenant(app)
    const moveJob = `update graphile_worker._private_jobs
      set payload = jsonb_set(payload::jsonb, '{tenantId}', to_jsonb($2::text))::json where ${jobsWhere}`
    await app.database.ownerPool.query(moveJob, [extractionId, other.tenantId])
    await requeueStalled()
    expect(await countJobs(extractionId)).toBe(2)
  })
})
