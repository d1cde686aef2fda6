/**
 * The fault table of chat: people write and are answered while WhatsApp, its callbacks and the program's processes
 * fail. What the simulator accepted and posted is the truth: no message may be lost, and none may arrive twice.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { startWhatsapp, type WhatsappSimulator } from '../src/simulator/whatsapp/index.ts'
import { type ChatAccount, callApi } from './chat-accounts.ts'
import { type Case, type Context, cases, people, waitUntilReady } from './chat-fault-cases.ts'
import { openFaultDeployment } from './fault-deployment.ts'
import type { Ratios } from './guard.ts'

/** Messages to each person. */
const messagesEach = 3
const settleMaxMs = 60_000

export async function run(): Promise<void> {
  const rows = await runCases(cases, printRow)
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

/** Printed when a case ends: the whole table takes minutes. */
const printRow = ({ fault, ' ': problem, ...figures }: Row) =>
  console.log(
    `${fault}: ${Object.entries(figures)
      .map(([name, value]) => `${name.trim()} ${value}`)
      .join(', ')} ${problem}`,
  )

async function runCases(selected: Case[], onRow?: (row: Row) => void): Promise<Row[]> {
  const stack = new AsyncDisposableStack()
  try {
    const whatsapp = await startWhatsapp({ seed: 20 })
    stack.defer(() => whatsapp.close())
    const deployment = await openFaultDeployment(stack, {}, { CHAT_URLS: `whatsapp_cloud=${whatsapp.url}` })
    const key = await deployment.createLiveKey()
    return await runCasesIn({ deployment, whatsapp, key }, selected, onRow)
  } finally {
    await stack.disposeAsync()
  }
}

/** Connects an account, and runs one case after the other. */
export async function runCasesIn(
  { deployment, whatsapp, key }: Pick<Context, 'deployment' | 'whatsapp' | 'key'>,
  selected: Case[],
  onRow: (row: Row) => void = () => {},
): Promise<Row[]> {
  const account = await callApi<ChatAccount>(deployment.url, key, 'POST', '/accounts', {
    provider: 'whatsapp_cloud',
    mode: 'chat',
    displayName: 'Faults',
    credentials: whatsapp.credentials,
  })
  whatsapp.setWebhook(account.webhook!.url)
  const rows: Row[] = []
  for (const [index, one] of selected.entries()) {
    const row = await runCase(one, index, {
      deployment,
      whatsapp,
      key,
      account,
      secondWorker: null,
      apiWasRestarted: false,
      claimedAtDeath: new Set(),
    })
    rows.push(row)
    onRow(row)
  }
  return rows
}

async function runCase(one: Case, index: number, context: Context): Promise<Row> {
  const { whatsapp, deployment } = context
  const startedMs = performance.now()
  const from = { accepted: whatsapp.accepted.length, posted: whatsapp.posted.length }
  const conversations = await startConversations(context, index)
  await one.before?.(context)
  const queued = await queueMessages(context, conversations, index)
  let problem = ''
  try {
    await one.after?.(context)
  } catch (error) {
    problem = (error as Error).message
  }
  await waitUntilSent(context, [...queued.keys()])
  whatsapp.faults.clear()
  whatsapp.setCallbackFaults({})
  await whatsapp.settle()
  const inbound = await countReceived(deployment, whatsapp.posted.slice(from.posted))
  const statuses = await readStatuses(context, [...queued.keys()])
  await context.secondWorker?.kill()
  const outbound = countSent(whatsapp.accepted.slice(from.accepted), queued, statuses)
  const { unknown } = outbound
  if (outbound.lost + outbound.doubled + inbound.lost + inbound.doubled > 0) problem ||= 'lost or doubled'
  if (outbound.failed > 0) problem ||= 'failed'
  if (unknown.length > (one.unknownMax ?? 0)) problem ||= 'too many unknown'
  if (!one.losesCallbacks && unknown.some(id => outbound.sent.has(id))) problem ||= 'unknown though reported'
  const { claimedAtDeath } = context
  if (claimedAtDeath.size > 0 && !unknown.every(id => claimedAtDeath.has(id)))
    problem ||= 'unknown though not claimed'
  return {
    fault: one.fault,
    queued: queued.size,
    sent: outbound.sent.size,
    lost: outbound.lost,
    doubled: outbound.doubled,
    'claimed at death': claimedAtDeath.size,
    unknown: unknown.length,
    received: inbound.received,
    'lost ': inbound.lost,
    'doubled ': inbound.doubled,
    seconds: Math.round((performance.now() - startedMs) / 1000),
    ' ': problem && `← WRONG: ${problem}`,
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
    await sleep(50)
  }
}

/**
 * Returns the text of each message by its id. A request that a dying process leaves open is repeated with the same key.
 */
async function queueMessages(
  context: Context,
  conversations: string[],
  index: number,
): Promise<Map<string, string>> {
  const { deployment, key } = context
  const queued = new Map<string, string>()
  for (let n = 0; n < messagesEach; n++)
    for (const conversation of conversations) {
      const text = `Mensaje ${n} del caso ${index} en ${conversation}`
      const headers = { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': text }
      for (;;) {
        const url = `${deployment.url}/public/v1/conversations/${conversation}/messages`
        const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ text }) }).catch(
          () => null,
        )
        if (reply?.status === 202) {
          queued.set(((await reply.json()) as { id: string }).id, text)
          break
        }
        if (reply && reply.status < 500 && reply.status !== 429) throw new Error(await reply.text())
        if (!reply) await restartDeadApi(context)
        await sleep(50)
      }
    }
  return queued
}

/** A process that is being killed refuses requests before its end is known. */
async function restartDeadApi(context: Context): Promise<void> {
  const { api, url } = context.deployment
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) {
    if (api?.hasEnded()) {
      context.apiWasRestarted = true
      await api.replace()
      await waitUntilReady(context.deployment)
    }
    await sleep(50)
  }
}

/** Waits until no message is queued, or until the time is over. */
async function waitUntilSent(context: Context, ids: string[]): Promise<void> {
  const deadlineMs = performance.now() + settleMaxMs
  while (performance.now() < deadlineMs) {
    if (![...(await readStatuses(context, ids)).values()].includes('queued')) return
    await sleep(100)
  }
}

async function readStatuses({ deployment }: Context, ids: string[]): Promise<Map<string, string>> {
  const rows = await deployment.query<{ id: string; status: string }>(
    'select id, status from aldaba.messages where id = any($1)',
    [ids],
  )
  return new Map(rows.map(({ id, status }) => [id, status]))
}

/** Compares what people were sent with what the program says of it. Texts are unique. */
function countSent(
  accepted: WhatsappSimulator['accepted'],
  queued: Map<string, string>,
  statuses: Map<string, string>,
) {
  const counts = new Map<string, number>()
  for (const { body } of accepted) {
    const text = (body.text as { body?: string } | undefined)?.body ?? ''
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const ids = [...queued.keys()]
  const sent = new Set(ids.filter(id => counts.has(queued.get(id)!)))
  const having = (status: string) => ids.filter(id => statuses.get(id) === status)
  return {
    sent,
    doubled: ids.filter(id => (counts.get(queued.get(id)!) ?? 0) > 1).length,
    unknown: having('unknown'),
    failed: having('failed').length,
    lost: ids.filter(id => !sent.has(id) && !['failed', 'unknown'].includes(statuses.get(id)!)).length,
  }
}

/**
 * Waits until every body that was answered with 200 is processed, and compares its messages with the stored ones.
 */
async function countReceived(
  { query }: Context['deployment'],
  posted: WhatsappSimulator['posted'],
): Promise<{ received: number; lost: number; doubled: number }> {
  const ids = new Set(
    posted
      .filter(({ status }) => status === 200)
      .flatMap(({ body }) => [...body.matchAll(/"id":"(wamid\.[^"]+)","timestamp":"\d+","type"/g)])
      .map(([, id]) => id!),
  )
  const isWaiting = async () =>
    (await query('select from aldaba.inbound_bodies where next_attempt_at is not null limit 1', [])).length >
    0
  const deadlineMs = performance.now() + settleMaxMs
  while ((await isWaiting()) && performance.now() < deadlineMs) await sleep(50)
  const rows = await query<{ count: number }>(
    `select count(*)::int as count from aldaba.messages where direction = 'in' and provider_message_id = any($1)
     group by provider_message_id`,
    [[...ids]],
  )
  return {
    received: rows.length,
    lost: ids.size - rows.length,
    doubled: rows.filter(({ count }) => count > 1).length,
  }
}

if (import.meta.main) await run()
