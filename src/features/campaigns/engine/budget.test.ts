/** The daily budget of an account that campaigns and people share: a plan takes what is left, and the campaign says what is not. */
import { beforeAll, expect, test } from 'vitest'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  joinLeads,
  listRecipients,
  listSent,
  makeContacts,
  makeSequence,
  moveToMorning,
  readCampaign,
  setStatus,
  wait,
} from '../../../../test/sequences.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
  return () => app.stop()
})

const setLimit = (tenant: TestTenant, accountId: string, dailyLimit: number) =>
  tenant.call('PATCH', `/accounts/${accountId}`, { body: { dailyLimit } })
const read = async (tenant: TestTenant, id: string) => ({
  states: (await listRecipients(tenant, id)).map(({ status }) => status),
  wait: (await readCampaign(tenant, id)).wait?.code,
})

test('a message that finds the budget used up goes back to its campaign, which says so and goes on when the limit is raised', async () => {
  const tenant = await makeTenant(app)
  await moveToMorning(tenant)
  const { id, accountId } = await makeSequence(tenant, { throttlePerMinute: 2 })
  await joinLeads(tenant, id, await makeContacts(tenant, 3))
  await setStatus(tenant, id, 'running')
  await eventually(
    () => read(tenant, id),
    ({ states }) => states.includes('completed') && states.includes('queued'),
  )
  await setLimit(tenant, accountId!, 1)
  await wait(tenant, 2)
  expect(await read(tenant, id)).toEqual({
    states: ['completed', 'waiting', 'waiting'],
    wait: 'DAILY_BUDGET',
  })
  await setLimit(tenant, accountId!, 3)
  await wait(tenant, 4)
  expect((await listSent(tenant, id)).length).toBe(3)
})

test('what only the plan counts already waits for the next day, and is not planned again and again', async () => {
  const tenant = await makeTenant(app)
  await moveToMorning(tenant)
  const { id, accountId } = await makeSequence(tenant, { steps: [{}, { delayMinutes: 60 }] })
  await joinLeads(tenant, id, await makeContacts(tenant, 1))
  await setStatus(tenant, id, 'running')
  await wait(tenant, 1)
  // As if the first message had answered the person, who wrote more than a day ago by now.
  await tenant.inTenant(tx =>
    sql`update messages set reserved_day = null where tenant_id = ${tenant.tenantId} and campaign_id = ${id}`.execute(
      tx,
    ),
  )
  await setLimit(tenant, accountId!, 0)
  await wait(tenant, 120)
  const { rows } = await tenant.inTenant(tx =>
    sql<{ failed: number }>`
      select count(*)::int as failed from messages
      where tenant_id = ${tenant.tenantId} and campaign_id = ${id} and status = 'failed'`.execute(tx),
  )
  expect(rows[0]!.failed).toBe(1)
  expect((await read(tenant, id)).states).toEqual(['waiting'])
  await setLimit(tenant, accountId!, 1)
  await wait(tenant, 1440)
  expect((await listSent(tenant, id)).length).toBe(2)
})

test('what a failed message gives back goes to a campaign that waits for the next day', async () => {
  const tenant = await makeTenant(app)
  await moveToMorning(tenant)
  const { id, accountId } = await makeSequence(tenant, { throttlePerMinute: 2 })
  await setLimit(tenant, accountId!, 2)
  const unreachable = await makeContacts(tenant, 1, { phone: '+34600000001' })
  await joinLeads(tenant, id, [...(await makeContacts(tenant, 1)), ...unreachable])
  await setStatus(tenant, id, 'running')
  await eventually(
    () => read(tenant, id),
    ({ states }) => states.join() === 'completed,queued',
  )
  const waiting = await makeSequence(tenant, { accountId: accountId! })
  await joinLeads(tenant, waiting.id, await makeContacts(tenant, 1))
  await setStatus(tenant, waiting.id, 'running')
  await eventually(
    () => read(tenant, waiting.id),
    state => state.wait === 'DAILY_BUDGET',
  )
  await wait(tenant, 2)
  expect((await read(tenant, id)).states).toEqual(['completed', 'failed'])
  expect(await read(tenant, waiting.id)).toEqual({ states: ['completed'] })
})
