/** Sending by two processes, refusals of claimed messages, pauses that providers request, files and templates. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { prepareChat } from '../../../../test/chat-app.ts'
import { makeFailure } from '../../../../test/chat-provider.ts'
import { eventually, startTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  connectAccount,
  makeContact,
  openConversation,
  readMessage,
  send,
  succeed,
  waitForStatus,
} from '../../../../test/messaging.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { chatProviders } from '../../../plugins/chat/index.ts'

const chat = prepareChat({
  capabilities: { messagesPerSecond: 1000, media: { document: { mediaTypes: [], bytesMax: 10_000 } } },
})
const { fake } = chat
const pdf = Buffer.from('%PDF-1.4\n1 0 obj <</Type /Catalog>> endobj\ntrailer <</Root 1 0 R>>\n%%EOF\n')
let other: TestApp
beforeAll(async () => {
  other = await startTestApp({
    chatProviders: [...chatProviders, fake],
    databaseUrl: chat.app.config.databaseUrl!,
  })
})
afterAll(() => other.stop())
let { app, tenant, outgoing, accountId } = chat
beforeEach(() => {
  ;({ app, tenant, outgoing, accountId } = chat)
})

const open = async (phone: string) =>
  (await openConversation(tenant, accountId, await makeContact(tenant, phone))).id
const sentIds = () => outgoing.sent.map(({ id }) => id)
async function upload(into: TestTenant): Promise<string> {
  const reply = await into.call<{ id: string }>('POST', '/media?fileName=plano.pdf', {
    rawBody: pdf,
    contentType: 'application/pdf',
  })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.id
}
async function makeTemplate(into: TestTenant): Promise<string> {
  const reply = await into.call<{ id: string }>('POST', '/templates', {
    body: { name: 'Saludo', language: 'es', category: 'utility', body: 'Hola {{ contact.name }}.' },
  })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.id
}

test('two processes send each message of an account once, in the order of its conversation', async () => {
  const ids: string[][] = []
  for (let index = 0; index < 8; index++) {
    const conversationId = await open(`+3461234560${index}`)
    const queued: string[] = []
    for (const text of ['1', '2', '3', '4']) queued.push((await send(tenant, conversationId, { text })).id)
    ids.push(queued)
  }
  for (const queued of ids) await waitForStatus(tenant, queued.at(-1)!, 'sent')
  const sent = sentIds()
  for (const queued of ids) expect(sent.filter(id => queued.includes(id))).toEqual(queued)
  expect(sent.length).toBe(32)
})

test('a person who opts out while their claimed message waits for the rate gets nothing', async () => {
  await tenant.limitQuota('maxMessagesPerMonth', 10)
  fake.capabilities = { ...fake.capabilities, messagesPerSecond: 0.25 }
  const [first, second] = [await open('+34612345601'), await open('+34612345602')]
  const ahead = await send(tenant, first, { text: 'ahead' })
  await waitForStatus(tenant, ahead.id, 'sent')
  const { id } = await send(tenant, second, { text: 'waits' })
  const isClaimed = () =>
    tenant.inTenant(async tx => {
      const found = await sql`
        select from messages where tenant_id = ${tenant.tenantId} and id = ${id} and claimed_at is not null`.execute(
        tx,
      )
      return found.rows.length === 1
    })
  await eventually(isClaimed, claimed => claimed)
  const body = { identifiers: [{ kind: 'phone', value: '+34612345602' }], kind: 'opt_out', channel: null }
  expect((await tenant.call('POST', '/suppressions', { body })).status).toBeLessThan(300)
  expect((await waitForStatus(tenant, id, 'failed')).failure).toMatchObject({ code: 'OPTED_OUT' })
  expect(sentIds()).toEqual([ahead.id])
  expect(await tenant.readQuotaUsage('maxMessagesPerMonth')).toBe(1)
})

test('a refused rate pauses all messages of the account, which go on by themselves', async () => {
  const [first, second] = [await open('+34612345601'), await open('+34612345602')]
  const times: number[] = []
  outgoing.answer = message => {
    times.push(performance.now())
    const failure = makeFailure('RATE_LIMITED', { retryable: true, retryAfterMs: 3000 })
    return times.length === 1 ? { status: 'failed', failure } : succeed(message)
  }
  const limited = await send(tenant, first, { text: '1' })
  await eventually(
    async () => times.length,
    count => count === 1,
  )
  await eventually(
    () => tenant.call<{ pausedUntil: string | null }>('GET', `/accounts/${accountId}`),
    ({ body }) => body.pausedUntil !== null,
  )
  const later = await send(tenant, second, { text: '2' })
  await waitForStatus(tenant, later.id, 'sent')
  expect(times[1]! - times[0]!).toBeGreaterThan(2800)
  // A failure of the account is no attempt of the message.
  await waitForStatus(tenant, limited.id, 'sent')
})

describe('files and templates', () => {
  test('reach the provider as they are', async () => {
    let content = Buffer.alloc(0)
    outgoing.answer = async message => {
      if (message.content.kind === 'media')
        content = Buffer.concat(await (await message.content.media.open()).toArray())
      return succeed(message)
    }
    const conversationId = await open('+34612345601')
    const file = await send(tenant, conversationId, { mediaId: await upload(tenant), caption: 'El plano' })
    const template = await send(tenant, conversationId, { templateId: await makeTemplate(tenant) })
    await waitForStatus(tenant, template.id, 'sent')
    expect(content.equals(pdf)).toBe(true)
    expect(outgoing.sent.map(({ content }) => content)).toMatchObject([
      {
        kind: 'media',
        caption: 'El plano',
        media: { kind: 'document', fileName: 'plano.pdf', bytes: pdf.length },
      },
      { kind: 'text', text: 'Hola Marta Ruiz.' },
    ])
    expect((await readMessage(tenant, file.id)).media).toMatchObject([
      {
        url: expect.stringMatching(/^http.+\/public\/v1\/media\/[0-9a-f-]{36}$/),
        previewUrl: null,
        kind: 'document',
      },
    ])
  })

  test('are sent by the sandbox too', async () => {
    const test = await makeTenant(app)
    const account = await connectAccount(test, 'sandbox')
    const { id } = await openConversation(test, account, await makeContact(test, '+34612345678'))
    const file = await send(test, id, { mediaId: await upload(test) })
    const template = await send(test, id, { templateId: await makeTemplate(test) })
    const isSent = ({ status }: { status: string }) => ['sent', 'delivered', 'read'].includes(status)
    for (const message of [file, template]) await eventually(() => readMessage(test, message.id), isSent)
  })
})
