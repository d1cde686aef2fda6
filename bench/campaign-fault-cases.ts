/** The cases of the fault table of campaigns: what fails, and when. */
import { setTimeout as sleep } from 'node:timers/promises'
import { messagesDueTopic } from '../src/features/messaging/topics.ts'
import { getTenantId } from '../src/kit/db/context.ts'
import { sql } from '../src/kit/db/index.ts'
import { notifyAfterCommit } from '../src/kit/db/notifications.ts'
import { type CampaignApi, resume } from './campaign-accounts.ts'
import { callApi } from './chat-accounts.ts'
import type { FaultDeployment, Program } from './fault-deployment.ts'
import type { RecordingGraph } from './recording-graph.ts'

/** `restartDatabase` is missing where no case may do it. */
export type CampaignFaultDeployment = Pick<
  FaultDeployment,
  'url' | 'query' | 'withTenant' | 'worker' | 'startWorker' | 'createKey'
> &
  Partial<Pick<FaultDeployment, 'restartDatabase'>>

export interface Context {
  deployment: CampaignFaultDeployment
  graph: RecordingGraph
  api: CampaignApi
  campaignIds: string[]
  /** Workers beside the one of the deployment: they end with the case. */
  others: Program[]
  /** Messages that a process had claimed when it was killed: it can't be known if they were sent. */
  claimedAtDeath: Set<string>
}

export interface Case {
  fault: string
  /** The test environment sends nothing over the network; its clock can be moved. By default live. */
  environment?: 'test'
  /** From the first step to the second one; by default none. */
  delayMinutes?: number
  /** Runs before the recipients are due. */
  before?(context: Context): Promise<void> | void
  /** Runs when they are due. Throws if the fault did not happen. */
  after?(context: Context): Promise<void>
}

/** PostgreSQL may still be at the last statement of the dead process. */
const commitMaxMs = 500
/** Also on a machine that starts a process in a minute. */
const deathMaxMs = 180_000
const planSql = "update campaign_recipients r set status = 'planned'"
const queueSql = 'insert into campaign_sends'
const claimSql = 'update messages m set next_attempt_at = r.next_at, wait_reason = r.reason, claimed_at ='
/** The templates begin with them. */
export const stepNames = ['first', 'second']
const recordSql = 'update messages m set status ='

export const cases: Case[] = [
  { fault: 'none' },
  killed('killed before a plan is stored', `before:${planSql}`),
  killed('killed after a plan', `after:${planSql}`),
  killed('killed before messages are queued', `before:${queueSql}`),
  killed('killed after messages were queued', `after:${queueSql}`),
  killed('killed before a claim', `before:${claimSql}`),
  killed('killed between claim and send', `after:${claimSql}`),
  killed('killed between send and record', `before:${recordSql}`),
  killed('killed after a record', `after:${recordSql}`),
  {
    fault: 'two of three workers killed while they send',
    before({ graph, deployment, others }) {
      graph.latencyMs = 300
      others.push(deployment.startWorker())
    },
    async after(context) {
      const { deployment, graph, others } = context
      const other = deployment.startWorker()
      others.push(other)
      while (graph.accepted.length === 0) await sleep(20)
      await sleep(500)
      for (const worker of [deployment.worker, other]) await worker.kill()
      await endClaims(context)
      graph.latencyMs = 0
      await deployment.worker.replace()
    },
  },
  {
    fault: 'clock moved by five days; killed between claim and send, and one of three workers killed',
    environment: 'test',
    delayMinutes: 2880,
    before: ({ deployment }) => deployment.worker.replace(killAt(`after:${claimSql}`)),
    async after(context) {
      const { deployment, graph, api, others } = context
      const moving = moveClock(api, 5)
      await waitForDeath(deployment.worker)
      others.push(deployment.startWorker(), deployment.startWorker())
      await endClaims(context)
      await deployment.worker.replace()
      while (!graph.accepted.some(({ template }) => template.startsWith(stepNames[1]!))) await sleep(20)
      await others[0]!.kill()
      await endClaims(context)
      await others[0]!.replace()
      await moving
    },
  },
  {
    fault: 'paused while they send, and resumed; PostgreSQL killed',
    before({ graph }) {
      graph.latencyMs = 50
    },
    async after({ deployment, graph, campaignIds, api }) {
      const { url, key } = api
      while (graph.accepted.length === 0) await sleep(20)
      for (const id of campaignIds)
        await callApi(url, key, 'PATCH', `/campaigns/${id}/status`, { status: 'paused' })
      await deployment.restartDatabase!('SIGKILL')
      while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) await sleep(50)
      for (const id of campaignIds) await resume(api, id)
      graph.latencyMs = 0
    },
  },
]

/** The only worker dies at a statement; another one takes over. */
function killed(fault: string, at: string): Case {
  return {
    fault,
    before: ({ deployment }) => deployment.worker.replace(killAt(at)),
    async after(context) {
      const { worker } = context.deployment
      await waitForDeath(worker)
      await endClaims(context)
      await worker.replace()
    },
  }
}

const killAt = (at: string) => ({
  KILL_AT: at,
  NODE_OPTIONS: `--import ${new URL('kill-at.ts', import.meta.url).pathname}`,
})

async function waitForDeath(program: Program): Promise<void> {
  await Promise.race([program.waitForEnd(), sleep(deathMaxMs)])
  if (!program.hasEnded()) throw new Error('the process was not killed')
}

/** Moves the clock of the test environment, until everything due is done. */
async function moveClock({ url, key }: CampaignApi, days: number): Promise<void> {
  const now = new Date(Date.now() + days * 86_400_000).toISOString()
  for (;;) {
    const moved = await fetch(`${url}/public/v1/sandbox/clock`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ now }),
    })
    if (moved.ok) return
    if (moved.status !== 503) throw new Error(`POST /sandbox/clock: ${await moved.text()}`)
  }
}

/** Lets a quarter of an hour pass for the messages that dead processes had claimed. */
async function endClaims({ deployment, api, claimedAtDeath }: Context): Promise<void> {
  await sleep(commitMaxMs)
  const { rows } = await deployment.withTenant(api, async tx => {
    const claiming = await sql<{ id: number }>`select distinct process_id as id from bench_claims`.execute(tx)
    const dead = claiming.rows.flatMap(({ id }) => (isRunning(id) ? [] : id))
    // Nobody waits for this time.
    notifyAfterCommit(tx, messagesDueTopic)
    return sql<{ id: string }>`
      update messages set claimed_at = claimed_at - interval '17 minutes', next_attempt_at = next_attempt_at - interval '17 minutes'
      where tenant_id = ${getTenantId(tx)} and claimed_at is not null and status = 'queued' and (
        select b.process_id from bench_claims b where b.message_id = messages.id order by b.at desc limit 1) = any(${dead}::int[])
      returning id`.execute(tx)
  })
  for (const { id } of rows) claimedAtDeath.add(id)
}

/** The sessions of a process say nothing: those of a pooler outlive it. */
function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0)
  } catch {
    return false
  }
}
