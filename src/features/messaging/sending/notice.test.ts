/** The first message to a person whose data come from others has the privacy notice, once. */
import { beforeEach, describe, expect, test } from 'vitest'
import { prepareChat } from '../../../../test/chat-app.ts'
import { makeFailure } from '../../../../test/chat-provider.ts'
import { eventually } from '../../../../test/harness.ts'
import { readMessage, send, succeed, waitForStatus } from '../../../../test/messaging.ts'
import { sql } from '../../../kit/db/index.ts'
import { writeSetting } from '../../../kit/settings/setting-store.ts'
import type { Account } from '../../accounts/schemas.ts'
import { privacyNotice } from '../../privacy/settings.ts'
import { addNotice } from '../messages/notice.ts'

const chat = prepareChat({ capabilities: { location: true }, lead: { noticeSentAt: null } })
const { fake } = chat
const url = 'https://ribera.example/privacidad'
let { app, tenant, outgoing, accountId, conversationId, leadId } = chat
beforeEach(() => {
  ;({ app, tenant, outgoing, accountId, conversationId, leadId } = chat)
})

const texts = () => outgoing.sent.map(({ content }) => (content as { text: string }).text)
const setSource = (source: string) =>
  tenant.inTenant(tx =>
    sql`update lead_sources set url = ${source} where tenant_id = ${tenant.tenantId} and lead_id = ${leadId}`.execute(
      tx,
    ),
  )
const setNotice = (value: { url: string | null; texts: Record<string, string> }) =>
  tenant.inTenant(tx => writeSetting(tx, privacyNotice, value, { userId: null }))
const readContactability = async () =>
  (
    await tenant.call<{ contactability: { noticeSentAt: string | null; obligations: string[] } }>(
      'GET',
      `/leads/${leadId}`,
    )
  ).body.contactability

test('the first message has it, with the site of the advertisement; it is recorded when it was sent', async () => {
  await setSource('https://www.portal.example/inmueble/1')
  expect(await readContactability()).toMatchObject({ noticeSentAt: null, obligations: ['INCLUDE_NOTICE'] })
  const first = await send(tenant, conversationId, { text: 'Buenos días' })
  const second = await send(tenant, conversationId, { text: '¿Le va bien el jueves?' })
  await waitForStatus(tenant, second.id, 'sent')
  expect(texts()[0]).toMatch(/^Buenos días\n\n.+por tu anuncio en portal\.example.+STOP\.$/)
  expect(texts()[1]).toBe('¿Le va bien el jueves?')
  const sent = await readMessage(tenant, first.id)
  expect(sent).toMatchObject({ text: texts()[0], content: {} })
  expect(await readContactability()).toMatchObject({ noticeSentAt: sent.sentAt, obligations: [] })
})

test('a site without a name is not named', async () => {
  await setSource('http://127.0.0.1:4801/inmueble/1')
  const { id } = await send(tenant, conversationId, { text: 'Hola' })
  expect((await waitForStatus(tenant, id, 'sent')).text).toMatch(
    /^Hola\n\n.+ tiene tus datos de contacto y los usa/,
  )
})

test('the text of the workspace and its link replace the default sentences', async () => {
  await setNotice({ url, texts: { es: 'Aviso de Fincas Ribera.' } })
  const { id } = await send(tenant, conversationId, { text: 'Hola' })
  expect((await waitForStatus(tenant, id, 'sent')).text).toBe(`Hola\n\nAviso de Fincas Ribera. ${url}`)
})

test('a text with the link has the notice already', async () => {
  await setNotice({ url, texts: {} })
  const { id } = await send(tenant, conversationId, { text: `Hola. ${url}` })
  expect((await waitForStatus(tenant, id, 'sent')).text).toBe(`Hola. ${url}`)
  expect((await readContactability()).noticeSentAt).not.toBeNull()
})

test('if the first message fails, the next one has the notice', async () => {
  outgoing.answer = message =>
    outgoing.sent.length === 1
      ? { status: 'failed', failure: makeFailure('MESSAGE_REJECTED', { scope: 'message' }) }
      : succeed(message)
  const first = await send(tenant, conversationId, { text: '1' })
  const second = await send(tenant, conversationId, { text: '2' })
  await waitForStatus(tenant, first.id, 'failed')
  await waitForStatus(tenant, second.id, 'sent')
  expect(texts()[1]).toMatch(/^2\n\n.+STOP/)
  // What failed has it in its text, and is sent again as it was.
  const retry = await tenant.call<{ id: string }>('POST', `/messages/${first.id}/retry`)
  await waitForStatus(tenant, retry.body.id, 'sent')
  expect(texts()[2]).toBe(texts()[0])
})

test('a message that can’t have it is refused, and one without room for it', async () => {
  const post = (body: object) =>
    tenant.call<{ code: string }>('POST', `/conversations/${conversationId}/messages`, { body })
  const place = await post({ location: { latitude: 41.4, longitude: 2.2 } })
  expect([place.status, place.body.code]).toEqual([422, 'NOTICE_MISSING'])
  const long = await post({ text: 'x'.repeat(990) })
  expect([long.status, long.body.code]).toEqual([422, 'TEXT_TOO_LONG'])
})

test('a person who wrote first, whose data come from nobody else, is answered without it', async () => {
  const account = (await tenant.call<Account>('GET', `/accounts/${accountId}`)).body
  const event = {
    type: 'message',
    externalId: null,
    from: [{ kind: 'phone', value: '+34699000111' }],
    providerMessageId: 'in-1',
    profileName: 'Ana',
    content: { kind: 'text', text: 'Hola' },
    replyTo: null,
    email: null,
    referral: null,
    nature: 'person',
    isEcho: false,
  }
  const to = new URL(new URL(account.webhook!.url).pathname, app.url)
  await fetch(to, { method: 'POST', body: JSON.stringify([event]), headers: { 'x-secret': 'correct horse' } })
  const list = () => tenant.call<{ data: { id: string }[] }>('GET', '/conversations')
  const { body } = await eventually(list, reply => reply.body.data.length === 2)
  const other = body.data.find(({ id }) => id !== conversationId)!.id
  // Events of the fake provider are of 1970.
  await tenant.inTenant(tx =>
    sql`update conversations set last_inbound_at = now() where tenant_id = ${tenant.tenantId} and id = ${other}`.execute(
      tx,
    ),
  )
  await tenant.inTenant(tx =>
    sql`update conversation_identities set last_inbound_at = now()
      where tenant_id = ${tenant.tenantId} and conversation_id = ${other}`.execute(tx),
  )
  const { id } = await send(tenant, other, { text: 'Buenos días, Ana' })
  expect((await waitForStatus(tenant, id, 'sent')).text).toBe('Buenos días, Ana')
})

test('a text of the workspace with a variable is refused: it would be sent as it is', async () => {
  await expect(
    setNotice({ url: null, texts: { es: 'Somos {{ workspace.name }}. Responde STOP.' } }),
  ).rejects.toThrow('remove the braces')
})

describe('an approved template', () => {
  const template = { providerName: 'hello', language: 'es', values: [] }
  const carrier = { kind: 'template' as const, content: { template }, mediaKind: null }

  test('is refused without the link, and needs nothing else with it', () => {
    const notice = { notice: 'Aviso.', url }
    expect(() => addNotice(fake, { ...carrier, text: 'Hola' }, notice)).toThrow(url)
    expect(() => addNotice(fake, { ...carrier, text: 'Hola' }, { ...notice, url: null })).toThrow(
      'privacyNotice',
    )
    expect(addNotice(fake, { ...carrier, text: `Hola ${url}` }, notice)).toBe(`Hola ${url}`)
  })
})
