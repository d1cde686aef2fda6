/** Imports whose worker stops, is cancelled, runs twice or loses its job: every row is imported once. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { listRows, sendFile } from '../../../test/imports.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { sql } from '../../kit/db/index.ts'
import { type JobContext, RequeueJob } from '../../kit/jobs/job.ts'
import { createLog } from '../../kit/log.ts'
import { runImport } from './jobs.ts'
import { deleteExpiredImportFiles, requeueStalledImports } from './maintenance.ts'
import type { Import } from './schemas.ts'
import { undoImport } from './undo.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  // No worker runs jobs here; the tests call them.
  app = await startTestApp({ env: { ROLE: 'api' } })
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const context = (overrides: Partial<JobContext> = {}): JobContext => ({
  database: app.database,
  tenantId: tenant.tenantId,
  log: createLog('silent'),
  attempt: 1,
  isLastAttempt: false,
  hasWaitingJobs: async () => false,
  signal: new AbortController().signal,
  ...overrides,
})
/** The context of a process that shuts down: the job stops after each batch. */
const stopping = () => context({ signal: AbortSignal.abort() })

const file = (count: number) => {
  const rows = Array.from({ length: count }, (_, n) => `Persona ${n},p${n}@example.com,Calle ${n}`)
  return ['Nombre,Email,Dirección', ...rows].join('\n')
}
const getImport = async (id: string) => (await tenant.call<Import>('GET', `/leads/imports/${id}`)).body

async function send(count: number): Promise<{ importId: string }> {
  return { importId: (await sendFile(tenant, file(count))).body.id }
}

async function expectEachOnce(importId: string, count: number): Promise<void> {
  expect(await getImport(importId)).toMatchObject({
    status: 'COMPLETED',
    progress: { rowsTotal: count, rowsRead: count, created: count },
  })
  const rows = await listRows(tenant, { id: importId })
  expect(rows.map(({ rowNumber }) => rowNumber)).toEqual(Array.from({ length: count }, (_, n) => n + 2))
  expect(new Set(rows.map(({ leadId }) => leadId)).size).toBe(count)
  expect(await tenant.readQuotaUsage('maxLeadsPerMonth')).toBe(count)
}

describe('a run', () => {
  test('that is stopped after every batch resumes there, and imports each row once', async () => {
    const data = await send(1200)
    await expect(runImport.run(data, stopping())).rejects.toThrow(RequeueJob)
    expect(await getImport(data.importId)).toMatchObject({
      status: 'RUNNING',
      progress: { rowsRead: 500, percent: 99 },
    })
    await expect(runImport.run(data, stopping())).rejects.toThrow(RequeueJob)
    await runImport.run(data, stopping())
    await expectEachOnce(data.importId, 1200)
    await runImport.run(data, context())
    await expectEachOnce(data.importId, 1200)
  })

  test('whose claim another run has taken stops; each row is imported once', async () => {
    const data = await send(1200)
    await Promise.all([runImport.run(data, context()), runImport.run(data, context())])
    await expectEachOnce(data.importId, 1200)
  })

  test('is requeued after its slice only if other jobs wait', async () => {
    const data = await send(600)
    await runImport.run(data, context({ hasWaitingJobs: async () => true }))
    await expectEachOnce(data.importId, 600)
  })

  test('that is cancelled stops; its leads are reported and can be undone', async () => {
    const data = await send(1200)
    await expect(runImport.run(data, stopping())).rejects.toThrow(RequeueJob)
    const path = `/leads/imports/${data.importId}`
    expect(await tenant.call('POST', `${path}/cancel`)).toMatchObject({
      status: 200,
      body: { status: 'CANCELLED' },
    })
    expect((await tenant.call('POST', `${path}/cancel`)).status).toBe(409)
    await runImport.run(data, context())
    const events = await tenant.inTenant(tx =>
      tx.selectFrom('events').select('data').where('tenant_id', '=', tenant.tenantId).execute(),
    )
    const eventData = { importId: data.importId, created: 500, parts: 2 }
    expect(events).toMatchObject([{ data: eventData }, { data: eventData }])
    const { rows } = await tenant.inTenant(tx =>
      sql`select from import_chunks where tenant_id = ${tenant.tenantId}`.execute(tx),
    )
    expect(rows).toEqual([])

    await tenant.call('POST', `${path}/undo`)
    await undoImport.run(data, stopping()).catch(() => {})
    await undoImport.run(data, context())
    expect(await getImport(data.importId)).toMatchObject({
      status: 'UNDONE',
      progress: { undone: 500, notReverted: 0 },
    })
    expect(await tenant.listAllLeads()).toEqual([])
  })

  test('skips one row that cannot be stored, and reports it', async () => {
    // An error that the parser cannot foresee: here, the database refuses a name.
    await app.database.ownerPool.query(
      `alter table aldaba.leads add constraint no_such_name check (contact_name is distinct from 'Persona 7') not valid`,
    )
    const data = await send(20)
    await runImport.run(data, context())
    await app.database.ownerPool.query('alter table aldaba.leads drop constraint no_such_name')
    expect((await getImport(data.importId)).progress).toMatchObject({ created: 19, failed: 1 })
    expect(await listRows(tenant, { id: data.importId }, 'failed')).toMatchObject([
      { rowNumber: 9, reason: 'NOT_STORABLE' },
    ])
  })

  test('whose last attempt fails is FAILED, and its file is deleted', async () => {
    const data = await send(3)
    const broken = { ...app.database, readTenant: async () => Promise.reject(new Error('a surprise')) }
    const failing = context({ database: broken as never })
    await expect(runImport.run(data, failing)).rejects.toThrow('a surprise')
    await runImport.run(data, { ...failing, isLastAttempt: true })
    expect(await getImport(data.importId)).toMatchObject({ status: 'FAILED', error: { code: 'INTERNAL' } })
    const { rows } = await tenant.inTenant(tx =>
      sql`select from import_chunks where tenant_id = ${tenant.tenantId}`.execute(tx),
    )
    expect(rows).toEqual([])
  })
})

describe('maintenance', () => {
  const requeueStalled = () => requeueStalledImports.run(context())
  const setAge = (minutes: number) =>
    tenant.inTenant(tx =>
      sql`update imports set progressed_at = now() - make_interval(mins => ${minutes}) where tenant_id = ${tenant.tenantId}`.execute(
        tx,
      ),
    )
  const jobs = `graphile_worker._private_jobs where payload->'data'->>'importId' = $1`
  const countJobs = async (id: string) =>
    (await app.database.ownerPool.query(`select from ${jobs}`, [id])).rowCount

  test('requeues a stalled import, three times at most', async () => {
    const { importId } = await send(3)
    await setAge(11)
    await requeueStalled()
    expect(await countJobs(importId)).toBe(1)
    for (let time = 1; time <= 4; time++) {
      await app.database.ownerPool.query(`delete from ${jobs}`, [importId])
      await setAge(11)
      await requeueStalled()
      expect(await countJobs(importId)).toBe(time <= 3 ? 1 : 0)
    }
    expect(await getImport(importId)).toMatchObject({ status: 'FAILED', error: { code: 'INTERNAL' } })
  })

  test('deletes the file of a dry run after it expires', async () => {
    const { body } = await sendFile(tenant, file(3), { dryRun: true })
    await runImport.run({ importId: body.id }, context())
    expect((await getImport(body.id)).fileKeptUntil).not.toBeNull()
    await deleteExpiredImportFiles.run(context())
    expect((await getImport(body.id)).fileKeptUntil).not.toBeNull()
    await tenant.inTenant(tx =>
      sql`update imports set file_kept_until = now() - interval '1 second' where tenant_id = ${tenant.tenantId}`.execute(
        tx,
      ),
    )
    await deleteExpiredImportFiles.run(context())
    const { rows } = await tenant.inTenant(tx =>
      sql`select from import_chunks where tenant_id = ${tenant.tenantId}`.execute(tx),
    )
    expect(rows).toEqual([])
    const start = await tenant.call<{ message: string }>('POST', `/leads/imports/${body.id}/start`, {
      body: {},
    })
    expect(start).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('upload it again') },
    })
  })
})
