/** What a campaign lacks before it can start: everything is named at once. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeCampaign } from '../../../../test/campaigns.ts'
import { storeApprovingAccount } from '../../../../test/conversations.ts'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { connectAccount } from '../../../../test/messaging.ts'
import { makeEventType } from '../../../../test/scheduling.ts'
import { makeSequence, readCampaign, setStatus } from '../../../../test/sequences.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { newId } from '../../../kit/id.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app)
})

interface Body {
  status: string
  code: string
  message: string
  missing: { code: string; path: string; message: string }[]
}

const make = (overrides: Parameters<typeof makeCampaign>[1], owner = tenant) =>
  owner.inTenant(tx => makeCampaign(tx, overrides))
const start = (id: string, owner = tenant) =>
  owner.call<Body>('PATCH', `/campaigns/${id}/status`, { body: { status: 'running' } })
/** Null: it starts. */
const listMissing = async (overrides: Parameters<typeof makeCampaign>[1], owner = tenant) => {
  const { status, body } = await start(await make(overrides, owner), owner)
  if (status === 200) return null
  expect([status, body.code]).toEqual([422, 'CAMPAIGN_NOT_READY'])
  return body.missing.map(({ path, code }) => `${path} ${code}`)
}
const makeTemplate = async (fields: object = {}): Promise<string> => {
  const body = { name: `t ${newId()}`, language: 'es', body: 'Hola {{ contact.name }}', ...fields }
  const reply = await tenant.call<{ id: string }>('POST', '/templates', { body })
  if (reply.status !== 201) throw new Error(reply.text)
  return reply.body.id
}
/** Complete, but for what a test takes away. */
const makeReady = async () => ({
  accountId: await connectAccount(tenant, 'sandbox'),
  settings: { steps: [{ templateId: await makeTemplate() }] },
})

const extraction = { platform: 'portal_a', mode: 'extract_only' as const, contactMode: null }
const toSearch = (filters: object | null) => ({
  filters,
  expectedResults: null,
  totalResults: null,
  messageRestartDate: null,
})
const filters = {
  operation: 'sale',
  propertyType: 'homes',
  location: { id: 'barcelona', label: 'Barcelona' },
}

test('a complete campaign starts', async () => {
  expect(await listMissing(await makeReady())).toBeNull()
  expect(await listMissing({ ...extraction, segmentation: toSearch(filters) })).toBeNull()
})

test('a csv_import without a batch size does not start, and stays a draft', async () => {
  const id = await make({ ...(await makeReady()), segmentation: { batchSize: null } })
  const { status, body } = await start(id)
  expect([status, body]).toMatchObject([
    422,
    {
      code: 'CAMPAIGN_NOT_READY',
      message: 'The campaign is not ready. Set the number of rows that are taken at a time, 1 to 25.',
      missing: [{ code: 'BATCH_SIZE_MISSING', path: '/segmentation/batchSize' }],
    },
  ])
  expect((await tenant.call<Body>('GET', `/campaigns/${id}`)).body.status).toBe('draft')
})

test('everything that is missing is named at once', async () => {
  const deleted = await makeTemplate()
  await tenant.call('DELETE', `/templates/${deleted}`)
  const campaign = {
    contactMode: null,
    segmentation: { batchSize: null },
    settings: {
      schedule: { endAt: '2026-01-01T00:00:00Z' },
      steps: [{ templateId: newId(), variants: [{ templateId: deleted }] }],
    },
  }
  expect(await listMissing(campaign)).toEqual([
    '/segmentation/batchSize BATCH_SIZE_MISSING',
    '/contactMode CONTACT_MODE_MISSING',
    '/settings/steps/0/templateId UNKNOWN_TEMPLATE',
    '/settings/steps/0/variants/0/templateId TEMPLATE_ARCHIVED',
    '/settings/schedule/endAt END_DATE_PASSED',
  ])
  expect(await listMissing({ ...campaign, settings: {} })).toContain('/settings/steps STEPS_MISSING')
})

test('a paused campaign resumes only if it is still ready', async () => {
  const id = await make({ ...(await makeReady()), status: 'paused' })
  await tenant.inTenant(tx =>
    sql`update accounts set status = 'LOGGED_OUT' where tenant_id = ${tenant.tenantId}`.execute(tx),
  )
  const { body } = await start(id)
  expect(body.missing.map(({ code }) => code)).toEqual(['ACCOUNT_NOT_CONNECTED'])
  expect(body.message).toContain('"Office" again, which is LOGGED_OUT')
  await tenant.inTenant(tx =>
    sql`update accounts set status = 'DISCONNECTED' where tenant_id = ${tenant.tenantId}`.execute(tx),
  )
  const { message } = (await start(id)).body
  expect(message).toContain('Choose another account: somebody has disconnected "Office"')
})

test('a template that a running campaign sends does not get a text that no lead could get', async () => {
  const { id } = await makeSequence(tenant)
  const path = `/templates/${(await readCampaign(tenant, id)).settings.steps[0]!.templateId}`
  const body = { body: 'Hola {{ visit }}', variables: [{ name: 'visit', fallback: null as string | null }] }
  await setStatus(tenant, id, 'running')
  const refused = await tenant.call<{ code: string; message: string }>('PATCH', path, { body })
  expect([refused.status, refused.body.code]).toEqual([409, 'TEMPLATE_IN_USE'])
  expect(refused.body.message).toContain('that no lead has a fallback: visit')
  expect((await tenant.call<{ body: string }>('GET', path)).body.body).not.toContain('visit')
  body.variables[0]!.fallback = 'pronto'
  expect((await tenant.call('PATCH', path, { body })).status).toBe(200)
})

test('a template that a running or paused campaign sends is not deleted', async () => {
  const { id } = await makeSequence(tenant)
  const { templateId } = (await readCampaign(tenant, id)).settings.steps[0]!
  const remove = async () => {
    const { status, body } = await tenant.call<{ code: string; message: string }>(
      'DELETE',
      `/templates/${templateId}`,
    )
    return [status, body?.code, body?.message]
  }
  for (const status of ['running', 'paused']) {
    await setStatus(tenant, id, status)
    expect(await remove()).toEqual([409, 'TEMPLATE_IN_USE', expect.stringContaining('"Owners"')])
  }
  expect((await tenant.call('DELETE', `/campaigns/${id}`)).status).toBe(204)
  expect(await remove()).toEqual([204, undefined, undefined])
})

test('without an account, there must be exactly one of the contact mode', async () => {
  const { settings } = await makeReady()
  expect(await listMissing({ settings })).toBeNull()
  const other = await connectAccount(tenant, 'sandbox')
  expect(await listMissing({ settings })).toEqual(['/accountId SEVERAL_ACCOUNTS'])
  expect(await listMissing({ settings, accountId: other })).toBeNull()
  expect(await listMissing({ settings, contactMode: 'chat-no-api' })).toEqual(['/accountId NO_ACCOUNT'])
})

test('a search needs filters that its portal accepts, and a portal that can be read', async () => {
  expect(await listMissing({ ...extraction, segmentation: toSearch(null) })).toEqual([
    '/segmentation/filters FILTERS_MISSING',
  ])
  const wrong = { ...filters, operation: 'swap', minPrize: 5 }
  expect(await listMissing({ ...extraction, segmentation: toSearch(wrong) })).toEqual(
    expect.arrayContaining([
      '/segmentation/filters/operation NOT_ALLOWED',
      '/segmentation/filters/minPrize UNKNOWN_FIELD',
    ]),
  )
  const live = await makeTenant(app, 'live')
  expect(await listMissing({ ...extraction, segmentation: toSearch(filters) }, live)).toEqual([
    '/platform PORTAL_UNCONFIGURED',
  ])
})

test.each([
  [
    'every Sunday of a year',
    { days: [7], holidays: toSundays(60) },
    undefined,
    ['/settings/sendWindow WINDOW_NEVER_OPENS'],
  ],
  ['some Sundays', { days: [7], holidays: toSundays(10) }, undefined, null],
  ['until the end', { days: [7], holidays: toSundays(10) }, 14, ['/settings/sendWindow WINDOW_NEVER_OPENS']],
  ['until some days before the end', { days: [7], holidays: toSundays(1) }, 30, null],
])('a window that is closed %s', async (_name, sendWindow, endsInDays, missing) => {
  const ready = await makeReady()
  const schedule =
    endsInDays === undefined ? null : { endAt: new Date(Date.now() + endsInDays * 86_400_000).toISOString() }
  expect(await listMissing({ ...ready, settings: { ...ready.settings, sendWindow, schedule } })).toEqual(
    missing,
  )
})

/** The dates of the next Sundays. */
function toSundays(count: number): string[] {
  const today = Temporal.Now.plainDateISO('Europe/Madrid')
  const first = today.add({ days: 7 - today.dayOfWeek })
  return Array.from({ length: count }, (_, week) => first.add({ weeks: week }).toString())
}

test('a template must be one that can be sent without more', async () => {
  const { accountId } = await makeReady()
  const listFor = async (fields: object) =>
    listMissing({ accountId, settings: { steps: [{ templateId: await makeTemplate(fields) }] } })
  const own = { name: 'visitDate', type: 'text' }
  expect(await listFor({ body: 'Hola {{ visitDate }}', variables: [own] })).toEqual([
    '/settings/steps/0/templateId NEEDS_VALUES',
  ])
  expect(
    await listFor({ body: 'Hola {{ visitDate }}', variables: [{ ...own, fallback: 'pronto' }] }),
  ).toBeNull()
  expect(
    await listFor({ body: 'Hola{% if visitDate %} {{ visitDate }}{% endif %}', variables: [own] }),
  ).toBeNull()
  expect(await listFor({ body: 'Hasta el {{ appointment.date }}' })).toEqual([
    '/settings/steps/0/templateId NEEDS_VALUES',
  ])
  expect(await listFor({ header: { kind: 'image' } })).toEqual(['/settings/steps/0/templateId NEEDS_HEADER'])
})

test('a provider that approves texts must have approved the template for the account', async () => {
  const accountId = newId()
  await storeApprovingAccount(app, tenant.tenantId, accountId)
  const templateId = await makeTemplate()
  const campaign = { accountId, settings: { steps: [{ templateId }] } }
  const unapproved = ['/settings/steps/0/templateId TEMPLATE_NOT_APPROVED']
  expect(await listMissing(campaign)).toEqual(unapproved)
  const approve = (account: string) =>
    tenant.inTenant(tx =>
      sql`
        insert into template_approvals (tenant_id, account_id, template_id, version_id, provider_name, language, status, category, updated_at)
        select tenant_id, ${account}, template_id, id, 'hello', language, 'approved', 'marketing', now()
        from template_versions where tenant_id = ${tenant.tenantId} and template_id = ${templateId}`.execute(
        tx,
      ),
    )
  const other = newId()
  await storeApprovingAccount(app, tenant.tenantId, other)
  await approve(other)
  expect(await listMissing(campaign)).toEqual(unapproved)
  await approve(accountId)
  expect(await listMissing(campaign)).toBeNull()
})

test('a lawful basis that does not cover the channel of the account is named, with what helps', async () => {
  const ready = await makeReady()
  const legitimate = {
    kind: 'legitimate_interest',
    attestedBy: 'Ana',
    attestedAt: '2026-01-01T00:00:00.000Z',
    note: null,
  }
  const withBasis = (basis: object) =>
    ({ ...ready, settings: { ...ready.settings, lawfulBasis: { ...legitimate, ...basis } } }) as never
  const { body } = await start(await make(withBasis({ channels: null })))
  expect(body.missing).toEqual([
    {
      code: 'CHANNEL_NOT_COVERED',
      path: '/settings/lawfulBasis/channels',
      message:
        'Add `chat` to the channels of the lawful basis if it holds for them, or attest another one: legitimate interest without channels only covers calls.',
    },
  ])
  expect(await listMissing(withBasis({ channels: ['email'] }))).toEqual([
    '/settings/lawfulBasis/channels CHANNEL_NOT_COVERED',
  ])
  expect(await listMissing(withBasis({ channels: ['chat'] }))).toBeNull()
  expect(await listMissing(withBasis({ kind: 'contract', channels: null }))).toBeNull()
})

test('the event type of AI needs an agent with access to the workspace', async () => {
  const ownerAgentUserId = newId()
  const owners = app.database.ownerPool
  await owners.query(
    `insert into users (id, workspace_id, email, name, role)
    select $1, workspace_id, 'iris@agency.example', 'Iris', 'agent' from tenants where id = $2`,
    [ownerAgentUserId, tenant.tenantId],
  )
  const { id: eventTypeId } = await makeEventType(tenant, { ownerAgentUserId })
  const { accountId, settings } = await makeReady()
  const ai = { enabled: true, mode: 'auto' as const, eventTypeId }
  const overrides = { accountId, settings: { ...settings, ai } }
  await owners.query('update users set revoked_at = now() where id = $1', [ownerAgentUserId])
  expect(await listMissing(overrides)).toEqual(['/settings/ai/eventTypeId NO_AGENT_WITH_ACCESS'])
  await owners.query('update users set revoked_at = null where id = $1', [ownerAgentUserId])
  expect(await listMissing(overrides)).toBeNull()
})
