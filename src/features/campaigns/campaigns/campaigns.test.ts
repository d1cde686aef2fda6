/** The record of campaigns over HTTP: fields, defaults, rules of the reference, changes, lists and deletion. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeCampaign } from '../../../../test/campaigns.ts'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { insertLeadRows } from '../../../../test/make.ts'
import { connectAccount } from '../../../../test/messaging.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { newId } from '../../../kit/id.ts'
import { joinRecipients } from '../recipients/join.ts'
import { getCampaign } from './queries.ts'
import type { Campaign } from './schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app)
})

type Body = Campaign & { code: string; message: string; errors: { path: string; code: string }[] }
interface Reply {
  status: number
  body: Body
}

const filters = {
  operation: 'sale',
  propertyType: 'homes',
  location: { id: 'barcelona', label: 'Barcelona' },
}
const search = { name: ' Owners ', platform: 'portal_a', segmentation: { filters } }
const rows = { name: 'Owners', platform: 'csv_import', segmentation: { batchSize: 25 } }

const create = (fields: object = search) => tenant.call<Body>('POST', '/campaigns', { body: fields })
const change = (id: string, fields: object, headers: Record<string, string> = {}) =>
  tenant.call<Body>('PATCH', `/campaigns/${id}`, { body: fields, headers })
const get = (id: string) => tenant.call<Body>('GET', `/campaigns/${id}`)
const listErrors = ({ status, body }: Reply) => [
  status,
  ...(body.errors ?? []).map(error => `${error.path} ${error.code}`).sort(),
]
const connectManual = async (): Promise<string> => {
  const body = {
    provider: 'manual',
    mode: 'chat-no-api',
    displayName: 'Ana',
    credentials: { phone: '+34600000001' },
  }
  const reply = await tenant.call<{ id: string }>('POST', '/accounts', { body })
  if (reply.status !== 201) throw new Error(reply.text)
  return reply.body.id
}
const makeTemplate = async (body = 'Hola {{ contact.name }}'): Promise<string> => {
  const reply = await tenant.call<{ id: string }>('POST', '/templates', {
    body: { name: `t ${newId()}`, language: 'es', body },
  })
  if (reply.status !== 201) throw new Error(reply.text)
  return reply.body.id
}

describe('a new campaign', () => {
  test('is a draft with every field', async () => {
    const { status, body } = await create()
    expect(status).toBe(201)
    const { id, createdAt, updatedAt, ...rest } = body
    expect(rest).toEqual({
      name: 'Owners',
      status: 'draft',
      mode: 'extract_only',
      platform: 'portal_a',
      contactMode: null,
      segmentation: {
        filters: expect.objectContaining(filters),
        expectedResults: null,
        totalResults: null,
        messageRestartDate: null,
      },
      settings: {
        schedule: null,
        dailyLeadLimit: null,
        sendWindow: null,
        throttlePerMinute: null,
        steps: [],
        stopOnReply: true,
        reentryAfterDays: null,
        lawfulBasis: null,
        health: { maxFailureRate: 0.3, maxOptOutRate: 0.1, maxBlockRate: 0.05, minSends: 20 },
        ai: expect.objectContaining({ enabled: false, mode: 'draft', handoffKeywords: [] }),
      },
      accountId: null,
      allUrlsChecked: false,
      stats: { recipients: 0, waiting: 0, queued: 0, completed: 0, stopped: 0, skipped: 0, failed: 0 },
      currentRun: null,
      health: null,
      nextRunAt: null,
      pauseReason: null,
      wait: null,
      createdBy: null,
      startedAt: null,
      completedAt: null,
    })
    expect((await get(id)).body).toEqual(body)
    expect(createdAt).toBe(updatedAt)
  })

  test('has the user who made the key as its creator', async () => {
    await tenant.signIn()
    expect((await create()).body.createdBy).not.toBeNull()
  })

  test('takes a name of 255 characters, and not one more', async () => {
    expect((await create({ ...search, name: 'n'.repeat(255) })).body.name).toHaveLength(255)
    for (const name of ['n'.repeat(256), '', '  '])
      expect((await create({ ...search, name })).body.errors.map(({ path }) => path)).toEqual(['/name'])
  })

  test.each([
    'portal_a',
    'portal_b',
    'portal_c',
    'portal_d',
    'portal_e',
    'portal_f',
    'portal_g',
    'portal_h',
    'csv_import',
    'widget',
    'social_ads',
  ])('may have the source %s', async platform => {
    const { status, body } = await create({ name: 'n', platform })
    expect([status, body.platform]).toEqual([201, platform])
  })

  test('of another source is refused, and so are unknown fields', async () => {
    expect(listErrors(await create({ name: 'n', platform: 'portal_z', stat: 'running' }))).toEqual([
      400,
      '/platform NOT_ALLOWED',
      '/stat UNKNOWN_FIELD',
    ])
  })
})

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
    const listExpected = (reply: Reply) =>
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

describe('settings', () => {
  test('are merged: omitted fields keep their value, lists are replaced, null ends a group', async () => {
    const [one, other] = [await makeTemplate(), await makeTemplate()]
    const { body } = await create({
      ...search,
      settings: {
        schedule: { everyMinutes: 60, endAt: '2030-01-01T01:00:00+01:00' },
        sendWindow: {
          timezone: 'europe/madrid',
          days: [5, 1],
          from: '10:00',
          holidays: ['2026-12-08', 'ES-CT'],
        },
        steps: [
          { templateId: one },
          { templateId: one, delayMinutes: 60, variants: [{ templateId: other }] },
        ],
        dailyLeadLimit: 5,
        lawfulBasis: { kind: 'consent', note: 'They ticked the box.' },
        health: { minSends: 50 },
      },
    })
    expect(body.settings).toMatchObject({
      schedule: {
        everyMinutes: 60,
        cron: null,
        timezone: expect.any(String),
        startAt: null,
        endAt: '2030-01-01T00:00:00.000Z',
      },
      sendWindow: { timezone: 'Europe/Madrid', days: [1, 5], from: '10:00', to: '20:00' },
      steps: [
        { templateId: one, delayMinutes: 0, onlyIfNoReply: false, variants: [] },
        { templateId: one, delayMinutes: 60, onlyIfNoReply: false, variants: [{ templateId: other }] },
      ],
      lawfulBasis: { kind: 'consent', attestedBy: null, attestedAt: expect.any(String), channels: null },
      health: { minSends: 50, maxOptOutRate: 0.1 },
    })
    const changed = await change(body.id, {
      settings: {
        schedule: { cron: '30 8 * * 1-5' },
        sendWindow: { to: '19:00' },
        steps: [],
        lawfulBasis: null,
        throttlePerMinute: 2,
      },
    })
    expect(changed.body.settings).toMatchObject({
      schedule: { everyMinutes: null, cron: '30 8 * * 1-5', endAt: '2030-01-01T00:00:00.000Z' },
      sendWindow: {
        timezone: 'Europe/Madrid',
        days: [1, 5],
        from: '10:00',
        to: '19:00',
        holidays: ['2026-12-08', 'ES-CT'],
      },
      steps: [],
      lawfulBasis: null,
      dailyLeadLimit: 5,
      throttlePerMinute: 2,
    })
    const ended = await change(body.id, {
      settings: { schedule: null, sendWindow: null, dailyLeadLimit: null },
    })
    expect(ended.body.settings).toMatchObject({ schedule: null, sendWindow: null, dailyLeadLimit: null })
  })

  test('that cannot work are refused, all at once', async () => {
    const templateId = newId()
    const known = await makeTemplate()
    const sent = await create({
      name: 'n',
      platform: 'portal_a',
      accountId: newId(),
      settings: {
        schedule: {
          everyMinutes: 60,
          cron: '* * * * *',
          timezone: 'Mars/Olympus',
          startAt: '2026-12-02T00:00:00Z',
          endAt: '2026-12-01T00:00:00Z',
        },
        sendWindow: {
          from: '20:00',
          timezone: '+01:00',
          holidays: ['2026-02-30', 'XX', 'ES-ZZ', 'ES', '2026-12-24'],
        },
        steps: [{ templateId }, { templateId: known, variants: [{ templateId: known }, { templateId }] }],
        lawfulBasis: { kind: 'consent', attestedAt: '2099-01-01T00:00:00Z' },
        ai: {
          questions: [
            { field: 'a', question: 'A?', kind: 'boolean' },
            { field: 'a', question: 'B?', kind: 'boolean' },
          ],
          instructions: 5,
        },
      },
    })
    expect(listErrors(sent)).toEqual([
      400,
      '/accountId UNKNOWN_ACCOUNT',
      '/settings/ai/instructions WRONG_TYPE',
      '/settings/ai/questions/1/field DUPLICATE',
      '/settings/lawfulBasis/attestedAt TOO_LATE',
      '/settings/lawfulBasis/note REQUIRED',
      '/settings/schedule/cron CONTRADICTION',
      '/settings/schedule/endAt CONTRADICTION',
      '/settings/schedule/timezone UNKNOWN_TIMEZONE',
      '/settings/sendWindow/holidays/0 WRONG_FORMAT',
      '/settings/sendWindow/holidays/1 UNKNOWN_COUNTRY',
      '/settings/sendWindow/holidays/2 UNKNOWN_REGION',
      '/settings/sendWindow/timezone UNKNOWN_TIMEZONE',
      '/settings/sendWindow/to CONTRADICTION',
      '/settings/steps/0/templateId UNKNOWN_TEMPLATE',
      '/settings/steps/1/variants/0/templateId DUPLICATE',
      '/settings/steps/1/variants/1/templateId UNKNOWN_TEMPLATE',
    ])
  })

  test('a change is judged with what is stored', async () => {
    const { id } = (await create({ ...search, settings: { sendWindow: { from: '10:00', to: '12:00' } } }))
      .body
    expect(listErrors(await change(id, { settings: { sendWindow: { from: '12:00' } } }))).toEqual([
      400,
      '/settings/sendWindow/to CONTRADICTION',
    ])
    expect((await change(id, { settings: { sendWindow: { from: '12:00', to: '24:00' } } })).status).toBe(200)
  })

  test('have bounds', async () => {
    const templateId = await makeTemplate()
    const steps = (count: number) => Array.from({ length: count }, () => ({ templateId }))
    const holidays = (count: number) =>
      Array.from({ length: count }, (_, day) =>
        new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
      )
    const faq = Array.from({ length: 25 }, () => ({ question: 'q', answer: 'a'.repeat(1000) }))
    const within = await create({
      ...search,
      settings: { steps: steps(20), sendWindow: { holidays: holidays(400) } },
    })
    expect(within.status).toBe(201)
    const beyond = await create({
      ...search,
      settings: {
        steps: steps(21),
        sendWindow: { holidays: holidays(401) },
        ai: { instructions: 'i'.repeat(4001) },
      },
    })
    expect(listErrors(beyond)).toEqual([
      400,
      '/settings/ai/instructions TOO_LONG',
      '/settings/sendWindow/holidays TOO_MANY',
      '/settings/steps TOO_MANY',
    ])
    const countries = ['ES', 'FR', 'PT', 'IT', 'DE', 'GB', 'IE', 'BE', 'NL', 'PL']
    const withCountries = (names: string[]) =>
      create({ ...search, settings: { sendWindow: { holidays: names } } })
    expect((await withCountries(countries)).status).toBe(201)
    expect(listErrors(await withCountries([...countries, 'ES-CT']))).toEqual([
      400,
      '/settings/sendWindow/holidays TOO_MANY',
    ])
    expect(listErrors(await create({ ...search, settings: { ai: { faq } } }))).toEqual([
      400,
      '/settings/ai TOO_LONG',
    ])
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
      tenant.call<Body>(method, path, { ...(body ? { body } : {}), headers: { 'If-Match': etag } })
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

describe('the list', () => {
  test('is filtered by status, platform, mode and name, newest first, by pages', async () => {
    const made = await tenant.inTenant(async tx => [
      await makeCampaign(tx, { name: 'Owners in Gràcia' }),
      await makeCampaign(tx, {
        name: '100% owners',
        status: 'running',
        platform: 'portal_a',
        mode: 'extract_only',
      }),
      await makeCampaign(tx, { name: 'Sellers', status: 'paused' }),
    ])
    const list = async (query: string) => {
      const { body } = await tenant.call<{ data: Campaign[]; nextCursor: string | null }>(
        'GET',
        `/campaigns?${query}`,
      )
      return { ids: body.data.map(({ id }) => made.indexOf(id)), next: body.nextCursor }
    }
    const listIds = async (query: string) => (await list(query)).ids
    expect(await listIds('')).toEqual([2, 1, 0])
    expect(await listIds('status=running,paused')).toEqual([2, 1])
    expect(await listIds('platform=portal_a')).toEqual([1])
    expect(await listIds('mode=extract_and_contact')).toEqual([2, 0])
    expect(await listIds('q=OWNERS')).toEqual([1, 0])
    expect(await listIds('q=%25')).toEqual([1])
    expect(await listIds('q=owners&status=draft')).toEqual([0])
    const first = await list('limit=2')
    expect(first.ids).toEqual([2, 1])
    expect((await list(`limit=2&cursor=${first.next}`)).ids).toEqual([0])
    expect((await tenant.call('GET', '/campaigns?status=ended')).status).toBe(400)
  })

  test('has the numbers of each campaign', async () => {
    const id = await tenant.inTenant(async tx => {
      const campaignId = await makeCampaign(tx)
      const leadIds = await insertLeadRows(tx, [{}, {}, {}])
      await joinRecipients(tx, await getCampaign(tx, campaignId), leadIds)
      await sql`update campaign_recipients set status = 'failed'
        where tenant_id = ${tenant.tenantId} and lead_id = ${leadIds[0]!}`.execute(tx)
      return campaignId
    })
    expect((await get(id)).body.stats).toMatchObject({ recipients: 3, waiting: 2, failed: 1, completed: 0 })
  })
})

describe('deletion', () => {
  test('takes what belongs to the campaign, and leaves leads', async () => {
    const [leadId, id] = await tenant.inTenant(async tx => {
      const campaignId = await makeCampaign(tx, { status: 'paused' })
      const [lead] = await insertLeadRows(tx, [{}])
      await joinRecipients(tx, await getCampaign(tx, campaignId), [lead!])
      return [lead!, campaignId] as const
    })
    expect((await tenant.call('DELETE', `/campaigns/${id}`)).status).toBe(204)
    expect((await get(id)).status).toBe(404)
    expect((await tenant.call('GET', `/leads/${leadId}`)).status).toBe(200)
    const { rows: left } = await tenant.inTenant(tx =>
      sql`select from campaign_recipients where tenant_id = ${tenant.tenantId}`.execute(tx),
    )
    expect(left).toEqual([])
  })

  test('of one that runs is refused', async () => {
    const id = await tenant.inTenant(tx => makeCampaign(tx, { status: 'running' }))
    const refused = await tenant.call<Body>('DELETE', `/campaigns/${id}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'CAMPAIGN_RUNNING'])
  })
})

test('an environment has at most 2,000 campaigns', async () => {
  await tenant.inTenant(tx =>
    sql`
      insert into campaigns (tenant_id, id, name, mode, platform, settings, seed, created_at, updated_at)
      select ${tenant.tenantId}::uuid, gen_random_uuid(), 'n', 'extract_only', 'portal_a', '{}', 1, now(), now()
      from generate_series(1, 2000)`.execute(tx),
  )
  const refused = await create()
  expect([refused.status, refused.body.code]).toEqual([422, 'TOO_MANY_CAMPAIGNS'])
})
