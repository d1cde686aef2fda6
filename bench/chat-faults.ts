/**
 * The fault table of chat: people write and are answered while WhatsApp, its callbacks and the program's processes
 * fail. What the simulator accepted and posted is the truth: no message may be lost, and none may arrive twice.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { startWhatsapp, type WhatsappSimulator } from '../src/simulator/whatsapp/index.ts'
import { type ChatAccount, callApi } from './chat-accounts.ts'
import { type Case, type Context, cases, waitUntilReady } from './chat-fault-cases.ts'
import { type FaultDeployment, openFaultDeployment } from './fault-deployment.ts'
import type { Ratios } from './guard.ts'

const people = 8
/** Messages to each person. */
const messagesEach = 3
const settleMaxMs = 150_000

export async function run(): Promise<void> {
  const rows = await runCases(cases)
  const wrong = rows.filter(isWrong).length
  console.log(
    `chat faults, ${rows.length - wrong} of ${rows.length} as expected; ${people} people write, get ${messagesEach} messages each and answer each one`,
  )
  console.table(rows)
}

const quickFaults = /^none|429|reply is cut|claim and send|send and record|stored a body/

export async function short(): Promise<Ratios> {
  const rows = await runCases(cases.filter(({ fault }) => quickFaults.test(fault)))
  const wrong = rows.filter(isWrong)
  if (wrong.length > 0) console.table(wrong)
  return { 'faults that lose and double nothing': 1 - wrong.length / rows.length }
}

type Row = Record<string, string | number> & { ' ': string }
const isWrong = (row: Row) => row[' '] !== ''

async function runCases(selected: Case[]): Promise<Row[]> {
  const stack = new AsyncDisposableStack()
  try {
    return await runInDeployment(selected, stack)
  } finally {
    await stack.disposeAsync()
  }
}

async function runInDeployment(selected: Case[], stack: AsyncDisposableStack): Promise<Row[]> {
  const whatsapp = await startWhatsapp({ seed: 20 })
  stack.defer(() => whatsapp.close())
  const deployment = await openFaultDeployment(stack, {}, { CHAT_URLS: `whatsapp_cloud=${whatsapp.url}` })
  const key = await deployment.createLiveKey()
  const account = await callApi<ChatAccount>(deployment.url, key, 'POST', '/accounts', {
    provider: 'whatsapp_cloud',
    mode: 'chat',
    displayName: 'Faults',
    credentials: whatsapp.credentials,
  })
  whatsapp.setWebhook(account.webhook!.url)
  const context: Context = { deployment, whatsapp, key, account, secondWorker: null }
  const rows: Row[] = []
  for (const [index, one] of selected.entries()) rows.push(await runCase(one, index, context))
  return rows
}

async function runCase(one: Case, index: number, context: Context): Promise<Row> {
  const { whatsapp, deployment } = context
  const startedMs = performance.now()
  const from = { accepted: whatsapp.accepted.length, posted: whatsapp.posted.length }
  const conversations = await startConversations(context, index)
  await one.before?.(context)
  const ids = await queueMessages(context, conversations, index)
  await one.after?.(context)
  const statuses = await waitForMessages(context, ids)
  whatsapp.faults.clear()
  whatsapp.setCallbackFaults({})
  await whatsapp.settle()
  await context.secondWorker?.kill()
  context.secondWorker = null
  const sent = countSent(whatsapp.accepted.slice(from.accepted), ids)
  const inbound = await countReceived(deployment, whatsapp.posted.slice(from.posted))
  const lost = ids.filter(id => !sent.has(id) && !['failed', 'unknown'].includes(statuses.get(id)!)).length
  const doubled = [...sent.values()].filter(count => count > 1).length
  const unknown = [...statuses.values()].filter(status => status === 'unknown').length
  const failed = [...statuses.values()].filter(status => status === 'failed').length
  const isRight =
    lost + doubled + inbound.lost + inbound.doubled === 0 &&
    unknown <= (one.unknownMax ?? 0) &&
    failed <= (one.failedMax ?? 0)
  return {
    fault: one.fault,
    queued: ids.length,
    sent: sent.size,
    unknown,
    failed,
    lost,
    doubled,
    'written by people': inbound.written,
    'lost ': inbound.lost,
    'doubled ': inbound.doubled,
    seconds: Math.round((performance.now() - startedMs) / 1000),
    ' ': isRight ? '' : '← WRONG',
  }
}

/** New people write to the account, because WhatsApp allows only answers. Returns their conversations. */
async function startConversations(
  { deployment, whatsapp, account }: Context,
  index: number,
): Promise<string[]> {
  const greeting = `Buenos días, caso ${index}`
  const phones = Array.from({ length: people }, (_, n) => `+346${String(index * 100 + n + 10_000_000)}`)
  for (const [n, phone] of phones.entries())
    whatsapp
      .addPerson({
        name: `Persona ${n}`,
        phone,
        userId: `ES.${phone.slice(1)}`,
        answer: () => `Respuesta ${n}`,
      })
      .write(greeting)
  for (;;) {
    const rows = await deployment.query<{ id: string }>(
      'select distinct conversation_id as id from aldaba.messages where account_id = $1 and text = $2',
      [account.id, greeting],
    )
    if (rows.length === people) return rows.map(({ id }) => id)
    await sleep(100)
  }
}

/** A request that a dying process leaves open is repeated with the same key. */
async function queueMessages(
  { deployment, key }: Context,
  conversations: string[],
  index: number,
): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < messagesEach; n++)
    for (const conversation of conversations) {
      const body = JSON.stringify({ text: `Mensaje ${n} del caso ${index}` })
      const headers = {
        'x-api-key': key,
        'content-type': 'application/json',
        'idempotency-key': `${index}-${n}-${conversation}`,
      }
      for (;;) {
        const url = `${deployment.url}/public/v1/conversations/${conversation}/messages`
        const reply = await fetch(url, { method: 'POST', headers, body }).catch(() => null)
        if (reply?.status === 202) {
          ids.push(((await reply.json()) as { id: string }).id)
          break
        }
        if (reply && reply.status < 500 && reply.status !== 429) throw new Error(await reply.text())
        if (!reply) await restartDeadApi(deployment)
        await sleep(200)
      }
    }
  return ids
}

async function restartDeadApi(deployment: FaultDeployment): Promise<void> {
  await sleep(500)
  if (deployment.api.hasEnded()) await deployment.api.replace()
  await waitUntilReady(deployment)
}

/** Waits until no message is queued, or until the time is over. Returns the status of each. */
async function waitForMessages({ deployment }: Context, ids: string[]): Promise<Map<string, string>> {
  const deadlineMs = performance.now() + settleMaxMs
  for (;;) {
    const rows = await deployment.query<{ id: string; status: string }>(
      'select id, status from aldaba.messages where id = any($1)',
      [ids],
    )
    if (rows.every(({ status }) => status !== 'queued') || performance.now() > deadlineMs)
      return new Map(rows.map(({ id, status }) => [id, status]))
    await sleep(200)
  }
}

/** How often WhatsApp accepted each message. It returns our id with every status. */
function countSent(accepted: WhatsappSimulator['accepted'], ids: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { body } of accepted) {
    const id = String(body.biz_opaque_callback_data)
    if (ids.includes(id)) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}

/** Compares the messages in the bodies that were answered with 200 with the stored ones. */
async function countReceived(deployment: FaultDeployment, posted: WhatsappSimulator['posted']) {
  const ids = new Set(
    posted
      .filter(({ status }) => status === 200)
      .flatMap(({ body }) => [...body.matchAll(/"id":"(wamid\.[^"]+)","timestamp":"\d+","type"/g)])
      .map(([, id]) => id!),
  )
  const deadlineMs = performance.now() + settleMaxMs
  for (;;) {
    const rows = await deployment.query<{ count: number }>(
      `select count(*)::int as count from aldaba.messages where direction = 'in' and provider_message_id = any($1)
       group by provider_message_id`,
      [[...ids]],
    )
    const lost = ids.size - rows.length
    if (lost === 0 || performance.now() > deadlineMs)
      return { written: ids.size, lost, doubled: rows.filter(({ count }) => count > 1).length }
    await sleep(200)
  }
}

if (import.meta.main) await run()
