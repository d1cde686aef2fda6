/** A campaign of files completes when its recipients have ended and no file is being read. */
import { beforeAll, expect, test } from 'vitest'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  joinLeads,
  listRecipients,
  makeContacts,
  makeSequence,
  readCampaign,
  setStatus,
  wait,
} from '../../../../test/sequences.ts'
import { makeTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
  return () => app.stop()
})

test('it waits for the file, and completes with the end of a last one from which nobody joins', async () => {
  const tenant = await makeTenant(app)
  const { id } = await makeSequence(tenant)
  await joinLeads(tenant, id, await makeContacts(tenant, 1))
  // As if a worker had it.
  await tenant.inTenant(tx =>
    sql`
      insert into imports (tenant_id, id, status, dry_run, on_match, keep_unknown, campaign_id, format, headings, mapping, guessed_mapping,
        bytes, created_at, progressed_at)
      values (${tenant.tenantId}, ${id}, 'RUNNING', false, 'update', true, ${id}, '{}', '{}', '{}', '{}', 1, now(), now())`.execute(
      tx,
    ),
  )
  await setStatus(tenant, id, 'running')
  await eventually(
    () => listRecipients(tenant, id),
    ([recipient]) => recipient!.status === 'completed',
  )
  await wait(tenant, 2)
  expect(await readCampaign(tenant, id)).toMatchObject({ status: 'running' })
  await tenant.inTenant(tx =>
    sql`update imports set status = 'COMPLETED' where tenant_id = ${tenant.tenantId} and id = ${id}`.execute(
      tx,
    ),
  )
  const reply = await tenant.call('POST', `/campaigns/${id}/recipients`, {
    rawBody: 'name,phone\n,\n',
    contentType: 'text/csv',
  })
  expect(reply.status).toBe(202)
  await eventually(
    () => readCampaign(tenant, id),
    ({ status }) => status === 'completed',
  )
})
