/** A campaign of files completes when its recipients have ended and no file is being read. */
import { beforeAll, expect, test } from 'vitest'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  joinLeads,
  listRecipients,
  makeContacts,
  makeSequence,
  moveTo,
  readCampaign,
  setStatus,
  wait,
} from '../../../../test/sequences.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import type { RecipientUpload } from '../uploads/schemas.ts'

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

async function sendFile(tenant: TestTenant, id: string, rows: string) {
  const options = { rawBody: `name,phone\n${rows}\n`, contentType: 'text/csv' }
  const { body } = await tenant.call<RecipientUpload>('POST', `/campaigns/${id}/recipients`, options)
  return body.refusedByReason
}

test('it stays open for rows that the quota of leads has refused, until they are sent again or the new month is over', async () => {
  const tenant = await makeTenant(app)
  // In the middle of a month.
  const now = new Date()
  await moveTo(tenant, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 10, 10)))
  await tenant.limitQuota('maxLeadsPerMonth', 0)
  const ids: string[] = []
  for (let index = 0; index < 2; index++) {
    const { id } = await makeSequence(tenant)
    await joinLeads(tenant, id, await makeContacts(tenant, 1))
    expect(await sendFile(tenant, id, 'Ana,699000001\nEva,699000002')).toEqual({ QUOTA_EXCEEDED: 2 })
    await setStatus(tenant, id, 'running')
    ids.push(id)
  }
  const [sentAgain, forgotten] = ids as [string, string]
  await wait(tenant, 8 * 24 * 60)
  for (const id of ids)
    expect(await readCampaign(tenant, id)).toMatchObject({
      status: 'running',
      stats: { completed: 1 },
      wait: {
        code: 'LEFT_OUT',
        message: expect.stringMatching(
          /^2 rows of the last file became no leads: the quota of new leads of the month was used up\. Send them again when it is renewed or raised\. The campaign completes /,
        ),
        until: expect.any(String),
      },
    })
  expect(await sendFile(tenant, sentAgain, ',nobody')).not.toHaveProperty('QUOTA_EXCEEDED')
  await wait(tenant, 1)
  expect((await readCampaign(tenant, sentAgain)).status).toBe('completed')
  expect((await readCampaign(tenant, forgotten)).status).toBe('running')
  await wait(tenant, 45 * 24 * 60)
  expect((await readCampaign(tenant, forgotten)).status).toBe('completed')
})
