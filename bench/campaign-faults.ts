/**
 * The fault table of campaigns: people get two steps, reply and opt out while messages are planned, queued and claimed, and processes are
 * killed at every step. What the Graph API of the benchmark was sent is the truth: no message may be lost, none may be sent twice, and none
 * may be claimed after the opt-out of its person.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { getTenantId } from '../src/kit/db/context.ts'
import { sql } from '../src/kit/db/index.ts'
import {
  type CampaignApi,
  joinPeople,
  makeApprovedTemplate,
  makeCampaign,
  startAt,
} from './campaign-accounts.ts'
import {
  type CampaignFaultDeployment,
  type Case,
  type Context,
  cases,
  stepNames,
} from './campaign-fault-cases.ts'
import { readOutcome, recordClaims, watchSent } from './campaign-fault-outcome.ts'
import { type ChatAccount, callApi, connectAccounts, makeInboundBody, signBody } from './chat-accounts.ts'
import { openFaultDeployment } from './fault-deployment.ts'
import type { Ratios } from './guard.ts'
import { type AcceptedMessage, type RecordingGraph, startRecordingGraph } from './recording-graph.ts'

/** Of all cases together. */
const recipients = Number(process.env.CAMPAIGN_FAULT_RECIPIENTS ?? 10_000)
/** Which cases run. */
const faults = new RegExp(process.env.CAMPAIGN_FAULTS ?? '')
const shortRecipients = 400
/** A campaign has an account of its own. */
const accountCount = 4
/** Without progress. */
const settleMaxMs = 180_000
const quickFaults = /^none|claim and send|send and record|after a plan/

/** The last column says what is wrong. */
type Row = Record<string, string | number> & { ' ': string }

export async function run(): Promise<void> {
  const selected = cases.filter(({ fault }) => faults.test(fault))
  const rows = await runCases(selected, Math.ceil(recipients / selected.length), printRow)
  const wrong = rows.filter(isWrong).length
  console.log(
    `campaign faults, ${rows.length - wrong} of ${rows.length} as expected; a tenth of the people reply, a fifth opt out`,
  )
  console.table(rows)
}

export async function short(): Promise<Ratios> {
  const selected = cases.filter(({ fault }) => quickFaults.test(fault))
  const rows = await runCases(selected, Math.ceil(shortRecipients / selected.length))
  const wrong = rows.filter(isWrong)
  if (wrong.length > 0) console.table(wrong)
  return { 'faults that lose and double nothing': 1 - wrong.length / rows.length }
}

const isWrong = (row: Row) => row[' '] !== ''

/** Printed when a case ends: the whole table takes minutes. */
const printRow = ({ fault, ' ': problem, seconds }: Row) => console.log(`${fault}: ${seconds} s ${problem}`)

async function runCases(selected: Case[], count: number, onRow?: (row: Row) => void): Promise<Row[]> {
  const stack = new AsyncDisposableStack()
  try {
    const graph = await startRecordingGraph()
    stack.defer(() => graph.close())
    const deployment = await openFaultDeployment(
      stack,
      {},
      { CHAT_URLS: `whatsapp_cloud=${graph.url}/v23.0` },
    )
    return await runCasesIn({ deployment, graph }, selected, count, onRow)
  } finally {
    await stack.disposeAsync()
  }
}

/** Runs one case after the other. `count`: recipients of each. */
export async function runCasesIn(
  { deployment, graph }: { deployment: CampaignFaultDeployment; graph: RecordingGraph },
  selected: Case[],
  count: number,
  onRow: (row: Row) => void = () => {},
): Promise<Row[]> {
  const rows: Row[] = []
  for (const one of selected) {
    // A workspace of its own, so that a case has no messages of another one.
    const key = await deployment.createKey(one.environment ?? 'live')
    // In the test environment, all people write through the API.
    await deployment.query('update aldaba.workspaces set requests_per_minute = 1000000', [])
    const accounts = await connectAccounts(deployment.url, key, 'whatsapp_cloud', accountCount)
    const [tenant] = await deployment.query<{ id: string }>(
      'select tenant_id as id from aldaba.accounts where id = $1',
      [accounts[0]!.id],
    )
    const api: CampaignApi = { url: deployment.url, key, database: deployment, tenantId: tenant!.id }
    const context: Context = {
      deployment,
      graph,
      api,
      campaignIds: [],
      others: [],
      claimedAtDeath: new Set(),
    }
    const row = await runCase(one, context, { accounts, count: Math.ceil(count / accountCount) })
    rows.push(row)
    onRow(row)
  }
  return rows
}

async function runCase(
  one: Case,
  context: Context,
  { accounts, count }: { accounts: ChatAccount[]; count: number },
): Promise<Row> {
  const { graph, api, campaignIds, deployment } = context
  const startedMs = performance.now()
  await recordClaims(context)
  const phones: { phone: string; account: ChatAccount }[] = []
  for (const account of accounts) {
    const steps = []
    for (const name of stepNames)
      steps.push({
        templateId: await makeApprovedTemplate(api, account.id, `${name} ${account.number}`),
        delayMinutes: steps.length === 0 ? 0 : (one.delayMinutes ?? 0),
      })
    const id = await makeCampaign(api, account.id, { steps, health: { minSends: 100_000 } })
    const joined = await joinPeople(api, id, count)
    phones.push(...joined.phones.map(phone => ({ phone, account })))
    campaignIds.push(id)
  }
  graph.accepted.length = 0
  graph.latencyMs = 0
  await one.before?.(context)
  const people = createPeople(phones, context, one)
  graph.onAccepted = people.answer
  const endWatch = one.environment === 'test' ? watchSent(context) : null
  for (const id of campaignIds) await startAt(api, id, { at: new Date(), gapMs: 0 })
  const optingOut = people.optOutAtOnce()
  let problem = ''
  try {
    await one.after?.(context)
  } catch (error) {
    problem = (error as Error).message
  }
  await waitUntilEnded(context)
  await optingOut
  await people.settle()
  await endWatch?.()
  graph.onAccepted = null
  const outcome = await readOutcome(context, { count: phones.length, written: people.written })
  if (outcome.lost + outcome.doubled + outcome.late > 0) problem ||= 'lost, doubled or sent after an opt-out'
  if (outcome.unknown > context.claimedAtDeath.size) problem ||= 'too many unknown'
  for (const other of context.others) await other.kill()
  await deployment.worker.replace()
  return {
    fault: one.fault,
    due: phones.length,
    sent: graph.accepted.length,
    'both steps': outcome.completed,
    'stopped by a reply': outcome.replied,
    'by an opt-out': outcome.optedOut,
    lost: outcome.lost,
    doubled: outcome.doubled,
    'claimed after the opt-out': outcome.late,
    'claimed at death': context.claimedAtDeath.size,
    unknown: outcome.unknown,
    seconds: Math.round((performance.now() - startedMs) / 1000),
    ' ': problem && `← WRONG: ${problem}`,
  }
}

/** A tenth answers the first message, a tenth answers it with STOP, and a tenth opts out while messages are planned. */
function createPeople(
  all: { phone: string; account: ChatAccount }[],
  { api: { url, key } }: Context,
  { environment }: Case,
) {
  const indexByPhone = new Map(all.map(({ phone }, index) => [phone.replace('+', ''), index]))
  const posts = new Set<Promise<void>>()
  const written = new Set<string>()
  const write = (index: number, text: string) => {
    const { phone, account } = all[index]!
    written.add(phone)
    const body = { accountId: account.id, from: phone, text }
    const posting =
      environment === 'test'
        ? () => callApi(url, key, 'POST', '/sandbox/messages', body)
        : toPosting(account, makeInboundBody(account.number, Number(phone.slice(4)), text))
    const posted = repeat(posting).finally(() => posts.delete(posted))
    posts.add(posted)
  }
  return {
    written,
    answer({ to, template }: AcceptedMessage) {
      const index = indexByPhone.get(to)
      if (index === undefined || !template.startsWith('first')) return
      if (index % 10 === 0) write(index, 'Sí, llámeme')
      if (index % 10 === 1) write(index, 'STOP')
    },
    async optOutAtOnce() {
      for (const [index] of all.entries())
        if (index % 10 === 2) {
          write(index, 'STOP')
          await sleep(5)
        }
    },
    async settle() {
      while (posts.size > 0) await Promise.all(posts)
    },
  }
}

/** Posts as WhatsApp does. */
function toPosting({ webhook }: ChatAccount, body: string): () => Promise<unknown> {
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signBody(body) }
  return async () => {
    const { ok, status } = await fetch(webhook!.url, { method: 'POST', headers, body })
    if (!ok) throw new Error(`a webhook was answered with ${status}`)
  }
}

/** Posts until it is taken. */
async function repeat(posting: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      await posting()
      return
    } catch (error) {
      if (tries === 100) throw error
      await sleep(200)
    }
}

/** Waits until nobody waits for a step, or until nothing changes any more. */
async function waitUntilEnded({ deployment, api, graph }: Context): Promise<void> {
  const read = () =>
    deployment.withTenant(api, async tx => {
      const { rows } = await sql<{ active: number }>`
        select count(*)::int as active from campaign_recipients
        where tenant_id = ${getTenantId(tx)} and status in ('waiting', 'planned', 'queued')`.execute(tx)
      return rows[0]!.active
    })
  let last = ''
  let changedMs = performance.now()
  for (;;) {
    const active = await read().catch(() => -1)
    if (active === 0) return
    const state = `${active} ${graph.accepted.length}`
    if (state !== last) changedMs = performance.now()
    last = state
    if (performance.now() - changedMs > settleMaxMs) return
    await sleep(200)
  }
}

if (import.meta.main) await run()
