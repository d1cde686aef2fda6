/** Processes that die while they send: no message is lost, and none is repeated blindly. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createCampaignTrial } from '../../../../test/campaign-trial.ts'
import type { FakeProvider } from '../../../../test/chat-provider.ts'
import { createFakeProvider } from '../../../../test/chat-provider.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  connectAccount,
  makeContact,
  openConversation,
  readMessage,
  send,
  waitForStatus,
} from '../../../../test/messaging.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { chatProviders } from '../../../plugins/chat/index.ts'
import { applyStatuses } from '../messages/apply-status.ts'

let api: TestApp
let worker: TestApp
const fake: FakeProvider = createFakeProvider()
const trial = createCampaignTrial()
let tenant: TestTenant
let accountId: string
let conversationId: string
let file: string
/** What the worker that survives has sent. */
let resent: string[]

beforeAll(async () => {
  api = await startTestApp({ chatProviders: [...chatProviders, fake], env: { ROLE: 'api' } })
})
afterAll(() => api.stop())

beforeEach(async () => {
  file = join(tmpdir(), `sent-${randomUUID()}`)
  resent = []
  Object.assign(trial, { decide: () => ({ kind: 'send' }), ends: [] })
  fake.capabilities = { ...fake.capabilities, idempotent: false }
  delete fake.reconcile
  fake.send = async (_connection, { id }) => {
    resent.push(id)
    return { status: 'sent', providerMessageId: id }
  }
  tenant = await makeTenant(api, 'live')
  accountId = await connectAccount(tenant)
  conversationId = (await openConversation(tenant, accountId, await makeContact(tenant, '+34612345678'))).id
})

const readHanded = () => {
  try {
    return readFileSync(file, 'utf8').trim().split('\n')
  } catch {
    return []
  }
}

/** Sends what is due in a process that dies at this moment. */
async function dieAt(moment: string): Promise<void> {
  const ended = await new Promise<string>(resolve => {
    const args = ['test/killed-sender.ts', api.config.databaseUrl!, tenant.tenantId, accountId, moment, file]
    const child = execFile(process.execPath, args, { timeout: 200_000 }, (_error, _out, stderr) =>
      resolve(`${child.signalCode} ${stderr}`),
    )
  })
  expect(ended).toBe('SIGKILL ')
}

/** Lets this much time pass, and then sends what is due in another process until the test ends. */
async function letPass(minutes: number): Promise<void> {
  await tenant.inTenant(tx =>
    sql`
      update messages set claimed_at = claimed_at - make_interval(mins => ${minutes}), next_attempt_at = next_attempt_at - make_interval(mins => ${minutes})
      where tenant_id = ${tenant.tenantId} and claimed_at is not null`.execute(tx),
  )
}
async function withWorker(work: () => Promise<void>): Promise<void> {
  worker = await startTestApp({
    chatProviders: [...chatProviders, fake],
    databaseUrl: api.config.databaseUrl!,
    extraFeatures: [trial.feature],
  })
  try {
    await work()
  } finally {
    await worker.stop()
  }
}

describe.each(['after the claim', 'after it was sent'])('killed %s', moment => {
  test('a provider that recognizes repeated messages gets it again, with the same id', async () => {
    fake.capabilities = { ...fake.capabilities, idempotent: true }
    const { id } = await send(tenant, conversationId, { text: '1' })
    await dieAt(moment)
    await letPass(3)
    await withWorker(async () => void (await waitForStatus(tenant, id, 'sent')))
    expect(resent).toEqual([id])
  })

  test('a provider that can tell is asked; the message is not repeated', async () => {
    fake.reconcile = async (_connection, message) =>
      readHanded().includes(message.id) ? { status: 'sent', providerMessageId: message.id } : null
    const { id } = await send(tenant, conversationId, { text: '1' })
    await dieAt(moment)
    await letPass(moment === 'after the claim' ? 17 : 3)
    const expected = moment === 'after the claim' ? 'unknown' : 'sent'
    await withWorker(async () => void (await waitForStatus(tenant, id, expected)))
    expect(resent).toEqual([])
  })

  test('without either, the callback decides, and after a quarter of an hour a person; later messages wait', async () => {
    const first = await send(tenant, conversationId, { text: '1' })
    const second = await send(tenant, conversationId, { text: '2' })
    await dieAt(moment)
    await letPass(17)
    await withWorker(async () => {
      await waitForStatus(tenant, first.id, 'unknown')
      await waitForStatus(tenant, second.id, 'sent')
    })
    expect(resent).toEqual([second.id])
    const report = {
      providerMessageId: 'p-1',
      messageId: first.id,
      status: 'delivered' as const,
      at: new Date(),
      failure: null,
    }
    expect(await tenant.inTenant(tx => applyStatuses(tx, accountId, [report]))).toEqual([])
    expect(await readMessage(tenant, first.id)).toMatchObject({ status: 'delivered' })
  })
})

describe('a message of a campaign whose sender was killed after the claim', () => {
  async function queue(): Promise<string> {
    fake.capabilities = { ...fake.capabilities, idempotent: true }
    const { id } = await send(tenant, conversationId, { text: '1' })
    await tenant.inTenant(tx =>
      sql`
        update messages set campaign_id = ${randomUUID()}, send_at = created_at
        where tenant_id = ${tenant.tenantId} and id = ${id}`.execute(tx),
    )
    return id
  }

  test('is sent once, if the campaign still sends it', async () => {
    const id = await queue()
    await dieAt('after the claim')
    await letPass(3)
    await withWorker(async () => void (await waitForStatus(tenant, id, 'sent')))
    expect(resent).toEqual([id])
    expect(trial.ends).toMatchObject([{ messageId: id, status: 'sent' }])
  })

  test.each([
    { kind: 'withdraw' as const, failure: { code: 'REPLIED', message: 'The person has written.' } },
    {
      kind: 'defer' as const,
      until: new Date(Date.now() + 3_600_000),
      waitReason: { code: 'WINDOW_CLOSED', message: 'It waits for the window.' },
    },
  ])('is not sent again, if the campaign says $kind: it may have been sent', async decision => {
    trial.decide = () => decision
    const id = await queue()
    await dieAt('after the claim')
    await letPass(17)
    await withWorker(async () => void (await waitForStatus(tenant, id, 'unknown')))
    expect(resent).toEqual([])
    expect(trial.ends).toMatchObject([{ messageId: id, status: 'unknown' }])
  })
})
