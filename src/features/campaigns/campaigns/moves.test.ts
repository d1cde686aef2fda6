/** The moves of campaigns between their statuses, over HTTP and by the program. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeCampaign } from '../../../../test/campaigns.ts'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { connectAccount } from '../../../../test/messaging.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { lockAccount } from '../../accounts/service.ts'
import { changeAccountStatus } from '../../accounts/status.ts'
import { completeCampaign, pauseCampaign } from './moves.ts'
import { getCampaign } from './queries.ts'
import type { Campaign, CampaignStatus } from './schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app)
})

type Body = Campaign & {
  code: string
  message: string
  allowedStatuses: string[]
  missing: { code: string; path: string; message: string }[]
}

const location = { id: 'barcelona', label: 'Barcelona' }
const search = {
  platform: 'portal_a',
  mode: 'extract_only' as const,
  segmentation: {
    filters: { operation: 'sale', propertyType: 'homes', location },
    expectedResults: null,
    totalResults: null,
    messageRestartDate: null,
  },
}
const make = (overrides: Parameters<typeof makeCampaign>[1] = search) =>
  tenant.inTenant(tx => makeCampaign(tx, overrides))
const request = (id: string, status: string) =>
  tenant.call<Body>('PATCH', `/campaigns/${id}/status`, { body: { status } })
const get = async (id: string) => (await tenant.call<Body>('GET', `/campaigns/${id}`)).body
const listEvents = async () => {
  const types = 'campaign.started,campaign.paused,campaign.completed'
  const { body } = await tenant.call<{
    data: { type: string; data: Record<string, unknown> & { campaign: Campaign } }[]
  }>('GET', `/events?types=${types}`)
  return body.data
}

test('a campaign is started, paused and resumed; a pause keeps everything', async () => {
  const id = await make()
  const { body: started, status } = await request(id, 'running')
  expect([status, started.status, started.startedAt]).toEqual([200, 'running', expect.any(String)])
  expect((await tenant.inTenant(tx => getCampaign(tx, id))).planAt).not.toBeNull()
  const { body: paused } = await request(id, 'paused')
  const { updatedAt: _then, nextRunAt: _next, ...kept } = started
  expect(paused).toMatchObject({ ...kept, status: 'paused', wait: null })
  expect((await tenant.inTenant(tx => getCampaign(tx, id))).planAt).toBeNull()
  const { body: resumed } = await request(id, 'running')
  expect(resumed).toMatchObject({ status: 'running', startedAt: started.startedAt })
  const events = await listEvents()
  expect(events.map(({ type, data }) => [type, data.previousStatus, data.campaign.id])).toEqual([
    ['campaign.started', 'draft', id],
    ['campaign.paused', 'running', id],
    ['campaign.started', 'paused', id],
  ])
})

test.each<[CampaignStatus, string, string[]]>([
  ['draft', 'paused', ['running']],
  ['draft', 'draft', ['running']],
  ['draft', 'completed', ['running']],
  ['running', 'running', ['paused']],
  ['running', 'draft', ['paused']],
  ['running', 'completed', ['paused']],
  ['paused', 'paused', ['running']],
  ['paused', 'draft', ['running']],
  ['paused', 'completed', ['running']],
  ['completed', 'running', []],
  ['completed', 'paused', []],
  ['completed', 'draft', []],
  ['completed', 'completed', []],
])('%s does not become %s on request: the reply names what is allowed', async (from, to, allowed) => {
  const id = await make({ ...search, status: from })
  const { status, body } = await request(id, to)
  expect([status, body.code, body.allowedStatuses]).toEqual([409, 'INVALID_TRANSITION', allowed])
  for (const move of allowed) expect(body.message).toContain(move)
  expect((await get(id)).status).toBe(from)
})

test('a status outside of the enum is 400, before an unknown campaign is 404', async () => {
  expect((await request(await make(), 'stopped')).status).toBe(400)
  expect((await request('01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f', 'running')).status).toBe(404)
})

describe('by the program', () => {
  test('a campaign that runs is paused with a reason, which its next start forgets', async () => {
    const id = await make({ ...search, status: 'running' })
    const reason = { code: 'HIGH_OPT_OUT_RATE', message: 'Too many opted out.' } as const
    const pause = () => tenant.inTenant(tx => pauseCampaign(tx, id, reason))
    expect([await pause(), await pause()]).toEqual([true, false])
    expect(await get(id)).toMatchObject({ status: 'paused', pauseReason: reason })
    const [event] = await listEvents()
    expect(event!.data).toMatchObject({ campaignId: id, reason: reason.code })
    expect((await request(id, 'running')).body.pauseReason).toBeNull()
  })

  test.each<[CampaignStatus, boolean]>([
    ['draft', false],
    ['running', true],
    ['paused', true],
    ['completed', false],
  ])('a campaign that is %s is completed: %s', async (status, isCompleted) => {
    const id = await make({ ...search, status })
    expect(await tenant.inTenant(tx => completeCampaign(tx, id))).toBe(isCompleted)
    const { status: after, completedAt } = await get(id)
    expect(after).toBe(isCompleted ? 'completed' : status)
    if (isCompleted) expect(completedAt).not.toBeNull()
    expect((await listEvents()).map(({ type }) => type)).toEqual(isCompleted ? ['campaign.completed'] : [])
  })
})

describe('an account that stops', () => {
  let working: TestApp
  beforeAll(async () => {
    working = await shareTestApp('all')
  })
  afterAll(() => working.stop())

  test('pauses the campaigns that name it, and those that name none if no other is left', async () => {
    tenant = await makeTenant(working)
    const [one, other] = [await connectAccount(tenant, 'sandbox'), await connectAccount(tenant, 'sandbox')]
    const [ofOne, ofOther, ofAny, ofPerson, draft, search] = [
      await make({ accountId: one, status: 'running' }),
      await make({ accountId: other, status: 'running' }),
      await make({ accountId: null, status: 'running' }),
      await make({ accountId: null, contactMode: 'chat-no-api', status: 'running' }),
      await make({ accountId: one }),
      await make({ accountId: one, mode: 'extract_only', platform: 'portal_a', status: 'running' }),
    ]
    const getStatuses = () =>
      Promise.all([ofOne, ofOther, ofAny, ofPerson, draft, search].map(async id => (await get(id)).status))
    const disconnect = (accountId: string) => tenant.call('DELETE', `/accounts/${accountId}`)
    const become = (statuses: string[]) =>
      eventually(getStatuses, found => found.join() === [...statuses, 'running', 'draft', 'running'].join())
    await disconnect(one)
    await become(['paused', 'running', 'running'])
    expect((await get(ofOne)).pauseReason).toEqual({
      code: 'ACCOUNT_NOT_CONNECTED',
      message:
        'Somebody has disconnected the account "Office". Choose another one in accountId, or connect its number, bot or mailbox anew with POST /accounts; then resume the campaign.',
    })
    await disconnect(other)
    await become(['paused', 'paused', 'paused'])
  })

  test('is waited for while its provider restricts it', async () => {
    tenant = await makeTenant(working)
    const accountId = await connectAccount(tenant, 'sandbox')
    const id = await make({ accountId, status: 'running' })
    const reason = 'Too many complaints.'
    // A check of the account leaves it so.
    const restriction = {
      can_answer: true,
      restricted_until: new Date(Date.now() + 86_400_000),
      restriction_reason: reason,
    }
    await tenant.inTenant(async tx =>
      changeAccountStatus(tx, (await lockAccount(tx, accountId))!, 'RESTRICTED', reason, restriction),
    )
    const { pauseReason } = await eventually(
      () => get(id),
      ({ status }) => status === 'paused',
    )
    expect(pauseReason!.message).toBe(
      'The account "Office" is RESTRICTED (Too many complaints). Resume the campaign when it may send again, or choose another account.',
    )
    const { missing } = (await request(id, 'running')).body
    expect(missing.find(({ path }) => path === '/accountId')!.message).toBe(
      'Wait until the account "Office" may send again, which is RESTRICTED, or choose another one.',
    )
    const change = await tenant.call<Body>('PATCH', `/campaigns/${id}`, { body: { contactMode: 'chat' } })
    expect(change.body.message).toContain('Wait until it may send again, or name another one.')
  })
})
