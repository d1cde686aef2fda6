/** The rules of campaigns over HTTP: mode, contact mode, account, segmentation and changes. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type CampaignBody,
  type CampaignReply,
  createCampaignRequests,
  filters,
  listErrors,
  rows,
  search,
} from '../../../../test/campaign-requests.ts'
import { makeCampaign } from '../../../../test/campaigns.ts'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { connectAccount } from '../../../../test/messaging.ts'
import { joinLeads, makeContacts } from '../../../../test/sequences.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { newId } from '../../../kit/id.ts'
import { getCampaign, updateCampaign } from './queries.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const { create, change, get, connectManual, makeTemplate } = createCampaignRequests(() => tenant)

describe('the mode', () => {
  test.each(['csv_import', 'widget'])('of a %s is always extract_and_contact', async platform => {
    const created = await create({ name: 'n', platform, mode: 'extract_only' })
    expect(created.body.mode).toBe('extract_and_contact')
    expect((await change(created.body.id, { mode: 'extract_only' })).body.mode).toBe('extract_and_contact')
  })

  test.each(['csv_import', 'widget'])('is forced when the platform becomes %s', async platform => {
    const { body } = await create({ ...search, mode: 'extract_only' })
    const changed = await change(body.id, { platform, mode: 'extract_only' })
    expect(changed.body).toMatchObject({ platform, mode: 'extract_and_contact' })
    expect((await change(body.id, { platform: 'portal_a' })).body.mode).toBe('extract_and_contact')
    expect((await change(body.id, { mode: 'extract_only' })).body.mode).toBe('extract_only')
  })

  test('of other sources is what is requested', async () => {
    for (const platform of ['portal_a', 'social_ads'])
      for (const mode of ['extract_only', 'extract_and_contact'])
        expect((await create({ name: 'n', platform, mode })).body.mode).toBe(mode)
  })

  test.each(['portal_a', 'social_ads'])(
    'of a %s that is created with steps is to send them',
    async platform => {
      const settings = { steps: [{ templateId: await makeTemplate() }] }
      const { body } = await create({ name: 'n', platform, settings })
      expect(body.mode).toBe('extract_and_contact')
      expect((await change(body.id, { mode: 'extract_only' })).body.mode).toBe('extract_only')
      expect((await create({ name: 'n', platform, settings, mode: 'extract_only' })).body.mode).toBe(
        'extract_only',
      )
    },
  )

  test('stays if steps are added later, and a campaign that runs says that it does not send them', async () => {
    const { body } = await create()
    const settings = { steps: [{ templateId: await makeTemplate() }] }
    expect((await change(body.id, { settings })).body.mode).toBe('extract_only')
    await tenant.inTenant(tx => updateCampaign(tx, body.id, { status: 'running' }))
    expect((await get(body.id)).body.wait?.code).toBe('EXTRACT_ONLY')
    // Also with people who wait for their messages.
    await joinLeads(tenant, body.id, await makeContacts(tenant, 1))
    expect((await get(body.id)).body).toMatchObject({ stats: { waiting: 1 }, wait: { code: 'EXTRACT_ONLY' } })
  })
})

describe('the contact mode chat', () => {
  test('needs a connected business chat account, which is said at once', async () => {
    const refused = await create({ ...search, contactMode: 'chat' })
    expect([refused.status, refused.body.code]).toEqual([422, 'CHAT_ACCOUNT_REQUIRED'])
    const { id } = (await create()).body
    await connectManual()
    expect((await change(id, { contactMode: 'chat' })).body.code).toBe('CHAT_ACCOUNT_REQUIRED')
    expect((await change(id, { contactMode: 'chat-no-api' })).body.contactMode).toBe('chat-no-api')
    const accountId = await connectAccount(tenant, 'sandbox')
    expect((await change(id, { contactMode: 'chat' })).body.contactMode).toBe('chat')
    expect((await create({ ...search, contactMode: 'chat' })).status).toBe(201)
    await tenant.call('DELETE', `/accounts/${accountId}`)
    expect((await create({ ...search, contactMode: 'chat' })).body.code).toBe('CHAT_ACCOUNT_REQUIRED')
    // The other fields of a campaign whose account is gone may still be changed.
    expect((await change(id, { name: 'Sellers' })).body).toMatchObject({
      name: 'Sellers',
      contactMode: 'chat',
    })
  })

  test('is not that of a mailbox, unless it is named', async () => {
    const accountId = newId()
    await tenant.inTenant(tx =>
      sql`
        insert into accounts (tenant_id, id, provider, mode, display_name, external_id, status, status_changed_at, created_at, updated_at)
        values (${tenant.tenantId}, ${accountId}, 'email', 'chat', 'Mail', 'a@agency.example', 'CONNECTED', now(), now(), now())`.execute(
        tx,
      ),
    )
    expect((await create({ ...search, contactMode: 'chat' })).body.code).toBe('CHAT_ACCOUNT_REQUIRED')
    expect((await create({ ...search, contactMode: 'chat', accountId })).status).toBe(201)
  })

  test('needs the account that is named to be connected', async () => {
    const [accountId] = [await connectAccount(tenant, 'sandbox'), await connectAccount(tenant, 'sandbox')]
    await tenant.call('DELETE', `/accounts/${accountId}`)
    const refused = await create({ ...search, contactMode: 'chat', accountId })
    expect([refused.status, refused.body.code]).toEqual([422, 'CHAT_ACCOUNT_REQUIRED'])
    expect(refused.body.message).toContain('"Office" is DISCONNECTED')
  })
})

describe('the account', () => {
  test('must exist and fit the contact mode; alone, it sets the contact mode', async () => {
    const [chat, manual] = [await connectAccount(tenant, 'sandbox'), await connectManual()]
    expect(listErrors(await create({ ...search, accountId: newId() }))).toEqual([
      400,
      '/accountId UNKNOWN_ACCOUNT',
    ])
    expect(listErrors(await create({ ...search, contactMode: 'chat', accountId: manual }))).toEqual([
      400,
      '/accountId WRONG_ACCOUNT',
    ])
    const { body } = await create({ ...search, accountId: chat.toUpperCase() })
    expect(body).toMatchObject({ accountId: chat, contactMode: 'chat' })
    expect(listErrors(await change(body.id, { accountId: manual }))).toEqual([
      400,
      '/accountId WRONG_ACCOUNT',
    ])
    expect(listErrors(await change(body.id, { contactMode: 'chat-no-api' }))).toEqual([
      400,
      '/accountId WRONG_ACCOUNT',
    ])
    const both = await change(body.id, { contactMode: 'chat-no-api', accountId: manual })
    expect(both.body).toMatchObject({ accountId: manual, contactMode: 'chat-no-api' })
    expect((await change(body.id, { accountId: null })).body).toMatchObject({
      accountId: null,
      contactMode: 'chat-no-api',
    })
  })
})

describe('the segmentation', () => {
  test.each<[string, object, string[]]>([
    ['portal_a', { batchSize: 5 }, ['/segmentation/batchSize UNKNOWN_FIELD']],
    [
      'portal_a',
      { filters: { operation: 'sale', minPrize: 1 } },
      ['/segmentation/filters/minPrize UNKNOWN_FIELD'],
    ],
    [
      'portal_a',
      { filters: 5, expectedResults: -1 },
      ['/segmentation/expectedResults TOO_SMALL', '/segmentation/filters WRONG_TYPE'],
    ],
    ['portal_a', { messageRestartDate: '2026-02-30' }, ['/segmentation/messageRestartDate WRONG_FORMAT']],
    ['csv_import', { filters }, ['/segmentation/filters UNKNOWN_FIELD']],
    ['csv_import', { batchSize: 0 }, ['/segmentation/batchSize TOO_SMALL']],
    ['csv_import', { batchSize: 26 }, ['/segmentation/batchSize TOO_LARGE']],
    ['csv_import', { batchSize: 2.5 }, ['/segmentation/batchSize WRONG_TYPE']],
  ])('of %s: %j is refused, also in a change', async (platform, segmentation, errors) => {
    const listExpected = (reply: CampaignReply) =>
      listErrors(reply).filter(error => error === 400 || errors.includes(String(error)))
    expect(listExpected(await create({ name: 'n', platform, segmentation }))).toEqual([400, ...errors])
    const { id } = (await create({ name: 'n', platform })).body
    expect(listExpected(await change(id, { segmentation }))).toEqual([400, ...errors])
    // Together with errors of other fields.
    expect(listExpected(await change(id, { segmentation, name: 5 }))).toEqual([400, ...errors])
    expect(listErrors(await change(id, { segmentation, name: 5 }))).toContain('/name WRONG_TYPE')
  })

  test.each([1, 25])('of a csv_import takes the batch size %i', async batchSize => {
    const { body } = await create({ ...rows, segmentation: { batchSize } })
    expect(body.segmentation).toEqual({ batchSize })
  })

  test('of a widget is empty', async () => {
    expect((await create({ name: 'n', platform: 'widget', segmentation: {} })).body.segmentation).toEqual({})
  })

  test('keeps omitted fields; filters are replaced as a whole', async () => {
    const totals = { expectedResults: 400, totalResults: 412, messageRestartDate: '2026-12-01' }
    const { body } = await create({
      ...search,
      segmentation: { filters: { ...filters, minPrice: 5 }, ...totals },
    })
    expect(body.segmentation).toMatchObject({ ...totals, filters: { minPrice: 5 } })
    const changed = await change(body.id, { segmentation: { filters, totalResults: 5 } })
    expect(changed.body.segmentation).toMatchObject({ ...totals, totalResults: 5 })
    expect((changed.body.segmentation as { filters: object }).filters).not.toHaveProperty('minPrice')
  })

  test('expects what its portal has counted, until the search is another one', async () => {
    const { id } = (await create()).body
    await tenant.inTenant(tx =>
      sql`update campaigns set segmentation = segmentation || '{"totalResults":37}'
        where tenant_id = ${tenant.tenantId} and id = ${id}`.execute(tx),
    )
    const { segmentation } = (await get(id)).body
    expect(segmentation).toMatchObject({ expectedResults: 37, totalResults: 37 })
    expect((await change(id, { segmentation })).body.segmentation).toEqual(segmentation)
    const other = { ...segmentation, filters: { ...filters, minPrice: 5 } }
    const { body } = await change(id, { segmentation: other })
    expect(body.segmentation).toMatchObject({ expectedResults: null, totalResults: null })
  })

  test('begins empty with another platform, unless it is sent too', async () => {
    const { id } = (await create()).body
    expect((await change(id, { platform: 'portal_a' })).body.segmentation).toMatchObject({ filters })
    expect((await change(id, { platform: 'csv_import' })).body.segmentation).toEqual({ batchSize: null })
    expect((await change(id, { platform: 'portal_b' })).body.segmentation).toMatchObject({ filters: null })
    const both = await change(id, { platform: 'csv_import', segmentation: { batchSize: 3 } })
    expect(both.body.segmentation).toEqual({ batchSize: 3 })
    expect(listErrors(await change(id, { platform: 'csv_import', segmentation: { filters } }))).toEqual([
      400,
      '/segmentation/filters UNKNOWN_FIELD',
    ])
    expect((await get(id)).body.segmentation).toEqual({ batchSize: 3 })
  })
})

describe('a change', () => {
  test('applies only to the version of If-Match', async () => {
    const created = await create()
    const { id } = created.body
    const etag = created.headers.get('etag')!
    expect((await get(id)).headers.get('etag')).toBe(etag)
    const changed = await change(id, { name: 'One' }, { 'If-Match': etag })
    expect([changed.status, changed.headers.get('etag') === etag]).toEqual([200, false])
    const stale = await change(id, { name: 'Two' }, { 'If-Match': etag })
    expect([stale.status, stale.body.code]).toEqual([412, 'PRECONDITION_FAILED'])
    const send = (method: string, path: string, body?: object) =>
      tenant.call<CampaignBody>(method, path, { ...(body ? { body } : {}), headers: { 'If-Match': etag } })
    expect((await send('PATCH', `/campaigns/${id}/status`, { status: 'running' })).status).toBe(412)
    expect((await send('DELETE', `/campaigns/${id}`)).status).toBe(412)
    expect((await get(id)).body).toMatchObject({ name: 'One', status: 'draft' })
  })

  test('that changes nothing is no new version', async () => {
    const { body, headers } = await create({
      ...search,
      settings: { sendWindow: { days: [2, 1] }, dailyLeadLimit: 5 },
    })
    const same = await change(body.id, {
      name: 'Owners',
      segmentation: { filters },
      settings: { sendWindow: { days: [1, 2] }, dailyLeadLimit: 5 },
    })
    expect([same.headers.get('etag'), same.body]).toEqual([headers.get('etag'), body])
  })

  test('marks the listing URLs of the run as checked', async () => {
    const { id } = (await create()).body
    expect((await change(id, { allUrlsChecked: true })).body.allUrlsChecked).toBe(true)
    expect((await change(id, { name: 'n' })).body.allUrlsChecked).toBe(true)
  })

  test('of a campaign that runs must leave it ready, and plans its messages anew', async () => {
    const id = await tenant.inTenant(tx =>
      makeCampaign(tx, { platform: 'csv_import', contactMode: null, status: 'running' }),
    )
    // It lacks an account and steps already, which is no reason to refuse this.
    expect((await change(id, { name: 'n', settings: { throttlePerMinute: 1 } })).status).toBe(200)
    expect((await tenant.inTenant(tx => getCampaign(tx, id))).planAt).not.toBeNull()
    const refused = await change(id, { platform: 'portal_a' })
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { code: 'CAMPAIGN_NOT_READY', missing: [{ code: 'FILTERS_MISSING', path: '/segmentation/filters' }] },
    ])
    expect((await get(id)).body).toMatchObject({ platform: 'csv_import', name: 'n' })
  })
})

test('of a campaign that has completed only the name and the AI may change', async () => {
  const id = await tenant.inTenant(tx => makeCampaign(tx, { status: 'completed', contactMode: null }))
  for (const fields of [
    { settings: { dailyLeadLimit: 5 } },
    { segmentation: { batchSize: 10 } },
    { settings: { schedule: { endAt: '2099-01-01T00:00:00Z' } } },
    { allUrlsChecked: true },
    { platform: 'portal_a' },
  ]) {
    const { status, body } = await change(id, fields)
    expect([fields, status, body.code]).toEqual([fields, 409, 'CAMPAIGN_COMPLETED'])
  }
  expect((await change(id, { settings: { dailyLeadLimit: null } })).status).toBe(200)
  const settings = { ai: { enabled: false, instructions: 'Be brief.' } }
  const changed = await change(id, { name: 'Old', settings })
  expect([changed.status, changed.body.name, changed.body.settings.ai.instructions]).toEqual([
    200,
    'Old',
    'Be brief.',
  ])
})
