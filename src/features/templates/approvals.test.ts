/** Approvals by providers: submit, follow the reports, synchronize; and the text that is sent. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createFakeProvider, healthy, makeFailure } from '../../../test/chat-provider.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { callHook } from '../../kit/hook.ts'
import { getResult } from '../../kit/results.ts'
import {
  ChatError,
  type ChatTemplates,
  type InboundEvent,
  noParts,
  type ProviderTemplate,
} from '../../plugins/chat.ts'
import { chatEventsReceived } from '../accounts/service.ts'
import type { TemplateSync } from './approval-schemas.ts'
import type { Preview } from './preview-schemas.ts'
import type { Template } from './schemas.ts'
import { renderTemplates } from './service.ts'

type Submission = Parameters<ChatTemplates<unknown>['submit']>[1]

interface Refusal {
  code: string
  message: string
}

const submitted: Submission[] = []
let listed: ProviderTemplate[] = []
const fake = createFakeProvider()
const reviewing = Object.assign(createFakeProvider('reviewing'), {
  capabilities: { ...fake.capabilities, templates: 'required' as const, replyWindowHours: 24 },
  templates: {
    list: async () => listed,
    async submit(_connection, submission) {
      if (reviewing.failure) throw new ChatError(reviewing.failure)
      submitted.push(submission)
      return { providerTemplateId: `id-${submission.providerName}`, status: 'pending' as const }
    },
  } satisfies ChatTemplates<unknown>,
})

let app: TestApp
let tenant: TestTenant
let accountId: string
beforeAll(async () => {
  app = await startTestApp({ chatProviders: [fake, reviewing], env: { ROLE: 'api' } })
})
afterAll(() => app.stop())

const connect = async (provider = 'reviewing') => {
  const credentials = { number: '600000001', secret: 'correct horse battery' }
  const body = { provider, mode: 'chat', displayName: 'Office', credentials }
  return (await tenant.call<{ id: string }>('POST', '/accounts', { body })).body.id
}
beforeEach(async () => {
  tenant = await makeTenant(app, 'live')
  Object.assign(reviewing, { health: healthy, failure: null })
  submitted.length = 0
  listed = []
  accountId = await connect()
})

const make = async (body: object = {}) =>
  (
    await tenant.call<Template>('POST', '/templates', {
      body: { name: 'Primer contacto', language: 'es', body: 'Hola {{ contact.name }}.', ...body },
    })
  ).body
const submit = (id: string, more: object = {}) =>
  tenant.call<Template & Refusal>('POST', `/templates/${id}/submit`, { body: { accountId, ...more } })
const change = async (id: string, body: string) =>
  (await tenant.call<Template>('PATCH', `/templates/${id}`, { body: { body } })).body
const get = async (id: string) => (await tenant.call<Template>('GET', `/templates/${id}`)).body
const sync = () => tenant.call<TemplateSync & Refusal>('POST', '/templates/sync', { body: { accountId } })

async function report(providerName: string, more: object = {}, second = 1) {
  const event = {
    type: 'template_status',
    externalId: null,
    at: Temporal.Instant.fromEpochMilliseconds(second * 1000),
    providerTemplateId: null,
    providerName,
    language: 'es',
    status: 'approved',
    category: null,
    reason: null,
    ...more,
  } as InboundEvent
  await tenant.inTenant(tx =>
    callHook(tx, chatEventsReceived, {
      accountId,
      providerId: 'reviewing',
      channel: 'chat',
      events: [event],
    }),
  )
}

const render = (id: string, use: 'current' | 'approved') =>
  tenant.inTenant(async tx => {
    const values = { 'contact.name': 'Marta' }
    const request = {
      templateId: id,
      language: null,
      leadId: null,
      agentUserId: null,
      values,
      accountId,
      use,
    }
    return getResult((await renderTemplates(tx, [request]))[0]!)
  })

const providerTemplate = (more: Partial<ProviderTemplate>): ProviderTemplate => ({
  providerTemplateId: 'id',
  providerName: 'welcome',
  language: 'es',
  category: 'utility',
  status: 'approved',
  reason: null,
  body: 'Hola {{1}}, son las {{2}}. {{1}}!',
  parts: noParts,
  ...more,
})

test('a text is submitted with placeholders and examples, once', async () => {
  const { id } = await make({ body: 'Hola {{ contact.name | upcase }}: {{ property.price }}.' })
  const reply = await submit(id)
  expect(reply.status).toBe(200)
  expect(reply.body).toMatchObject({
    status: 'pending',
    providerTemplateName: 'primer_contacto',
    variants: [{ approvals: [{ accountId, status: 'pending', version: 1, category: 'marketing' }] }],
  })
  expect((await submit(id)).body).toEqual(reply.body)
  expect(submitted).toEqual([
    {
      providerName: 'primer_contacto',
      language: 'es',
      category: 'marketing',
      body: 'Hola {{1}}: {{2}}.',
      examples: ['MARTA SOLER', '374.000 €'],
      parts: noParts,
    },
  ])
})

test('the approved text is sent outside the reply window until the new one is approved', async () => {
  const { id } = await make()
  await submit(id)
  expect(await render(id, 'approved')).toMatchObject({
    approval: 'pending',
    reference: { providerName: null },
  })
  await report('primer_contacto')
  expect((await get(id)).status).toBe('approved')
  const changed = await change(id, 'Buenas {{ contact.name }}.')
  expect(changed).toMatchObject({
    status: 'draft',
    variants: [{ notice: expect.stringContaining('version 1') }],
  })
  expect(await render(id, 'approved')).toMatchObject({
    text: 'Hola Marta.',
    approval: 'approved',
    reference: { providerName: 'primer_contacto', language: 'es', values: ['Marta'] },
  })
  expect(await render(id, 'current')).toMatchObject({
    text: 'Buenas Marta.',
    approval: 'draft',
    reference: { providerName: null, values: [] },
  })
  const shown = await tenant.call<Preview>('POST', `/templates/${id}/preview`, { body: { accountId } })
  expect(shown.body).toMatchObject({ segments: 1, warnings: [{ code: 'APPROVED_VERSION_DIFFERS' }] })
  await submit(id)
  await report('primer_contacto_v2')
  expect(await render(id, 'approved')).toMatchObject({
    text: 'Buenas Marta.',
    reference: { providerName: 'primer_contacto_v2' },
  })
  expect((await get(id)).variants[0]!.notice).toBeNull()
})

test('reports that are repeated, reordered or about other texts change nothing', async () => {
  const { id } = await make()
  await submit(id)
  await report('primer_contacto', { status: 'paused', reason: 'Low quality.' }, 10)
  await report('primer_contacto', { status: 'approved' }, 5)
  await report('other')
  const paused = { status: 'paused', statusReason: 'Low quality.' }
  expect(await get(id)).toMatchObject(paused)
  expect(await render(id, 'approved')).toMatchObject({
    approval: 'paused',
    reference: { providerName: null },
  })
  await report('primer_contacto', { status: null, category: 'utility', language: null }, 11)
  expect(await get(id)).toMatchObject({ ...paused, variants: [{ approvals: [{ category: 'utility' }] }] })
})

describe('a submission is refused', () => {
  test('for a text with conditions, with the line and column', async () => {
    const { id } = await make({ body: 'Hola\n{% if contact.name %}Marta{% endif %}' })
    expect(await submit(id)).toMatchObject({
      status: 422,
      body: { code: 'TEMPLATE_NOT_SUBMITTABLE', message: expect.stringContaining('line 2, column 1') },
    })
  })

  test('for an account whose provider approves nothing', async () => {
    const { id } = await make()
    const body = { accountId: await connect('fake') }
    expect(await submit(id, body)).toMatchObject({ status: 422, body: { code: 'APPROVAL_NOT_NEEDED' } })
    const synced = await tenant.call<Refusal>('POST', '/templates/sync', { body })
    expect(synced).toMatchObject({ status: 422, body: { code: 'APPROVAL_NOT_NEEDED' } })
  })

  test('by the provider, with its reason, and nothing is stored', async () => {
    const { id } = await make()
    reviewing.failure = makeFailure('INVALID_CREDENTIALS')
    expect(await submit(id)).toMatchObject({ status: 422, body: { code: 'INVALID_CREDENTIALS' } })
    expect((await get(id)).variants[0]!.approvals).toEqual([])
  })

  test('for another language, and for a name that is taken', async () => {
    const { id } = await make()
    expect(await submit(id, { language: 'fr' })).toMatchObject({
      body: { code: 'TEMPLATE_LANGUAGE_MISSING' },
    })
    await submit(id, { providerTemplateName: 'hello' })
    const other = await make({ body: 'Otro' })
    expect((await submit(other.id, { providerTemplateName: 'hello' })).status).toBe(400)
    // A name that is made gets a number.
    await submit(other.id)
    expect((await get(other.id)).providerTemplateName).toBe('primer_contacto')
  })
})

test('a rejected text may be submitted again', async () => {
  const { id } = await make()
  await submit(id)
  await report('primer_contacto', { status: 'rejected', reason: 'Promotional.' })
  expect(await get(id)).toMatchObject({ status: 'rejected', statusReason: 'Promotional.' })
  await submit(id)
  expect(submitted.map(({ providerName }) => providerName)).toEqual(['primer_contacto', 'primer_contacto_v2'])
})

test('a synchronization imports, updates and disables', async () => {
  const { id } = await make()
  await submit(id)
  listed = [
    providerTemplate({ providerName: 'primer_contacto', body: 'Hola {{1}}.', category: 'marketing' }),
    providerTemplate({}),
    providerTemplate({ language: 'ca', body: 'Bon dia {{1}}' }),
    providerTemplate({ providerName: 'named', body: 'Hola {{name}}' }),
    providerTemplate({ providerName: 'odd', body: '{% for' }),
    providerTemplate({ providerName: 'photo', unusable: 'Its header needs a photo.' }),
  ]
  const first = await sync()
  expect(first.body).toMatchObject({
    imported: 2,
    updated: 1,
    unchanged: 0,
    skipped: [
      { providerTemplateName: 'named' },
      { providerTemplateName: 'odd' },
      { providerTemplateName: 'photo', reason: 'Its header needs a photo.' },
    ],
  })
  expect((await get(id)).status).toBe('approved')
  const { body } = await tenant.call<{ data: Template[] }>('GET', '/templates?limit=1')
  const [imported] = body.data
  expect(imported).toMatchObject({
    name: 'welcome',
    body: 'Hola {{ value1 }}, son las {{ value2 }}. {{ value1 }}!',
    status: 'approved',
    category: 'utility',
    variables: [
      { name: 'value1', isOwn: true },
      { name: 'value2', isOwn: true },
    ],
    variants: [{ language: 'es' }, { language: 'ca', body: 'Bon dia {{ value1 }}' }],
  })
  expect((await sync()).body).toMatchObject({ imported: 0, updated: 0, unchanged: 3 })
  listed = listed.slice(1)
  expect((await sync()).body).toMatchObject({ updated: 1, unchanged: 2 })
  expect(await get(id)).toMatchObject({
    status: 'disabled',
    statusReason: 'The provider no longer has this template.',
  })
})

test('concurrent synchronizations import once', async () => {
  listed = [providerTemplate({}), providerTemplate({ language: 'ca' })]
  const replies = await Promise.all([1, 2, 3].map(() => sync()))
  expect(replies.map(({ body }) => body.imported).sort()).toEqual([0, 0, 2])
  const { body } = await tenant.call<{ data: Template[] }>('GET', '/templates')
  expect(body.data).toHaveLength(1)
})
