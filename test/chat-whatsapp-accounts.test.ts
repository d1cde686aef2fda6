/** WhatsApp accounts and their templates from end to end: the whole program in live, against the simulated Graph API. */
import { describe, expect, test } from 'vitest'
import type { Media } from '../src/features/messaging/media/schemas.ts'
import type { TemplateSync } from '../src/features/templates/approval-schemas.ts'
import type { Template } from '../src/features/templates/schemas.ts'
import { closeWindow, listEventTypes, readAccount } from './chat-flow.ts'
import { eventually } from './harness.ts'
import { drawImage, makeVoiceNote } from './media.ts'
import { readMessage, send, waitForStatus } from './messaging.ts'
import { prepareWhatsapp } from './whatsapp-flow.ts'

const flow = prepareWhatsapp()

test('outside the window, only an approved template is sent', async () => {
  const { person, conversation } = await flow.meet()
  await closeWindow(flow.tenant, conversation.id)
  const refuse = (body: object) =>
    flow.tenant.call<{ code: string }>('POST', `/conversations/${conversation.id}/messages`, { body })
  expect((await refuse({ text: 'Hola' })).body.code).toBe('WINDOW_CLOSED')
  const created = await flow.tenant.call<Template>('POST', '/templates', {
    body: {
      name: 'Visita',
      language: 'es',
      body: 'Hola {{ contact.name }}, ¿sigue interesada?',
      category: 'utility',
    },
  })
  const templateId = created.body.id
  const submitted = await flow.tenant.call<Template>('POST', `/templates/${templateId}/submit`, {
    body: { accountId: flow.accountId },
  })
  expect(submitted.body).toMatchObject({ status: 'pending' })
  expect((await refuse({ templateId })).status).toBe(422)
  const atProvider = flow.whatsapp.templates.at(-1)!
  const report = (event: string) =>
    flow.whatsapp.notify('message_template_status_update', {
      event,
      message_template_id: atProvider.id,
      message_template_name: atProvider.name,
      message_template_language: 'es',
      reason: 'NONE',
    })
  const readStatus = async () =>
    (await flow.tenant.call<Template>('GET', `/templates/${templateId}`)).body.status
  atProvider.status = 'APPROVED'
  report('APPROVED')
  await eventually(readStatus, status => status === 'approved')
  const message = await send(flow.tenant, conversation.id, { templateId })
  expect(await waitForStatus(flow.tenant, message.id, 'read')).toMatchObject({
    kind: 'template',
    text: 'Hola Marta Ruiz, ¿sigue interesada?',
  })
  expect(person.received.at(-1)!.body).toMatchObject({
    type: 'template',
    template: { name: atProvider.name },
  })
  // WhatsApp pauses it, and its report is late: the refusal says so.
  atProvider.status = 'PAUSED'
  const refused = await send(flow.tenant, conversation.id, { templateId })
  expect((await waitForStatus(flow.tenant, refused.id, 'failed')).failure?.code).toBe('TEMPLATE_PAUSED')
  expect(await readStatus()).toBe('paused')
  expect((await refuse({ templateId })).status).toBe(422)
})

test('templates that were made at WhatsApp are imported, and sent with their values', async () => {
  const { person, conversation } = await flow.meet()
  await closeWindow(flow.tenant, conversation.id)
  const buttons = { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copiar' }] }
  const made = { language: 'es', status: 'APPROVED', category: 'MARKETING' }
  flow.whatsapp.templates.push(
    { ...made, id: '71', name: 'novedad', components: [{ type: 'BODY', text: 'Hola {{1}}, mire {{2}}.' }] },
    { ...made, id: '72', name: 'codigo', components: [{ type: 'BODY', text: 'Su código' }, buttons] },
  )
  const synchronize = async () => {
    const body = { accountId: flow.accountId }
    return (await flow.tenant.call<TemplateSync>('POST', '/templates/sync', { body })).body
  }
  const { imported, skipped } = await synchronize()
  expect(imported).toBeGreaterThan(0)
  expect(skipped).toEqual([
    { providerTemplateName: 'codigo', language: 'es', reason: expect.stringMatching(/header or buttons/) },
  ])
  expect(await synchronize()).toMatchObject({ imported: 0, updated: 0, unchanged: imported })
  const { body: list } = await flow.tenant.call<{ data: Template[] }>('GET', '/templates')
  const { id: templateId } = list.data.find(({ name }) => name === 'novedad')!
  const values = { value1: 'Marta', value2: 'el piso de Gràcia' }
  const message = await send(flow.tenant, conversation.id, { templateId, variables: values })
  expect(await waitForStatus(flow.tenant, message.id, 'read')).toMatchObject({
    text: 'Hola Marta, mire el piso de Gràcia.',
  })
  expect(person.received.at(-1)!.body.template).toMatchObject({
    name: 'novedad',
    language: { code: 'es' },
    components: [{ type: 'body', parameters: [{ text: 'Marta' }, { text: 'el piso de Gràcia' }] }],
  })
  flow.whatsapp.templates.find(({ name }) => name === 'novedad')!.status = 'DISABLED'
  expect(await synchronize()).toMatchObject({ imported: 0, updated: 1 })
  const refused = await flow.tenant.call('POST', `/conversations/${conversation.id}/messages`, {
    body: { templateId, variables: values },
  })
  expect(refused.status).toBe(422)
})

describe('a template with a header and buttons', () => {
  const importTemplate = async (name: string, format: string) => {
    flow.whatsapp.templates.push({
      id: `8${name}`,
      name,
      language: 'es',
      status: 'APPROVED',
      category: 'UTILITY',
      components: [
        { type: 'HEADER', format },
        { type: 'BODY', text: 'Hola {{1}}' },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'URL', text: 'Ver', url: 'https://agencia.example/{{1}}' },
            { type: 'QUICK_REPLY', text: 'Sí' },
          ],
        },
      ],
    })
    await flow.tenant.call('POST', '/templates/sync', { body: { accountId: flow.accountId } })
    const { body } = await flow.tenant.call<{ data: Template[] }>('GET', '/templates')
    return body.data.find(template => template.name === name)!.id
  }
  const variables = { value1: 'Marta', button1: 'piso-7', button2: 'yes-7' }
  const buttons = [
    { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'piso-7' }] },
    {
      type: 'button',
      sub_type: 'quick_reply',
      index: '1',
      parameters: [{ type: 'payload', payload: 'yes-7' }],
    },
  ]
  const text = 'Hola Marta\n\n[Ver] https://agencia.example/piso-7\n[Sí]'

  test('is sent with its file and its values, and stays readable as it was sent', async () => {
    const { person, conversation } = await flow.meet()
    await closeWindow(flow.tenant, conversation.id)
    const templateId = await importTemplate('con_foto', 'IMAGE')
    const upload = async (rawBody: Uint8Array<ArrayBuffer>, contentType: string) =>
      (await flow.tenant.call<Media>('POST', '/media', { rawBody, contentType })).body.id
    const mediaId = await upload(await drawImage(40, 20), 'image/png')
    const refuse = async (body: object) => {
      const path = `/conversations/${conversation.id}/messages`
      const reply = await flow.tenant.call<{ code: string; errors?: { path: string }[] }>('POST', path, {
        body: { templateId, variables, ...body },
      })
      return [reply.status, reply.body.code, reply.body.errors?.[0]?.path]
    }
    expect(await refuse({})).toEqual([422, 'MISSING_VARIABLE', undefined])
    expect(await refuse({ variables: { value1: 'x' }, header: { mediaId } })).toEqual([
      422,
      'MISSING_VARIABLE',
      undefined,
    ])
    const voice = await upload(makeVoiceNote(20_000), 'audio/ogg')
    expect(await refuse({ header: { mediaId: voice } })).toEqual([400, 'INVALID_INPUT', '/header/mediaId'])
    const place = { latitude: 41.4, longitude: 2.2 }
    expect(await refuse({ header: { location: place } })).toEqual([400, 'INVALID_INPUT', '/header/location'])
    expect(await refuse({ header: {} })).toEqual([400, 'INVALID_INPUT', '/header/mediaId'])
    const { id } = await send(flow.tenant, conversation.id, { templateId, variables, header: { mediaId } })
    expect(await waitForStatus(flow.tenant, id, 'read')).toMatchObject({
      kind: 'template',
      text,
      media: [{ kind: 'image', status: 'ready' }],
    })
    const { template } = person.received.at(-1)!.body as { template: { components: object[] } }
    expect(template.components).toEqual([
      { type: 'header', parameters: [{ type: 'image', image: { id: expect.any(String) } }] },
      { type: 'body', parameters: [{ type: 'text', text: 'Marta' }] },
      ...buttons,
    ])
  })

  test('is sent with a place', async () => {
    const { person, conversation } = await flow.meet()
    const templateId = await importTemplate('con_lugar', 'LOCATION')
    const header = { location: { latitude: 41.4, longitude: 2.2, name: 'Piso', address: 'Gràcia' } }
    const { id } = await send(flow.tenant, conversation.id, { templateId, variables, header })
    expect(await waitForStatus(flow.tenant, id, 'read')).toMatchObject({ text: `Piso, Gràcia\n\n${text}` })
    expect(person.received.at(-1)!.body.template).toMatchObject({
      components: [
        { parameters: [{ type: 'location', location: { latitude: '41.4', name: 'Piso' } }] },
        {},
        {},
        {},
      ],
    })
  })
})

describe('an account', () => {
  test('whose token is revoked is logged out; its messages wait, and go out in order with new credentials', async () => {
    const { person, conversation } = await flow.meet()
    const texts = ['1', '2', '3']
    const ids: string[] = []
    flow.whatsapp.faults.add({ kind: 'error', status: 503, code: 2, path: '/messages' })
    for (const text of texts) ids.push((await send(flow.tenant, conversation.id, { text })).id)
    flow.whatsapp.setAccessToken('another-token-of-the-business')
    flow.whatsapp.faults.clear()
    await flow.tenant.call('POST', `/accounts/${flow.accountId}/test`)
    const account = await eventually(
      () => readAccount(flow.tenant, flow.accountId),
      ({ status }) => status === 'LOGGED_OUT',
    )
    expect(account.health.reason).toMatch(/token/i)
    expect(
      (await listEventTypes(flow.tenant)).filter(type => type === 'account.status_changed'),
    ).toHaveLength(2)
    for (const id of ids) expect((await readMessage(flow.tenant, id)).status).toBe('queued')
    const credentials = { ...flow.whatsapp.credentials, accessToken: 'another-token-of-the-business' }
    const changed = await flow.tenant.call('PATCH', `/accounts/${flow.accountId}`, { body: { credentials } })
    expect(changed.status, changed.text).toBe(200)
    for (const id of ids) await waitForStatus(flow.tenant, id, 'read')
    expect(person.received.map(({ body }) => (body.text as { body: string }).body)).toEqual(texts)
    expect(flow.whatsapp.callbackUrl).toBe(account.webhook!.url)
  })

  test('that is disconnected fails what it has not sent, and gives the quota back', async () => {
    const { conversation } = await flow.meet()
    await flow.tenant.limitQuota('maxMessagesPerMonth', 10)
    flow.whatsapp.faults.add({ kind: 'error', status: 503, code: 2, path: '/messages' })
    const ids: string[] = []
    for (const text of ['1', '2']) ids.push((await send(flow.tenant, conversation.id, { text })).id)
    expect((await flow.tenant.call('DELETE', `/accounts/${flow.accountId}`)).status).toBe(204)
    for (const id of ids)
      expect((await waitForStatus(flow.tenant, id, 'failed')).failure?.code).toBe('ACCOUNT_NOT_SENDING')
    flow.whatsapp.faults.clear()
    expect(await flow.tenant.readQuotaUsage('maxMessagesPerMonth')).toBe(0)
    const typing = await flow.tenant.call<{ code: string }>(
      'POST',
      `/conversations/${conversation.id}/typing`,
    )
    expect([typing.status, typing.body.code]).toEqual([409, 'ACCOUNT_NOT_SENDING'])
  })

  test('is restricted, banned and reinstated by reports of WhatsApp', async () => {
    const { conversation } = await flow.meet()
    const waitForAccount = (status: string) =>
      eventually(
        () => readAccount(flow.tenant, flow.accountId),
        account => account.status === status,
      )
    const restrict = (type: string) =>
      flow.whatsapp.notify('account_update', {
        event: 'ACCOUNT_RESTRICTION',
        restriction_info: [{ restriction_type: type, expiration: '2099-12-01' }],
      })
    restrict('RESTRICTED_BIZ_INITIATED_MESSAGING')
    expect((await waitForAccount('RESTRICTED')).health.reason).toContain('may not write to people')
    const { id } = await send(flow.tenant, conversation.id, { text: 'Hola' })
    await waitForStatus(flow.tenant, id, 'sent')
    const ban = (state: string) =>
      flow.whatsapp.notify('account_update', {
        event: 'DISABLED_UPDATE',
        ban_info: { waba_ban_state: state },
      })
    ban('DISABLE')
    expect((await waitForAccount('BANNED')).health.reason).toContain('Appeal')
    ban('REINSTATE')
    expect((await waitForAccount('RESTRICTED')).health.reason).toContain('may not write to people')
    restrict('RESTRICTED_ADD_PHONE_NUMBER_ACTION')
    expect((await waitForAccount('CONNECTED')).health.reason).toBeNull()
  })
})
