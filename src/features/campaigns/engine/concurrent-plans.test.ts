/** Two campaigns of a tenant that plan at the same moment: each sees what the other one takes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { createFakeProvider } from '../../../../test/chat-provider.ts'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  joinLeads,
  listStates,
  makeContacts,
  makeSequence,
  moveToMorning,
  readCampaign,
  setStatus,
} from '../../../../test/sequences.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import type { EngineDependencies } from './dependencies.ts'
import { type PlanResult, planCampaign } from './plan.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp('api')
  return () => app.stop()
})

const accounts = { getProvider: () => createFakeProvider() } as Partial<
  EngineDependencies['accounts']
> as EngineDependencies['accounts']

/** Plans the second campaign while the transaction of the first plan is open. Returns how many messages each has planned. */
async function planTogether(tenant: TestTenant, firstId: string, secondId: string): Promise<number[]> {
  const plan = (id: string, hold?: () => Promise<unknown>): Promise<PlanResult> =>
    tenant.inTenant(async tx => {
      const result = await planCampaign(tx, { accounts }, id)
      await hold?.()
      return result
    })
  let second: Promise<PlanResult> | undefined
  const first = await plan(firstId, () => {
    second = plan(secondId)
    return Promise.race([second, sleep(300)])
  })
  return [first.planned, (await second!).planned]
}

test('they share the budget of their account', async () => {
  const tenant = await makeTenant(app)
  await moveToMorning(tenant)
  const one = await makeSequence(tenant)
  const accountId = one.accountId!
  await tenant.call('PATCH', `/accounts/${accountId}`, { body: { dailyLimit: 10 } })
  const other = await makeSequence(tenant, { accountId })
  for (const { id } of [one, other]) {
    await joinLeads(tenant, id, await makeContacts(tenant, 9))
    await setStatus(tenant, id, 'running')
  }
  expect(await planTogether(tenant, one.id, other.id)).toEqual([9, 1])
  expect((await readCampaign(tenant, other.id)).wait?.code).toBe('DAILY_BUDGET')
})

test('they do not both write to one phone, which two leads share', async () => {
  const tenant = await makeTenant(app)
  const [one, other] = [await makeSequence(tenant), await makeSequence(tenant)]
  const phone = '+34655900031'
  await joinLeads(tenant, one.id, await makeContacts(tenant, 1, { phone }))
  await joinLeads(tenant, other.id, await makeContacts(tenant, 1, { identifiers: [phone] }))
  for (const { id } of [one, other]) await setStatus(tenant, id, 'running')
  expect(await planTogether(tenant, one.id, other.id)).toEqual([1, 0])
  expect(await listStates(tenant, other.id)).toEqual([['skipped', 'IN_ANOTHER_CAMPAIGN']])
})
