/** The rows of a file are written to in batches, and the campaign completes after the last one. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  joinLeads,
  listRecipients,
  listSent,
  makeContacts,
  makeSequence,
  readCampaign,
  setStatus,
  wait,
} from '../../../../test/sequences.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const countStarted = async (campaignId: string) =>
  (await listRecipients(tenant, campaignId)).filter(({ status }) => status !== 'waiting').length

test('no more than a batch is planned before it is due; everybody gets the message in the end', async () => {
  const { id } = await makeSequence(tenant, { throttlePerMinute: 10 })
  await tenant.call('PATCH', `/campaigns/${id}`, { body: { segmentation: { batchSize: 3 } } })
  await joinLeads(tenant, id, await makeContacts(tenant, 11))
  await setStatus(tenant, id, 'running')
  await eventually(
    () => countStarted(id),
    count => count > 0,
  )
  // Ten could be sent within the minute that a plan looks ahead.
  expect(await countStarted(id)).toBe(3)
  await wait(tenant, 10)
  const sent = await listSent(tenant, id)
  expect(sent.length).toBe(11)
  for (const [index, { sentAt }] of sent.entries())
    if (sent[index + 10])
      expect(sent[index + 10]!.sentAt!.getTime() - sentAt!.getTime()).toBeGreaterThan(58_000)
  expect(await readCampaign(tenant, id)).toMatchObject({ status: 'completed' })
})
