/**
 * The fault table of chat: people write and are answered while WhatsApp, its callbacks and the program's processes
 * fail. What the simulator accepted and posted is the truth: no message may be lost, and none may arrive twice.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { startWhatsapp, type WhatsappSimulator } from '../src/simulator/whatsapp/index.ts'
import { type ChatAccount, callApi } from './chat-accounts.ts'
import { type Case, type Context, cases, people } from './chat-fault-cases.ts'
import {
  countSent,
  messagesEach,
  queueMessages,
  type Row,
  readStatuses,
  settleMaxMs,
  waitForConversations,
  waitUntilSent,
} from './chat-fault-messages.ts'
import { runMailCase, runTelegramCase } from './chat-provider-faults.ts'
import { openFaultDeployment } from './fault-deployment.ts'
import type { Ratios } from './guard.ts'

export async function run(): Promise<void> {
  // At the same time: each of them has a deployment of its own, and mostly waits.
  const rows = (await Promise.all([runCases(cases, printRow), runProviderCases(printRow)])).flat()
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
    const key = await deployment.createKey('live')
    return await runCasesIn({ deployment, whatsapp, key }, selected, onRow)
  } finally {
    await stack.disposeAsync()
  }
}

/** The cases of other providers, whose people do not answer. */
async function runProviderCases(onRow: (row: Row) => void): Promise<Row[]> {
  const rows: Row[] = []
  for (const runOne of [runTelegramCase, runMailCase]) {
    const row = await runOne()
    rows.push(row)
    onRow(row)
  }
  return rows
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
  const queued = await queueMessages(context, conversations, `del caso ${index}`)
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
  const outbound = countSent(whatsapp.accepted.slice(from.accepted).map(toText), queued, statuses)
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

const toText = ({ body }: WhatsappSimulator['accepted'][number]): string =>
  (body.text as { body?: string } | undefined)?.body ?? ''

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
  return waitForConversations(deployment, account.id, greeting)
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
