/** A person whom two campaigns may write to gets the messages of one, and those of the other one when the first has ended for them. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  listRecipients,
  listSent,
  listStates,
  makeContacts,
  makeSequence,
  makeTemplate,
  readCampaign,
  readNow,
  request,
  setStatus,
  wait,
} from '../../../../test/sequences.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const join = (id: string, leadIds: string[]) =>
  request(tenant, 'POST', `/campaigns/${id}/recipients`, { leadIds })
const states = (id: string) => listStates(tenant, id)
const held: [string, string] = ['skipped', 'IN_ANOTHER_CAMPAIGN']
const waiting: [string, null] = ['waiting', null]
/** Sends its second step in ten hours. */
const long = { steps: [{}, { delayMinutes: 600 }] }
const late = { steps: [{ delayMinutes: 60 }] }

async function makeRunning(options: object = {}): Promise<string> {
  const { id } = await makeSequence(tenant, options)
  await setStatus(tenant, id, 'running')
  return id
}

async function makeByMail(options: object = {}): Promise<string> {
  const account = await request<{ id: string }>(tenant, 'POST', '/accounts', {
    provider: 'manual_email',
    mode: 'chat-no-api',
    displayName: 'Ana',
    credentials: { address: 'ana@agency.example' },
  })
  return makeRunning({ accountId: account.id, contactMode: 'chat-no-api', ...options })
}

const eventuallyStates = (id: string, expected: [string, string | null][]) =>
  eventually(
    () => states(id),
    found => JSON.stringify(found) === JSON.stringify(expected),
  )

test('the campaign that may write does, when the one that came first finds no channel', async () => {
  const leadIds = await makeContacts(tenant, 2)
  const byMail = await makeByMail()
  const byChat = await makeRunning(long)
  await join(byMail, leadIds)
  await join(byChat, leadIds)
  await wait(tenant, 2)
  expect(await states(byMail)).toEqual(Array(2).fill(['skipped', 'NO_CHANNEL']))
  await eventually(
    () => listSent(tenant, byChat),
    sent => sent.length === 2,
  )
  expect(await states(byChat)).toEqual(Array(2).fill(['waiting', null]))
})

test('those whom the other campaign leaves out when it starts go on, the others when it has ended for them', async () => {
  const templateId = await makeTemplate(tenant, 'Hola {{ contact.name }}')
  const first = await makeSequence(tenant, { steps: [{ templateId }, { delayMinutes: 600 }] })
  const leadIds = [
    ...(await makeContacts(tenant, 2, { contact_name: null })),
    ...(await makeContacts(tenant, 1)),
  ]
  await join(first.id, leadIds)
  await setStatus(tenant, first.id, 'running')
  const second = await makeRunning(long)
  await join(second, leadIds)
  await wait(tenant, 2)
  await eventually(
    () => listSent(tenant, second),
    sent => sent.length === 2,
  )
  expect(await states(second)).toEqual([['waiting', null], ['waiting', null], held])
  expect((await listRecipients(tenant, second))[2]!.reason?.message).toMatch(
    /in another campaign.* when it has ended/,
  )
  const [, , kept] = await listRecipients(tenant, first.id)
  await tenant.call('DELETE', `/campaigns/${first.id}/recipients/${kept!.id}`)
  await eventually(
    async () => (await listRecipients(tenant, second))[2]!,
    ({ reason }) => reason === null,
  )
})

test('a campaign all of whose people are in another one says so, and begins when that one ends or is deleted', async () => {
  const endAt = new Date((await readNow(tenant)).getTime() + 60 * 60_000).toISOString()
  const [ending, deleted] = [await makeRunning({ ...long, schedule: { endAt } }), await makeRunning(long)]
  const [one, other] = await makeContacts(tenant, 2)
  await join(ending, [one!])
  await join(deleted, [other!])
  const id = await makeRunning(long)
  await join(id, [one!, other!])
  const waiting = await eventually(
    () => readCampaign(tenant, id),
    campaign => campaign.wait !== null && campaign.wait.code !== 'NO_RECIPIENTS',
  )
  expect(waiting.wait).toEqual({
    code: 'LEFT_OUT',
    message:
      'All 2 recipients were left out. The person is in another campaign. They go on here when it has ended for them.',
    until: null,
  })
  await wait(tenant, 61)
  await eventuallyStates(id, [['waiting', null], held])
  await setStatus(tenant, deleted, 'paused')
  await request(tenant, 'DELETE', `/campaigns/${deleted}`)
  await eventually(
    () => states(id),
    ([, second]) => second![1] === null,
  )
  await wait(tenant, 2)
  expect((await listSent(tenant, id)).length).toBe(2)
})

test('another lead of the person goes on when the first one lacks what the template needs', async () => {
  const templateId = await makeTemplate(tenant, 'Hola {{ contact.name }}')
  const phone = '+34655900041'
  const leadIds = [
    ...(await makeContacts(tenant, 1, { phone, contact_name: null })),
    ...(await makeContacts(tenant, 2, { phone })),
  ]
  const id = await makeRunning({ steps: [{ templateId }, { delayMinutes: 600 }] })
  await join(id, leadIds)
  await wait(tenant, 2)
  await eventually(
    () => listSent(tenant, id),
    sent => sent.length === 1,
  )
  expect(await states(id)).toEqual([
    ['skipped', 'MISSING_VARIABLE'],
    ['waiting', null],
    ['skipped', 'SAME_PERSON'],
  ])
})

test('of two who share an address the second stays held up while the first waits for the send window', async () => {
  const now = await readNow(tenant)
  const day = new Date(now.getTime() + 3 * 86_400_000)
  const days = [day.getUTCDay() || 7]
  const id = await makeByMail({ sendWindow: { from: '09:00', to: '10:00', days } })
  await join(id, await makeContacts(tenant, 2, { email: 'paco@example.org' }))
  await eventuallyStates(id, [
    ['waiting', null],
    ['skipped', 'SAME_PERSON'],
  ])
  const { updatedAt } = (await listRecipients(tenant, id))[1]!
  await wait(tenant, 30)
  expect((await listRecipients(tenant, id))[1]).toMatchObject({ status: 'skipped', updatedAt })
})

test('of two campaigns that people join at one moment exactly one writes to each', async () => {
  const leadIds = await makeContacts(tenant, 8)
  const twins = await Promise.all(
    leadIds.map(leadId =>
      tenant
        .call<{ contact: { phone: string } }>('GET', `/leads/${leadId}`)
        .then(({ body }) => body.contact.phone),
    ),
  ).then(async phones => (await Promise.all(phones.map(phone => makeContacts(tenant, 1, { phone })))).flat())
  const [one, other] = [await makeRunning(long), await makeRunning(long)]
  await Promise.all([join(one, leadIds), join(other, twins), join(other, leadIds), join(one, twins)])
  await wait(tenant, 5)
  const sent = [...(await listSent(tenant, one)), ...(await listSent(tenant, other))]
  expect(sent.length).toBe(8)
})

test('a draft holds nobody whom a started campaign may write to, and has them when that one has ended', async () => {
  const [draft, starting] = [await makeSequence(tenant, long), await makeSequence(tenant, long)]
  const leadIds = await makeContacts(tenant, 3)
  await join(draft.id, leadIds)
  await join(starting.id, leadIds.slice(0, 1))
  expect(await states(starting.id)).toEqual([held])
  await setStatus(tenant, starting.id, 'running')
  await eventuallyStates(draft.id, [held, waiting, waiting])
  const running = await makeRunning(late)
  await join(running, leadIds)
  expect(await states(running)).toEqual([held, waiting, waiting])
  expect(await states(draft.id)).toEqual([held, held, held])
  await wait(tenant, 62)
  expect(
    [await listSent(tenant, starting.id), await listSent(tenant, running)].map(sent => sent.length),
  ).toEqual([1, 2])
  await eventuallyStates(draft.id, [held, waiting, waiting])
  await setStatus(tenant, draft.id, 'running')
  await wait(tenant, 2)
  expect((await listSent(tenant, draft.id)).length).toBe(2)
})

test('a draft yields nobody to a campaign that has written to them already, and a paused one yields nobody', async () => {
  const draft = await makeSequence(tenant, late)
  const done = await makeRunning()
  const [known, later] = await makeContacts(tenant, 2)
  await join(done, [known!, ...(await makeContacts(tenant, 1, { phone: null }))])
  await wait(tenant, 2)
  await join(draft.id, [known!, later!])
  await join(done, [known!])
  expect(await states(done)).toEqual([
    ['completed', null],
    ['skipped', 'NO_CHANNEL'],
  ])
  expect(await states(draft.id)).toEqual([waiting, waiting])
  await setStatus(tenant, draft.id, 'running')
  await setStatus(tenant, draft.id, 'paused')
  await join(done, [later!])
  expect((await states(done))[2]).toEqual(held)
  expect(await states(draft.id)).toEqual([waiting, waiting])
})

test('a recipient of a draft that another transaction has locked yields as soon as it is free', async () => {
  const [draft, running] = [await makeSequence(tenant, late), await makeRunning(late)]
  const [leadId] = await makeContacts(tenant, 1)
  await join(draft.id, [leadId!])
  await tenant.inTenant(async tx => {
    await sql`
      select from campaign_recipients where tenant_id = ${tenant.tenantId} and campaign_id = ${draft.id} for update`.execute(
      tx,
    )
    await join(running, [leadId!])
    expect(await states(running)).toEqual([held])
  })
  await eventuallyStates(running, [waiting])
  expect(await states(draft.id)).toEqual([held])
})

test('of two leads that are merged the one in a draft yields, whichever is kept, and has its place again after the undo', async () => {
  const [draft, running] = [await makeSequence(tenant, late), await makeRunning(late)]
  const [one, other] = await makeContacts(tenant, 2)
  await join(draft.id, [one!])
  await join(running, [other!])
  for (const [kept, absorbed] of [
    [one, other],
    [other, one],
  ]) {
    const { mergeId } = await request<{ mergeId: string }>(tenant, 'POST', `/leads/${kept}/merge`, {
      leadId: absorbed,
    })
    expect([await states(draft.id), await states(running)]).toEqual([[held], [waiting]])
    await request(tenant, 'POST', `/leads/${kept}/merges/${mergeId}/undo`)
    await eventuallyStates(draft.id, [waiting])
    expect(await states(running)).toEqual([waiting])
  }
})
