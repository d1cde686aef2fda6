/** A deployment job continues with the next tenant when one fails. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDatabase } from '../../../test/harness.ts'
import { makeWorkspace } from '../../../test/make.ts'
import { type Database, openDatabase } from '../db/index.ts'
import { createLog } from '../log.ts'
import { forEachTenant } from './for-each-tenant.ts'
import { RequeueJob } from './job.ts'

let database: Database
let tenantIds: string[]
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), { onError: () => {} })
  const { testTenantId, liveTenantId } = await makeWorkspace(database)
  tenantIds = [testTenantId, liveTenantId]
})
afterAll(() => database.close())

const context = (signal = new AbortController().signal) => ({
  database,
  log: createLog('silent'),
  attempt: 1,
  isLastAttempt: false,
  hasWaitingJobs: async () => false,
  signal,
})

it('runs in every tenant, and fails at the end if it failed in any', async () => {
  const done: string[] = []
  const work = forEachTenant(context(), Promise.resolve(tenantIds), async (_tx, tenantId) => {
    done.push(tenantId)
    if (tenantId === tenantIds[0]) throw new Error('a surprise')
  })
  await expect(work).rejects.toThrow('it failed in 1 tenants')
  expect(done).toEqual(tenantIds)
})

it('is requeued between two tenants when the process stops', async () => {
  const stopping = new AbortController()
  const done: string[] = []
  const work = forEachTenant(context(stopping.signal), Promise.resolve(tenantIds), async (_tx, tenantId) => {
    done.push(tenantId)
    stopping.abort()
  })
  await expect(work).rejects.toThrow(RequeueJob)
  expect(done).toEqual(tenantIds.slice(0, 1))
})
