/** Campaigns of lead ads: who submits a form joins the campaign that runs, and later the one that did not. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCampaign } from '../../../../test/campaigns.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { sandboxFormId } from '../../../plugins/sandbox/simulate-ads.ts'
import { newConnectionExample } from '../../ads/examples.ts'
import { startCampaign } from '../campaigns/moves.ts'
import { getCampaign } from '../campaigns/queries.ts'

let app: TestApp
let tenant: TestTenant
let connectionId: string
beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app)
  const { body } = await tenant.call<{ id: string }>('POST', '/ads/connections', {
    body: newConnectionExample,
  })
  connectionId = body.id
})
afterAll(() => app.stop())

const submit = async (phone: string, formId = sandboxFormId) => {
  const { body } = await tenant.call<{ leadId: string; status: string }>('POST', '/sandbox/ad-leads', {
    body: { connectionId, formId, answers: { full_name: phone, phone_number: phone } },
  })
  expect(body.status).toBe('taken')
  return body.leadId
}
const make = (status: 'draft' | 'running', formIds: string[] = []) =>
  tenant.inTenant(tx =>
    makeCampaign(tx, { platform: 'social_ads', status, segmentation: { connectionId, formIds } }),
  )
const listRecipients = async (campaignId: string) => {
  const { rows } = await tenant.inTenant(tx =>
    sql<{ leadId: string }>`
      select lead_id as "leadId" from campaign_recipients
      where tenant_id = ${tenant.tenantId} and campaign_id = ${campaignId} order by id`.execute(tx),
  )
  return rows.map(({ leadId }) => leadId)
}

test('a form joins the running campaign that takes it, and names it as its source', async () => {
  const other = await make('running', ['another form'])
  const running = await make('running', [sandboxFormId])
  const leadId = await submit('+34612000001')
  expect(await listRecipients(running)).toEqual([leadId])
  expect(await listRecipients(other)).toEqual([])
  const { body } = await tenant.call(`GET`, `/leads/${leadId}`)
  expect(body).toMatchObject({
    campaignId: running,
    sources: [{ platform: 'social_ads', campaignId: running }],
  })
})

test('leads that came before a campaign runs join it when it starts, each once', async () => {
  const draft = await make('draft', ['a form of its own'])
  const leadId = await submit('+34612000002', 'a form of its own')
  expect(await listRecipients(draft)).toEqual([])
  await tenant.inTenant(async tx => startCampaign(tx, await getCampaign(tx, draft)))
  await expect.poll(() => listRecipients(draft)).toEqual([leadId])
  await submit('+34612000002', 'a form of its own')
  expect(await listRecipients(draft)).toEqual([leadId])
})

test('a campaign says which page or form it lacks', async () => {
  const start = async (segmentation: object) => {
    const { body, status, text } = await tenant.call<{ id: string }>('POST', '/campaigns', {
      body: { name: 'Ads', platform: 'social_ads', mode: 'extract_only', segmentation },
    })
    expect(status, text).toBe(201)
    const started = await tenant.call<{ missing: { code: string }[] }>(
      'PATCH',
      `/campaigns/${body.id}/status`,
      {
        body: { status: 'running' },
      },
    )
    return started.status === 200 ? [] : started.body.missing.map(({ code }) => code)
  }
  expect(await start({})).toEqual(['AD_CONNECTION_MISSING'])
  expect(await start({ connectionId, formIds: ['7'] })).toEqual(['UNKNOWN_LEAD_FORM'])
  expect(await start({ connectionId, formIds: [sandboxFormId] })).toEqual([])
})

test('a page that is not connected is refused at once', async () => {
  const segmentation = { connectionId: '01980a4e-9999-7c3e-9d7a-2f6b1c0d9e8f' }
  const create = (connectionId: string) =>
    tenant.call<{ id: string; errors: object[] }>('POST', '/campaigns', {
      body: { name: 'Ads', platform: 'social_ads', segmentation: { connectionId } },
    })
  const errors = [{ path: '/segmentation/connectionId', code: 'UNKNOWN_AD_CONNECTION' }]
  expect(await create(segmentation.connectionId)).toMatchObject({ status: 400, body: { errors } })
  const { id } = (await create(connectionId.toUpperCase())).body
  const change = (body: object) => tenant.call('PATCH', `/campaigns/${id}`, { body })
  expect(await change({ segmentation })).toMatchObject({ status: 400, body: { errors } })
  expect(await change({ segmentation: { connectionId: 'no id' } })).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/segmentation/connectionId', code: 'WRONG_FORMAT' }] },
  })
})

test('a running campaign whose page is taken away says so', async () => {
  const id = await make('running')
  const readWait = async () =>
    (await tenant.call<{ wait: { code: string } | null }>('GET', `/campaigns/${id}`)).body.wait?.code
  expect(await readWait()).toBe('NO_RECIPIENTS')
  await tenant.limitQuota('maxLeadsPerMonth', 0)
  expect(await readWait()).toBe('QUOTA_EXCEEDED')
  expect((await tenant.call('DELETE', `/ads/connections/${connectionId}`)).status).toBe(204)
  expect(await readWait()).toBe('UNKNOWN_AD_CONNECTION')
})
