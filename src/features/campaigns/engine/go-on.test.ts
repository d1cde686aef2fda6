/** A campaign goes on as soon as its account does. */
import { beforeAll, expect, test } from 'vitest'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  joinLeads,
  listSent,
  makeContacts,
  makeSequence,
  readCampaign,
  setStatus,
} from '../../../../test/sequences.ts'
import { makeTenant } from '../../../../test/tenant.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
  return () => app.stop()
})

test('it no longer waits for an account that was paused and goes on', async () => {
  const tenant = await makeTenant(app)
  const { id, accountId } = await makeSequence(tenant)
  const setPaused = (isPaused: boolean) =>
    tenant.call('PATCH', `/accounts/${accountId}`, { body: { isPaused } })
  await joinLeads(tenant, id, await makeContacts(tenant, 1))
  await setPaused(true)
  await setStatus(tenant, id, 'running')
  await eventually(
    () => readCampaign(tenant, id),
    ({ wait }) => wait?.code === 'ACCOUNT_NOT_SENDING',
  )
  expect(await listSent(tenant, id)).toEqual([])
  expect((await setPaused(false)).status).toBe(200)
  await eventually(
    () => listSent(tenant, id),
    sent => sent.length === 1,
  )
  expect((await readCampaign(tenant, id)).wait).toBeNull()
})
