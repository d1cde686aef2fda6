/** Headers, footers and buttons of templates: written, previewed, submitted, and imported. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { drawImage, makeVoiceNote } from '../../../test/media.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { getResult } from '../../kit/results.ts'
import type { ProviderTemplate } from '../../plugins/chat.ts'
import type { Preview } from './preview-schemas.ts'
import { renderTemplates } from './render-template.ts'
import type { Template, TemplateVersion } from './schemas.ts'
import { syncTemplates } from './sync.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

interface Refusal {
  code: string
  message: string
  errors: { path: string; code: string }[]
}
const post = (body: object) =>
  tenant.call<Template & Refusal>('POST', '/templates', {
    body: { name: 'Visita', language: 'es', body: 'Hola {{ contact.name }}.', ...body },
  })
const preview = async (id: string, body: object = {}) =>
  (await tenant.call<Preview>('POST', `/templates/${id}/preview`, { body })).body

const parts = {
  header: { kind: 'text', text: 'Visita el {{ day }}' },
  footer: 'Agencia Sol',
  buttons: [
    { kind: 'url', title: 'Ver', value: 'https://a.example/{{ property.title }}' },
    { kind: 'phone', title: 'Llamar', value: '+34910000000' },
    { kind: 'copy_code', title: 'Copiar', value: '{{ code }}' },
    { kind: 'quick_reply', title: 'Sí' },
  ],
}
const variables = [{ name: 'day' }, { name: 'code', example: 'A1' }]

describe('a template with a header and buttons', () => {
  test('has the variables of all its texts, and a changed part is a new version', async () => {
    const { status, body } = await post({ ...parts, variables })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      header: parts.header,
      footer: 'Agencia Sol',
      buttons: [...parts.buttons.slice(0, 3), { kind: 'quick_reply', title: 'Sí', value: null }],
    })
    expect(body.variables.map(({ name }) => name)).toEqual(['contact.name', 'day', 'property.title', 'code'])
    const change = (changes: object) =>
      tenant.call<Template>('PATCH', `/templates/${body.id}`, { body: changes })
    expect((await change({ footer: 'Agencia Sol' })).body.version).toBe(1)
    expect((await change({ header: null, variables: variables.slice(1) })).body).toMatchObject({
      version: 2,
      header: null,
      footer: 'Agencia Sol',
      buttons: [{}, {}, {}, {}],
    })
    const versions = await tenant.call<{ data: TemplateVersion[] }>('GET', `/templates/${body.id}/versions`)
    expect(versions.body.data.map(({ header }) => header?.text)).toEqual([undefined, 'Visita el {{ day }}'])
  })

  test('keeps the parts of another language that a change does not send', async () => {
    const english = { language: 'en', body: 'Hello', header: { kind: 'text', text: 'Visit' }, footer: 'Sol' }
    const buttons = [{ kind: 'quick_reply', title: 'Yes', value: null }]
    const { id } = (await post({ variants: [{ ...english, buttons }] })).body
    const change = async (changes: object) => {
      const variants = [{ language: 'en', body: 'Hello!', ...changes }]
      const { body } = await tenant.call<Template>('PATCH', `/templates/${id}`, { body: { variants } })
      return body.variants[1]
    }
    expect(await change({})).toMatchObject({ ...english, body: 'Hello!', buttons, version: 2 })
    expect(await change({ header: null, footer: null, buttons: [] })).toMatchObject({
      header: null,
      footer: null,
      buttons: [],
      version: 3,
    })
  })

  test('is previewed as people read it, and says which values are missing', async () => {
    const { id } = (await post({ ...parts, variables })).body
    const sent = { 'contact.name': 'Marta', 'property.title': 'piso ático', day: 'lunes', code: '25OFF' }
    expect((await preview(id, { variables: sent })).text).toBe(
      'Visita el lunes\n\nHola Marta.\n\nAgencia Sol\n\n' +
        '[Ver] https://a.example/piso%20%C3%A1tico\n[Llamar] +34910000000\n[Copiar] 25OFF\n[Sí]',
    )
    const render = renderTemplateWith(id, { 'contact.name': 'Marta' })
    expect((await render).missing).toEqual(['day', 'property.title', 'code'])
  })

  test('whose header shows a file or a place says so', async () => {
    const { id } = (await post({ header: { kind: 'image' } })).body
    expect((await preview(id)).warnings).toMatchObject([{ code: 'NEEDS_HEADER' }])
  })
})

const renderTemplateWith = (
  templateId: string,
  values: Record<string, string>,
  accountId: string | null = null,
) => {
  const request = { templateId, language: null, leadId: null, agentUserId: null, values, accountId }
  return tenant.inTenant(async tx => getResult((await renderTemplates(tx, [request]))[0]!))
}

test.each([
  [{ header: { kind: 'text' } }, '/header/text', 'REQUIRED'],
  [{ header: { kind: 'image', text: 'x' } }, '/header/text', 'NOT_ALLOWED'],
  [{ header: { kind: 'text', text: '{{ planet }}' } }, '/header/text', 'UNKNOWN_VARIABLE'],
  [{ buttons: [{ kind: 'url', title: 'x' }] }, '/buttons/0/value', 'REQUIRED'],
  [{ buttons: [{ kind: 'url', title: 'x', value: '{{' }] }, '/buttons/0/value', 'TEMPLATE_SYNTAX'],
  [{ buttons: [{ kind: 'other', title: 'x' }] }, '/buttons/0/kind', 'NOT_ALLOWED'],
  [{ footer: '{{ contact.name }}' }, '/footer', 'WRONG_FORMAT'],
  [{ footer: '\u200b' }, '/footer', 'WRONG_FORMAT'],
  [{ header: { kind: 'text', text: '\u2060' } }, '/header/text', 'WRONG_FORMAT'],
  [{ buttons: [{ kind: 'quick_reply', title: '\u200b' }] }, '/buttons/0/title', 'WRONG_FORMAT'],
  [{ buttons: [{ kind: 'phone', title: 'x', value: '\u200b' }] }, '/buttons/0/value', 'WRONG_FORMAT'],
  [
    { variants: [{ language: 'en', body: 'x', header: { kind: 'text' } }] },
    '/variants/0/header/text',
    'REQUIRED',
  ],
])('%j is refused', async (body, path, code) => {
  const reply = await post(body)
  expect([reply.status, reply.body.errors]).toMatchObject([400, [{ path, code }]])
})

const connect = async (provider: string, credentials: object = {}) => {
  const body = { provider, mode: 'chat', displayName: 'x', credentials }
  return (await tenant.call<{ id: string }>('POST', '/accounts', { body })).body.id
}
let whatsapp: string
beforeAll(async () => {
  whatsapp = await connect('whatsapp_cloud', {
    phoneNumberId: '106540352242922',
    businessAccountId: '102290129340398',
    accessToken: 'x'.repeat(30),
    appSecret: '0'.repeat(32),
  })
})

test('what is too long for WhatsApp is not submitted', async () => {
  const header = { kind: 'text', text: `Visita ${'x'.repeat(43)}{{ contact.name }}` }
  const buttons = [
    { kind: 'quick_reply', title: 'x'.repeat(25) },
    { kind: 'url', title: 'x'.repeat(26), value: 'https://a.example' },
    { kind: 'copy_code', title: 'Copiar', value: 'x'.repeat(16) },
  ]
  const { id } = (await post({ header, footer: 'x'.repeat(61), buttons })).body
  const body = { accountId: whatsapp }
  const reply = await tenant.call<Refusal>('POST', `/templates/${id}/submit`, { body })
  expect([reply.status, reply.body.code]).toEqual([422, 'TEMPLATE_NOT_SUBMITTABLE'])
  expect(reply.body.message).toContain('/header/text has 61 characters, and WhatsApp accepts 60;')
  const paths = reply.body.errors.map(({ path }) => path)
  expect(paths).toEqual(['/header/text', '/footer', '/buttons/1/title', '/buttons/2/value'])
})

test('a header with a file is submitted with an example of it', async () => {
  const upload = async (rawBody: Uint8Array<ArrayBuffer>, contentType: string) =>
    (await tenant.call<{ id: string }>('POST', '/media', { rawBody, contentType })).body.id
  const image = await upload(await drawImage(40, 20), 'image/png')
  const voice = await upload(makeVoiceNote(2000), 'audio/ogg')
  const submit = async (id: string, headerMediaId?: string) => {
    const reply = await tenant.call<Template & Refusal>('POST', `/templates/${id}/submit`, {
      body: { accountId: whatsapp, ...(headerMediaId && { headerMediaId }) },
    })
    return [reply.status, reply.body.errors?.[0]?.code ?? reply.body.status]
  }
  const { id } = (await post({ header: { kind: 'image' } })).body
  const plain = (await post({ name: 'Sin foto' })).body
  expect(await submit(id)).toEqual([400, 'REQUIRED'])
  expect(await submit(id, voice)).toEqual([400, 'WRONG_TYPE'])
  expect(await submit(id, id)).toEqual([400, 'UNKNOWN_MEDIA'])
  expect(await submit(plain.id, image)).toEqual([400, 'NOT_ALLOWED'])
  const plan = (await post({ name: 'Plano', header: { kind: 'document' } })).body
  await tenant.inTenant(async tx => {
    await sql`update message_files set bytes = 5000000 where id = ${image}`.execute(tx)
    await sql`update message_files set kind = 'document', media_type = 'application/pdf', bytes = 16777217 where id = ${voice}`.execute(
      tx,
    )
  })
  expect(await submit(plan.id, voice)).toEqual([400, 'TOO_LARGE'])
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  onTestFinished(() => timeout.mockRestore())
  expect(await submit(id, image)).toEqual([200, 'approved'])
  expect(timeout, 'an upload has more time').toHaveBeenCalledWith(30_000 + 20_000)
})

test('placeholders of an imported header and of buttons are variables', async () => {
  const accountId = await connect('sandbox')
  const listed: ProviderTemplate = {
    providerTemplateId: '1',
    providerName: 'oferta',
    language: 'es',
    category: 'marketing',
    status: 'approved',
    reason: null,
    body: 'Mire {{1}}',
    parts: {
      header: { kind: 'text', text: 'Para {{1}}' },
      footer: 'Agencia',
      buttons: [
        { kind: 'quick_reply', title: 'Sí', value: null },
        { kind: 'url', title: 'Ver', value: 'https://a.example/{{1}}' },
        { kind: 'copy_code', title: '', value: '{{1}}' },
      ],
    },
  }
  await tenant.inTenant(tx => syncTemplates(tx, { accountId, isComplete: true }, [listed]))
  const [{ id: templateId, ...imported }] = (
    await tenant.call<{ data: [Template] }>('GET', '/templates?limit=1')
  ).body.data
  expect(imported.variables).toMatchObject([
    { name: 'value1' },
    { name: 'headerValue' },
    { name: 'button1', fallback: 'Sí' },
    { name: 'button2', fallback: null },
    { name: 'button3', fallback: null },
  ])
  const values = { value1: 'el piso', headerValue: 'Marta', button2: 'p?a=1 2', button3: '25OFF' }
  const render = (more = {}) => renderTemplateWith(templateId, { ...values, ...more }, accountId)
  const [url, code] = [
    { index: 1, kind: 'url', value: 'p%3Fa%3D1%202' },
    { index: 2, kind: 'copy_code', value: '25OFF' },
  ]
  expect((await render()).reference).toEqual({
    providerName: 'oferta',
    language: 'es',
    values: ['el piso'],
    header: { kind: 'text', text: 'Marta' },
    buttons: [url, code],
  })
  expect((await render({ button1: 'yes' })).reference.buttons).toEqual([
    { index: 0, kind: 'quick_reply', value: 'yes' },
    url,
    code,
  ])
})
