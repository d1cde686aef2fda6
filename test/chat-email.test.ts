/** E-mail from end to end: the whole program in live, against a mail server on loopback. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lead } from '../src/features/leads/schemas.ts'
import {
  connectAccount,
  type FlowApp,
  listEventTypes,
  readAccount,
  startFlowApp,
  waitForConversation,
  waitForMessage,
} from './chat-flow.ts'
import { eventually } from './harness.ts'
import { ownAddress, personAddress, prepareMail } from './mail-account.ts'
import { openConversation, readMessage, send, waitForStatus } from './messaging.ts'
import { makeTenant, type TestTenant } from './tenant.ts'

const server = prepareMail()
let app: FlowApp
beforeAll(async () => {
  app = await startFlowApp({})
})
afterAll(() => app.stop())

/** A workspace with the mailbox. What arrives from now on is read. */
async function connectMailbox(): Promise<{ tenant: TestTenant; accountId: string }> {
  const tenant = await makeTenant(app, 'live')
  const { id } = await connectAccount(tenant, 'email', server.credentials)
  return { tenant, accountId: id }
}

const deliver = (lines: string) => server.mailbox.deliver(`${lines.trim()}\n`.replaceAll('\n', '\r\n'))
const write = (id: string, text: string, more = '', subject = 'Piso en =?utf-8?q?Gr=C3=A0cia?=') =>
  deliver(`
Message-ID: <${id}@mail.example>
From: Marta Ruiz <${personAddress}>
To: <${ownAddress}>
Subject: ${subject}
Date: Thu, 26 Nov 2026 06:00:00 +0100
${more}Content-Type: text/plain; charset=utf-8

${text}`)
const readHeaders = (raw: Buffer) =>
  raw
    .toString()
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n\r\n', 1)[0]!

async function makeContact(tenant: TestTenant, email: string): Promise<string> {
  const lead = await tenant.call<Lead>('POST', '/leads', { body: { contact: { name: 'Ana', email } } })
  const body = { kind: 'contract', proof: 'asked for a viewing' }
  const basis = await tenant.call('PUT', `/leads/${lead.body.id}/lawful-basis`, { body })
  if (basis.status >= 300) throw new Error(basis.text)
  return lead.body.id
}

test('a mail makes a lead; the answer continues the thread; a machine does not count', async () => {
  const { tenant } = await connectMailbox()
  write('first', '¿Sigue en venta?')
  const conversation = await waitForConversation(tenant)
  expect(conversation).toMatchObject({
    contactName: 'Marta Ruiz',
    subject: 'Piso en Gràcia',
    identities: [{ kind: 'email', value: personAddress }],
  })
  const answer = await send(tenant, conversation.id, { text: 'Sí, ¿quiere verlo?' })
  await waitForStatus(tenant, answer.id, 'sent')
  const mail = server.mail.accepted.at(-1)!
  const headers = readHeaders(mail.raw)
  expect(mail.to).toEqual([personAddress])
  expect(headers).toContain('In-Reply-To: <first@mail.example>')
  expect(headers).toContain('References: <first@mail.example>')
  expect(headers).toMatch(/Subject: =\?UTF-8\?Q\?Re/)
  // It answers a message of the person.
  expect(headers).not.toContain('List-Unsubscribe')
  const sentId = /Message-ID: (<[^>]+>)/.exec(headers)![1]!
  write('absent', 'Estoy de vacaciones.', `In-Reply-To: ${sentId}\nAuto-Submitted: auto-replied\n`)
  const note = await waitForMessage(tenant, conversation.id, ({ nature }) => nature === 'auto_reply')
  expect(note.replyToId).toBe(answer.id)
  write(
    'second',
    `Sí, el jueves.\n\nEl jue, 26 nov 2026 a las 6:01, Ana (<ana@agency.example>) escribió:\n> Sí, ¿quiere verlo?`,
    `In-Reply-To: ${sentId}\n`,
  )
  const reply = await waitForMessage(tenant, conversation.id, ({ text }) => text === 'Sí, el jueves.')
  expect(reply.replyToId).toBe(answer.id)
  expect((await listEventTypes(tenant)).filter(type => type === 'lead.replied')).toHaveLength(2)
  write('other', '¿Y el de Sants?', '', 'Piso en Sants')
  await waitForMessage(tenant, conversation.id, ({ text }) => text === '¿Y el de Sants?')
  const sendHeaders = async (body: object) => {
    const { id } = await send(tenant, conversation.id, body)
    await waitForStatus(tenant, id, 'sent')
    return readHeaders(server.mail.accepted.at(-1)!.raw)
  }
  const latest = await sendHeaders({ text: 'También.' })
  expect(latest).toContain('Subject: Re: Piso en Sants')
  expect(latest).toContain('\r\nReferences: <other@mail.example>\r\n')
  // An answer to a chosen message continues the thread of that one.
  const chosen = await sendHeaders({ text: 'El jueves a las seis.', replyToId: reply.id })
  expect(chosen).toMatch(/Subject: =\?UTF-8\?Q\?Re/)
  expect(chosen).toContain(`References: ${sentId} <second@mail.example>`)
})

test('a message with a subject begins a thread, which the next one continues', async () => {
  const { tenant, accountId } = await connectMailbox()
  const { id } = await openConversation(tenant, accountId, await makeContact(tenant, 'ana@threads.example'))
  const post = async (body: object) => {
    const { id: messageId } = await send(tenant, id, body)
    await waitForStatus(tenant, messageId, 'sent')
    return readHeaders(server.mail.accepted.at(-1)!.raw)
  }
  const subject = 'Su piso en Sants'
  const first = await post({ text: 'Buenos días', subject })
  expect(first).toContain(`Subject: ${subject}`)
  expect((await tenant.call('GET', `/conversations/${id}`)).body).toMatchObject({ subject })
  const second = await post({ text: 'Hola', subject: 'Otro piso' })
  expect(second).toContain('Subject: Otro piso')
  expect(second).not.toContain('References:')
  const next = await post({ text: '¿Lo ha leído?' })
  expect(next).toContain('Subject: Re: Otro piso')
  expect(next).toContain(`References: ${/Message-ID: (<[^>]+>)/.exec(second)![1]}`)
})

test('a bounce fails the message, with the reason of the server', async () => {
  const { tenant, accountId } = await connectMailbox()
  const leadId = await makeContact(tenant, 'ana@bounces.example')
  const { id: conversationId } = await openConversation(tenant, accountId, leadId)
  const message = await send(tenant, conversationId, { text: 'Hola' })
  await waitForStatus(tenant, message.id, 'sent')
  const messageId = /Message-ID: (<[^>]+>)/.exec(readHeaders(server.mail.accepted.at(-1)!.raw))![1]!
  deliver(`
From: Mail Delivery System <MAILER-DAEMON@bounces.example>
To: ${ownAddress}
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

It could not be delivered.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; bounces.example

Final-Recipient: rfc822; ana@bounces.example
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 No such user

--b
Content-Type: text/rfc822-headers

Message-ID: ${messageId}
To: ana@bounces.example
Subject: Hola

--b--`)
  const failed = await waitForStatus(tenant, message.id, 'failed')
  expect(failed.failure).toMatchObject({ code: 'RECIPIENT_UNREACHABLE', providerCode: '5.1.1' })
})

test('a message that answers nobody has a link to refuse the next one, with one click', async () => {
  const { tenant, accountId } = await connectMailbox()
  const leadId = await makeContact(tenant, 'ana@refuses.example')
  const { id: conversationId } = await openConversation(tenant, accountId, leadId)
  const first = await send(tenant, conversationId, { text: 'Hola' })
  await waitForStatus(tenant, first.id, 'sent')
  // Without https, an e-mail to the mailbox comes first.
  const [, mailto, url] = /List-Unsubscribe: <([^>]+)>, <([^>]+)>/.exec(
    readHeaders(server.mail.accepted.at(-1)!.raw),
  )!
  expect(mailto).toBe(`mailto:${ownAddress}?subject=STOP&body=STOP`)
  const open = (language: string, init: RequestInit = {}) =>
    fetch(url!, { ...init, headers: { 'accept-language': language, ...init.headers } })
  const page = await open('fr-CH, fr;q=0.9')
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self'")
  const html = await page.text()
  expect(html).toContain('<html lang="fr">')
  expect(html).toContain(`messages de ${ownAddress}`)
  // Opening the page changes nothing: mail programs check links.
  const second = await send(tenant, conversationId, { text: 'Otra vez' })
  await waitForStatus(tenant, second.id, 'sent')
  const oneClick = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }
  for (let times = 0; times < 2; times++) {
    const done = await open('xx', oneClick)
    expect([done.status, await done.text()]).toEqual([
      200,
      expect.stringContaining('no volveremos a escribirte'),
    ])
  }
  const form = new FormData()
  form.set('List-Unsubscribe', 'One-Click')
  expect((await open('de', { method: 'POST', body: form })).status).toBe(200)
  const refused = await tenant.call<{ code: string }>('POST', `/conversations/${conversationId}/messages`, {
    body: { text: 'Y otra' },
  })
  expect([refused.status, refused.body.code]).toEqual([422, 'NOT_CONTACTABLE'])
  const { body: lead } = await tenant.call<Lead>('GET', `/leads/${leadId}`)
  expect(JSON.stringify(lead)).toContain('OPTED_OUT')
})

test('a changed password logs the mailbox out; the message waits for the new one', async () => {
  const { tenant, accountId } = await connectMailbox()
  const leadId = await makeContact(tenant, 'ana@waits.example')
  const { id: conversationId } = await openConversation(tenant, accountId, leadId)
  server.mail.addFault({ kind: 'authentication' })
  const message = await send(tenant, conversationId, { text: 'Hola' })
  const account = await eventually(
    () => readAccount(tenant, accountId),
    ({ status }) => status === 'LOGGED_OUT',
  )
  expect(account.health.reason).toMatch(/app password/i)
  expect((await readMessage(tenant, message.id)).status).toBe('queued')
  server.mail.clearFaults()
  const changed = await tenant.call('PATCH', `/accounts/${accountId}`, {
    body: { credentials: server.credentials },
  })
  expect(changed.status, changed.text).toBe(200)
  await waitForStatus(tenant, message.id, 'sent')
})
