/** Campaigns whose messages people send by hand. */
import { isDeepStrictEqual } from 'node:util'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  joinLeads,
  listRecipients,
  makeContacts,
  makeSequence,
  setStatus,
  wait,
} from '../../../../test/sequences.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { deleteCampaignRow } from '../campaigns/queries.ts'

let app: TestApp
let tenant: TestTenant

beforeAll(async () => {
  app = await shareTestApp()
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
})

interface Task {
  id: string
  leadId: string
  status: string
}

const listTasks = async (query = ''): Promise<Task[]> =>
  (await tenant.call<{ data: Task[] }>('GET', `/messaging/tasks?limit=200${query}`)).body.data
const openTask = (id: string) => tenant.call('POST', `/messaging/tasks/${id}/open`)
const finish = (id: string) => tenant.call('PATCH', `/messaging/tasks/${id}`, { body: { status: 'done' } })

async function connectPhone(): Promise<string> {
  const body = {
    provider: 'manual',
    mode: 'chat-no-api',
    displayName: 'Ana',
    credentials: { phone: '+34600000001' },
  }
  return (await tenant.call<{ id: string }>('POST', '/accounts', { body })).body.id
}

/** A running campaign with an open task for each recipient. */
async function start(count: number, schedule?: { endAt: string }) {
  const accountId = await connectPhone()
  const { id } = await makeSequence(tenant, {
    accountId,
    contactMode: 'chat-no-api',
    steps: [{}, { delayMinutes: 1440 }],
    ...(schedule ? { schedule } : {}),
  })
  await joinLeads(tenant, id, await makeContacts(tenant, count))
  await setStatus(tenant, id, 'running')
  await wait(tenant, 1)
  const tasks = await listTasks()
  expect(tasks).toHaveLength(count)
  return { id, accountId, tasks }
}

const readStatuses = async (id: string) =>
  (await listRecipients(tenant, id)).map(({ status, step }) => `${status} ${step}`).sort()

/** Messages are withdrawn by a job. */
const waitForStatuses = (id: string, expected: string[]) =>
  eventually(
    () => readStatuses(id),
    statuses => isDeepStrictEqual(statuses, expected),
  )

test('a task that somebody has opened survives a pause, so that nobody gets the message twice', async () => {
  const { id, tasks } = await start(3)
  const [opened] = tasks as [Task]
  expect((await openTask(opened.id)).status).toBe(200)
  await setStatus(tenant, id, 'paused')
  await waitForStatuses(id, ['queued 0', 'waiting 0', 'waiting 0'])
  expect(await listTasks()).toMatchObject([{ id: opened.id, status: 'opened' }])
  expect(await openTask(opened.id)).toMatchObject({ status: 422, body: { code: 'CAMPAIGN_HOLDS' } })
  await setStatus(tenant, id, 'running')
  await wait(tenant, 1)
  const open = await listTasks()
  expect(open).toHaveLength(3)
  expect(new Set(open.map(({ leadId }) => leadId)).size).toBe(3)
  expect((await finish(opened.id)).status).toBe(200)
  expect(await readStatuses(id)).toEqual(['queued 0', 'queued 0', 'waiting 1'])
})

test('a task that is done after the end of the campaign is the last one', async () => {
  const { id, tasks } = await start(2, { endAt: new Date(Date.now() + 3_600_000).toISOString() })
  const [opened] = tasks as [Task]
  expect((await openTask(opened.id)).status).toBe(200)
  await wait(tenant, 70)
  await waitForStatuses(id, ['queued 0', 'stopped 0'])
  expect((await finish(opened.id)).status).toBe(200)
  expect(await listRecipients(tenant, id)).toMatchObject([
    { status: 'stopped', reason: { code: 'ENDED' } },
    { status: 'stopped', reason: { code: 'ENDED' } },
  ])
})

test('an account that is disconnected keeps the tasks that were opened', async () => {
  const { id, accountId, tasks } = await start(2)
  const [opened] = tasks as [Task]
  expect((await openTask(opened.id)).status).toBe(200)
  expect((await tenant.call('DELETE', `/accounts/${accountId}`)).status).toBeLessThan(300)
  await waitForStatuses(id, ['queued 0', 'waiting 0'])
  expect((await finish(opened.id)).status).toBe(200)
  expect(await readStatuses(id)).toEqual(['waiting 0', 'waiting 1'])
})

test('who answers on the phone of the agency gets nothing more when a user notes it as the status of the lead', async () => {
  const { id, tasks } = await start(4)
  const [replied, qualified, later] = tasks as [Task, Task, Task]
  const note = (leadId: string, status: string) =>
    tenant.call('PATCH', `/leads/${leadId}`, { body: { status } })
  // Before the first message, it says nothing of an answer.
  expect((await note(later.leadId, 'qualified')).status).toBe(200)
  for (const task of tasks) {
    expect((await openTask(task.id)).status).toBe(200)
    expect((await finish(task.id)).status).toBe(200)
  }
  await waitForStatuses(id, Array(4).fill('waiting 1'))
  await wait(tenant, 1)
  await note(replied.leadId, 'replied')
  await note(qualified.leadId, 'qualified')
  await waitForStatuses(id, ['stopped 1', 'stopped 1', 'waiting 1', 'waiting 1'])
  const stopped = (await listRecipients(tenant, id)).filter(({ status }) => status === 'stopped')
  expect(stopped.map(({ reason }) => reason?.code)).toEqual(['REPLIED', 'REPLIED'])
  const { body } = await tenant.call<{ funnel: { replied: number } }>('GET', `/campaigns/${id}/numbers`)
  expect(body.funnel.replied).toBe(2)
  await wait(tenant, 1440)
  const open = (await listTasks('&status=open')).map(({ leadId }) => leadId)
  expect(open.sort()).toEqual([later.leadId, tasks[3]!.leadId].sort())
})

test('the task of somebody who is taken out is withdrawn, and the others stay', async () => {
  const { id } = await start(2)
  const [first] = await listRecipients(tenant, id)
  expect((await tenant.call('DELETE', `/campaigns/${id}/recipients/${first!.id}`)).status).toBe(204)
  expect(await readStatuses(id)).toEqual(['queued 0', 'stopped 0'])
  const open = (await listTasks()).filter(({ status }) => status === 'open')
  expect(open.map(({ leadId }) => leadId)).not.toContain(first!.leadId)
  expect(open).toHaveLength(1)
})

test('a person who decides not to send is no failure of the campaign', async () => {
  const { id, tasks } = await start(3)
  const change = { settings: { health: { minSends: 2, maxFailureRate: 0.1 } } }
  expect((await tenant.call('PATCH', `/campaigns/${id}`, { body: change })).status).toBe(200)
  for (const task of tasks.slice(0, 2))
    expect(
      (await tenant.call('PATCH', `/messaging/tasks/${task.id}`, { body: { status: 'skipped' } })).status,
    ).toBe(200)
  await waitForStatuses(id, ['queued 0', 'stopped 0', 'stopped 0'])
  await wait(tenant, 5)
  const { body } = await tenant.call<{ status: string; health: unknown }>('GET', `/campaigns/${id}`)
  expect(body.status).toBe('running')
  const numbers = await tenant.call<{ funnel: { failed: number } }>('GET', `/campaigns/${id}/numbers`)
  expect(numbers.body.funnel.failed).toBe(0)
})

test('a task of a campaign that was deleted is done, also while its recipients are still being deleted', async () => {
  const { id, tasks } = await start(2)
  const [opened, other] = tasks as [Task, Task]
  for (const task of [opened, other]) expect((await openTask(task.id)).status).toBe(200)
  await tenant.inTenant(tx => deleteCampaignRow(tx, id))
  expect((await finish(opened.id)).status).toBe(200)
  const body = { status: 'skipped' }
  expect((await tenant.call('PATCH', `/messaging/tasks/${other.id}`, { body })).status).toBe(200)
})
