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
import { type CampaignFaultDeployment, type Case, type Context, cases } from './campaign-fault-cases.ts'
import { type ChatAccount, connectAccounts, makeInboundBody, signBody } from './chat-accounts.ts'
import { openFaultDeployment } from './fault-deployment.ts'
import type { Ratios } from './guard.ts'
import { type AcceptedMessage, type RecordingGraph, startRecordingGraph } from './recording-graph.ts'

/** Of all cases together. */
const recipients = Number(process.env.CAMPAIGN_FAULT_RECIPIENTS ?? 10_000)
const shortRecipients = 400
/** A campaign has an account of its own. */
const accountCount = 4
/** Without progress. */
const settleMaxMs = 180_000
const quickFaults = /^none|claim and send|send and record|after a plan/

/** The last column says what is wrong. */
type Row = Record<string, string | number> & { ' ': string }

export async function run(): Promise<void> {
  const rows = await runCases(cases, Math.ceil(recipients / cases.length))
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

async function runCases(selected: Case[], count: number): Promise<Row[]> {
  const stack = new AsyncDisposableStack()
  try {
    const graph = await startRecordingGraph()
    stack.defer(() => graph.close())
    const deployment = await openFaultDeployment(
      stack,
      {},
      { CHAT_URLS: `whatsapp_cloud=${graph.url}/v23.0` },
    )
    return await runCasesIn({ deployment, graph }, selected, count)
  } finally {
    await stack.disposeAsync()
  }
}

/** Runs one case after the other. `count`: recipients of each. */
export async function runCasesIn(
  { deployment, graph }: { deployment: CampaignFaultDeployment; graph: RecordingGraph },
  selected: Case[],
  count: number,
): Promise<Row[]> {
  const rows: Row[] = []
  for (const one of selected) {
    // A workspace of its own, so that a case has no messages of another one.
    const key = await deployment.createLiveKey()
    const accounts = await connectAccounts(deployment.url, key, 'whatsapp_cloud', accountCount)
    const [tenant] = await deployment.query<{ id: string }>(
      'select tenant_id as id from aldaba.accounts where id = $1',
      [accounts[0]!.id],
    )
    const api: CampaignApi = { url: deployment.url, key, database: deployment, tenantId: tenant!.id }
    const context: Context = { deployment, graph, api, campaignIds: [], claimedAtDeath: new Set() }
    rows.push(await runCase(one, context, { accounts, count: Math.ceil(count / accountCount) }))
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
    for (const name of ['first', 'second'])
      steps.push({
        templateId: await makeApprovedTemplate(api, account.id, `${name} ${account.number}`),
        delayMinutes: 0,
      })
    const id = await makeCampaign(api, account.id, { steps, health: { minSends: 100_000 } })
    const joined = await joinPeople(api, id, count)
    phones.push(...joined.phones.map(phone => ({ phone, account })))
    campaignIds.push(id)
  }
  graph.accepted.length = 0
  graph.latencyMs = 0
  await one.before?.(context)
  const people = createPeople(phones)
  graph.onAccepted = people.answer
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
  graph.onAccepted = null
  const outcome = await readOutcome(context, phones.length)
  if (outcome.lost + outcome.doubled + outcome.late > 0) problem ||= 'lost, doubled or sent after an opt-out'
  if (outcome.unknown > context.claimedAtDeath.size) problem ||= 'too many unknown'
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

/** When messages were claimed: the program forgets it once they were sent. */
async function recordClaims({ deployment }: Context): Promise<void> {
  await deployment.query('create table if not exists bench_claims (message_id uuid, at timestamptz)', [])
  await deployment.query('grant select on bench_claims to public', [])
  await deployment.query(
    `create or replace function record_claim() returns trigger language plpgsql security definer as $$
      begin insert into bench_claims values (new.id, new.claimed_at); return null; end $$`,
    [],
  )
  await deployment.query(
    `create or replace trigger record_claim after update of claimed_at on aldaba.messages for each row
      when (new.claimed_at is not null and new.claimed_at is distinct from old.claimed_at) execute function record_claim()`,
    [],
  )
}

/** A tenth answers the first message, a tenth answers it with STOP, and a tenth opts out while messages are planned. */
function createPeople(all: { phone: string; account: ChatAccount }[]) {
  const indexByPhone = new Map(all.map(({ phone }, index) => [phone.replace('+', ''), index]))
  const posts = new Set<Promise<void>>()
  const write = (index: number, text: string) => {
    const { phone, account } = all[index]!
    const posted = post(account, makeInboundBody(account.number, Number(phone.slice(4)), text)).finally(() =>
      posts.delete(posted),
    )
    posts.add(posted)
  }
  return {
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

/** As WhatsApp does, until the body is taken. */
async function post({ webhook }: ChatAccount, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signBody(body) }
  for (let tries = 0; tries < 100; tries++) {
    const reply = await fetch(webhook!.url, { method: 'POST', headers, body }).catch(() => null)
    if (reply?.ok) return
    await sleep(200)
  }
  throw new Error('a webhook was not taken')
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

interface Outcome {
  phone: string
  status: string
  code: string | null
  /** Messages of which nobody can say whether they were sent. */
  unknown: number
  /** Messages that count as sent. */
  steps: number
  /** Messages that were claimed after the person had opted out. */
  late: number
}

/**
 * An opt-out excludes the claims of its tenant from its time on until it is committed (`lockLeadWrites`), and a claim has the time at which
 * it got this lock. So one with a later time has seen the opt-out.
 */
async function readOutcome({ deployment, api, graph, claimedAtDeath }: Context, count: number) {
  const rows = await deployment.withTenant(api, async tx => {
    const tenantId = getTenantId(tx)
    const all = await sql<Outcome>`
      select l.phone, r.status, r.reason ->> 'code' as code,
        count(*) filter (where m.status = 'unknown')::int as unknown,
        count(*) filter (where m.status in ('sent', 'delivered', 'read', 'unknown'))::int as steps,
        count(*) filter (where m.status in ('sent', 'delivered', 'read', 'unknown') and m.id <> all(${[...claimedAtDeath]}::uuid[]) and exists (
          select from bench_claims c join events e on e.tenant_id = ${tenantId} and e.type = 'lead.opted_out' and e.lead_id = r.lead_id
          where c.message_id = m.id and c.at > e.created_at))::int as late
      from campaign_recipients r
        join leads l on l.tenant_id = ${tenantId} and l.id = r.lead_id
        left join campaign_sends s on s.tenant_id = ${tenantId} and s.recipient_id = r.id
        left join messages m on m.tenant_id = ${tenantId} and m.id = s.message_id
      where r.tenant_id = ${tenantId} group by r.id, l.phone, r.status, r.reason`.execute(tx)
    return all.rows
  })
  const accepted = Map.groupBy(graph.accepted, ({ to, template }) => `${to} ${template}`)
  const received = Map.groupBy(graph.accepted, ({ to }) => to)
  const having = (code: string) => rows.filter(row => row.status === 'stopped' && row.code === code).length
  const isLost = ({ phone, status, code, steps, unknown }: Outcome) => {
    const got = received.get(phone.replace('+', ''))?.length ?? 0
    if (status === 'completed') return steps < 2 || got + unknown < 2
    return !(code === 'REPLIED' || code === 'OPTED_OUT') || got + unknown < steps
  }
  return {
    completed: rows.filter(({ status }) => status === 'completed').length,
    replied: having('REPLIED'),
    optedOut: rows.filter(({ code }) => code === 'OPTED_OUT').length,
    unknown: rows.reduce((sum, row) => sum + row.unknown, 0),
    lost: count - rows.length + rows.filter(isLost).length,
    doubled: [...accepted.values()].filter(({ length }) => length > 1).length,
    late: rows.reduce((sum, row) => sum + row.late, 0),
  }
}

if (import.meta.main) await run()
