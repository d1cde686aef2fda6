/** A person who writes STOP, over HTTP: refused at once, confirmed once, final, in every language. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { connectAccount, readMessage, send } from '../../../test/messaging.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'

let app: TestApp
let tenant: TestTenant
let accountId: string
beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app)
  await tenant.limitQuota('maxMessagesPerMonth', 20)
  accountId = await connectAccount(tenant, 'sandbox')
})
afterAll(() => app.stop())

interface Said {
  conversationId: string
  leadId: string
}
const say = async (from: string, text: string): Promise<Said> => {
  const body = { accountId, from, text }
  const reply = await tenant.call<Said>('POST', '/sandbox/messages', { body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}
/** As if the provider wanted no message for a while: they stay queued. */
const pause = (until: Date | null) =>
  tenant.inTenant(tx =>
    tx
      .updateTable('accounts')
      .set({ paused_until: until })
      .where('tenant_id', '=', tenant.tenantId)
      .where('id', '=', accountId)
      .execute(),
  )
const settle = async () => {
  const { body } = await tenant.call<{ now: string }>('GET', '/sandbox/clock')
  const now = new Date(Date.parse(body.now) + 60_000).toISOString()
  const moved = await tenant.call('POST', '/sandbox/clock', { body: { now } })
  expect(moved.status, moved.text).toBe(200)
}
const listReceived = async (to: string) => {
  const { body } = await tenant.call<{ data: { text: string }[] }>(
    'GET',
    `/sandbox/messages?to=${encodeURIComponent(to)}`,
  )
  return body.data.map(({ text }) => text)
}

const cases = [
  ['+34612345601', 'No me escribas más', 'ALTA', 'De acuerdo: no volveremos a escribirte por este canal.'],
  ['+34612345602', 'No m’escriguis més', 'alta', 'D’acord: no et tornarem a escriure per aquest canal.'],
  [
    '+34612345603',
    'Non me escribas máis',
    'retomar',
    'De acordo: non che volveremos escribir por esta canle.',
  ],
  ['+34612345604', 'Ez idatzi gehiago', 'hasi', 'Ados: ez dizugu gehiago idatziko bide honetatik.'],
  [
    '+34612345605',
    'Não me escreva mais',
    'retomar',
    'Está bem: não voltaremos a escrever-lhe por este canal.',
  ],
  ['+34612345606', 'Basta messaggi', 'riprendi', 'Va bene: non ti scriveremo più su questo canale.'],
  [
    '+34612345607',
    'Stop messaging me',
    'opt me in',
    'All right: we will not write to you again through this channel.',
  ],
  ['+34612345608', 'Ne m’écrivez plus', 'reprendre', 'C’est noté : nous ne vous écrirons plus par ce canal.'],
  [
    '+34612345609',
    'Lassen Sie mich in Ruhe',
    'fortsetzen',
    'In Ordnung: Wir schreiben Ihnen auf diesem Weg nicht mehr.',
  ],
] as const

const readUsage = () => tenant.readQuotaUsage('maxMessagesPerMonth')

test('STOP in nine languages ends the messages at once and for good, and is confirmed once', async () => {
  const people = await Promise.all(
    cases.map(async ([phone, refusal, wish, confirmation]) => ({
      phone,
      refusal,
      wish,
      confirmation,
      ...(await say(phone, 'Hola')),
    })),
  )
  const sayAll = (key: 'refusal' | 'wish') =>
    Promise.all(people.map(person => say(person.phone, person[key])))
  await pause(new Date('2999-01-01'))
  const queued: string[] = []
  for (const { conversationId } of people)
    for (const text of ['First offer', 'Second offer'])
      queued.push((await send(tenant, conversationId, { text })).id)
  expect(await readUsage()).toBe(18)
  await sayAll('refusal')
  for (const id of queued)
    expect(await readMessage(tenant, id)).toMatchObject({ status: 'failed', failure: { code: 'OPTED_OUT' } })
  expect(await readUsage()).toBe(0)
  await pause(null)
  await sayAll('refusal')
  await sayAll('wish')
  for (const { conversationId } of people) {
    const path = `/conversations/${conversationId}/messages`
    expect((await tenant.call('POST', path, { body: { text: 'One more' } })).status).toBe(422)
  }
  await settle()
  for (const { phone, confirmation } of people) expect(await listReceived(phone)).toEqual([confirmation])
  const { body: events } = await tenant.call<{ data: { data: { leadId: string; channel: string } }[] }>(
    'GET',
    '/events?types=lead.opted_out&limit=100',
  )
  expect(events.data.map(({ data }) => [data.leadId, data.channel]).toSorted()).toEqual(
    people.map(({ leadId }) => [leadId, 'chat']).toSorted(),
  )
})
