/** Messages that people send by hand: listed, opened, ticked off, skipped, expired, refused. */
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeContact, openConversation, readMessage, send } from '../../../../test/messaging.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import type { Task } from './schemas.ts'

let app: TestApp
let tenant: TestTenant
let leadId: string
let accountId: string
let conversationId: string
beforeAll(async () => {
  app = await shareTestApp()
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
  const account = await tenant.call<{ id: string }>('POST', '/accounts', {
    body: {
      provider: 'manual',
      mode: 'chat-no-api',
      displayName: 'Phone',
      credentials: { phone: '+34611222333' },
    },
  })
  accountId = account.body.id
  leadId = await makeContact(tenant, '+34612345678')
  conversationId = (await openConversation(tenant, accountId, leadId)).id
})

const queue = (text: string) => send(tenant, conversationId, { text })
const list = async (query = '') =>
  (await tenant.call<{ data: Task[]; nextCursor: string | null }>('GET', `/messaging/tasks?${query}`)).body
const open = (id: string) => tenant.call<{ task: Task; link: string }>('POST', `/messaging/tasks/${id}/open`)
const change = (id: string, body: object) => tenant.call<Task>('PATCH', `/messaging/tasks/${id}`, { body })

it('are opened with the text, and sent when they are ticked off', async () => {
  const { id } = await queue('¿Le va bien el jueves?')
  expect((await list()).data).toMatchObject([
    { id, conversationId, leadId, text: '¿Le va bien el jueves?', status: 'open', openedAt: null },
  ])
  const opened = await open(id)
  expect(opened).toMatchObject({
    status: 200,
    body: {
      task: { id, status: 'opened', openedAt: expect.any(String) },
      link: 'https://wa.me/34612345678?text=%C2%BFLe%20va%20bien%20el%20jueves%3F',
    },
  })
  expect((await open(id)).body.task.openedAt).toBe(opened.body.task.openedAt)
  expect(await readMessage(tenant, id)).toMatchObject({ status: 'queued' })
  const people = await tenant.inTenant(tx => tx.selectFrom('messages').select('person').execute())
  expect(people).toEqual([{ person: 'phone:+34612345678' }])
  expect(await change(id, { status: 'done' })).toMatchObject({ status: 200, body: { status: 'done' } })
  expect(await readMessage(tenant, id)).toMatchObject({ status: 'sent', sentAt: expect.any(String) })
  const { body } = await tenant.call<{ data: { data: { messageId: string } }[] }>(
    'GET',
    '/events?types=message.sent',
  )
  expect(body.data.map(({ data }) => data.messageId)).toEqual([id])
  expect((await list()).data).toEqual([])
  expect((await list('status=done')).data).toMatchObject([{ id }])
  for (const reply of [await change(id, { status: 'skipped' }), await open(id)])
    expect(reply).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
  expect((await change(id, { assignedUserId: id })).status).toBe(400)
})

it('that are done make a new lead a contacted one, once', async () => {
  const readStatus = async () =>
    (await tenant.call<{ status: string; lastContactedAt: string | null }>('GET', `/leads/${leadId}`)).body
  expect(await readStatus()).toMatchObject({ status: 'new', lastContactedAt: null })
  for (const text of ['one', 'two']) await change((await queue(text)).id, { status: 'done' })
  expect(await readStatus()).toMatchObject({ status: 'contacted', lastContactedAt: expect.any(String) })
  const { body } = await tenant.call<{ data: { data: object }[] }>('GET', '/events?types=lead.updated')
  const changes = [{ field: 'status', before: 'new', after: 'contacted' }]
  expect(body.data.map(({ data }) => data)).toContainEqual(
    expect.objectContaining({ leadId, cause: 'contacted', changes, keyId: null, userId: null }),
  )
  expect(body.data.filter(({ data }) => (data as { cause: string }).cause === 'contacted')).toHaveLength(1)
  await tenant.call('PATCH', `/leads/${leadId}`, { body: { status: 'qualified' } })
  await change((await queue('three')).id, { status: 'done' })
  expect((await readStatus()).status).toBe('qualified')
})

it('have the privacy notice until the person has received it', async () => {
  leadId = await makeContact(tenant, '+34699000222', { noticeSentAt: null })
  conversationId = (await openConversation(tenant, accountId, leadId)).id
  const [first, second] = [await queue('one'), await queue('two')]
  const openText = async (id: string) => (await open(id)).body.task.text
  for (const { id, text } of [first, second]) {
    expect(text).not.toContain('STOP')
    expect(await openText(id)).toMatch(/^(one|two)\n\n.+STOP/s)
    expect(decodeURIComponent((await open(id)).body.link)).toContain(await openText(id))
  }
  await change(first.id, { status: 'done' })
  expect((await readMessage(tenant, first.id)).text).toMatch(/^one\n\n.+STOP/s)
  expect(await openText(second.id)).toBe('two')
  await change(second.id, { status: 'done' })
  expect(await readMessage(tenant, second.id)).toMatchObject({ text: 'two', content: {} })
})

it('are listed page by page, the oldest first, and by user', async () => {
  const ids: string[] = []
  for (const text of ['one', 'two', 'three']) ids.push((await queue(text)).id)
  const first = await list('limit=2')
  const second = await list(`limit=2&cursor=${first.nextCursor}`)
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids)
  expect(second.nextCursor).toBeNull()
  const unknown = await change(ids[0]!, { assignedUserId: '01980a4e-7777-7c3e-9d7a-2f6b1c0d9e8f' })
  expect(unknown).toMatchObject({ status: 400, body: { errors: [{ code: 'UNKNOWN_USER' }] } })
  expect((await list('assignedUserId=01980a4e-7777-7c3e-9d7a-2f6b1c0d9e8f')).data).toEqual([])
})

it('give the quota back if they are skipped', async () => {
  const before = await tenant.readQuotaUsage('maxMessagesPerMonth')
  const { id } = await queue('Hola')
  expect(await tenant.readQuotaUsage('maxMessagesPerMonth')).toBe(before + 1)
  await change(id, { status: 'skipped' })
  expect(await readMessage(tenant, id)).toMatchObject({
    status: 'failed',
    failure: { code: 'TASK_SKIPPED', retryable: true },
  })
  expect(await tenant.readQuotaUsage('maxMessagesPerMonth')).toBe(before)
})

it('expire on the clock of the environment, and give the quota back', async () => {
  const { id } = await queue('Hola')
  const { expiresAt } = (await list()).data[0]!
  const now = new Date(Date.parse(expiresAt) + 1000).toISOString()
  expect((await tenant.call('POST', '/sandbox/clock', { body: { now } })).status).toBe(200)
  expect((await list('status=expired')).data).toMatchObject([{ id, status: 'expired' }])
  expect(await readMessage(tenant, id)).toMatchObject({
    status: 'failed',
    failure: { code: 'TASK_EXPIRED' },
  })
  expect(await tenant.readQuotaUsage('maxMessagesPerMonth')).toBe(0)
})

it('are not opened for a person who opted out meanwhile', async () => {
  const { id } = await queue('Hola')
  const body = { identifiers: [{ kind: 'phone', value: '+34612345678' }], kind: 'opt_out' }
  expect((await tenant.call('POST', '/suppressions', { body })).status).toBeLessThan(300)
  // The opt-out fails what is queued for the person.
  expect(await open(id)).toMatchObject({ status: 422, body: { code: 'NOT_CONTACTABLE' } })
  expect((await list()).data).toEqual([])
  expect(await readMessage(tenant, id)).toMatchObject({ status: 'failed', failure: { code: 'OPTED_OUT' } })
})
