/** The cases of the fault table of chat: what fails, and when. */
import { setTimeout as sleep } from 'node:timers/promises'
import { getTenantId } from '../src/kit/db/context.ts'
import { sql } from '../src/kit/db/index.ts'
import type { WhatsappSimulator } from '../src/simulator/whatsapp/index.ts'
import { type ChatAccount, callApi } from './chat-accounts.ts'
import type { FaultDeployment, Program } from './fault-deployment.ts'

export interface Context {
  /** Without `api`: no case may kill it. */
  deployment: Pick<FaultDeployment, 'url' | 'query' | 'withTenant' | 'worker' | 'startWorker'> &
    Partial<Pick<FaultDeployment, 'api'>>
  whatsapp: WhatsappSimulator
  key: string
  account: ChatAccount
  secondWorker: Program | null
  /** The API was killed and started again while messages were queued. */
  apiWasRestarted: boolean
  /** The messages that a process had claimed when it was killed: it can't be known if they were sent. */
  claimedAtDeath: Set<string>
}

export interface Case {
  fault: string
  /** Runs before the messages are queued. */
  before?(context: Context): Promise<void> | void
  /** Runs once they are queued. Throws if the fault did not happen. */
  after?(context: Context): Promise<void> | void
  /** Messages that may end as unknown: nobody can tell whether they were sent. Default: none. */
  unknownMax?: number
  /** Callbacks are lost, so that also a message that was sent may end as unknown. */
  losesCallbacks?: boolean
}

export const people = 8
/** Each conversation has one message in flight. */
const claimedMax = people
const commitMaxMs = 500
/** Also on a machine that starts a process in half a minute. */
const deathMaxMs = 90_000
const claimSql = 'update messages m set next_attempt_at = r.next_at, wait_reason = r.reason, claimed_at ='
/** Results of calls and reports of WhatsApp. */
const recordSql = 'update messages m set status ='

export const cases: Case[] = [
  { fault: 'none' },
  {
    fault: 'WhatsApp down for 3 s',
    before: ({ whatsapp }) => whatsapp.setReachable(false),
    async after({ whatsapp }) {
      await sleep(3000)
      await whatsapp.setReachable(true)
    },
  },
  {
    fault: 'WhatsApp answers after 1.5 s',
    before: ({ whatsapp }) => whatsapp.faults.add({ kind: 'slow', path: '/messages', latencyMs: 1500 }),
  },
  {
    fault: 'WhatsApp never answers: two requests, one takes effect',
    before({ whatsapp }) {
      whatsapp.faults.add({ kind: 'hang', path: '/messages', times: 1 })
      whatsapp.faults.add({ kind: 'hang', path: '/messages', isAccepted: true, times: 1 })
    },
    unknownMax: 1,
  },
  {
    fault: '429 with Retry-After 2, three times',
    before: ({ whatsapp }) =>
      whatsapp.faults.add({
        kind: 'error',
        path: '/messages',
        status: 429,
        code: 130_429,
        retryAfterSeconds: 2,
        times: 3,
      }),
  },
  {
    fault: 'token revoked, then renewed',
    before: ({ whatsapp }) => whatsapp.faults.add({ kind: 'slow', path: '/messages', latencyMs: 700 }),
    async after({ whatsapp, deployment, key, account }) {
      whatsapp.setAccessToken('another-token-than-the-stored-one')
      await waitForStatus(deployment, account.id, 'LOGGED_OUT')
      whatsapp.setAccessToken(whatsapp.credentials.accessToken)
      await callApi(deployment.url, key, 'PATCH', `/accounts/${account.id}`, {
        credentials: whatsapp.credentials,
      })
    },
  },
  {
    fault: 'callbacks late, repeated and reordered',
    before: ({ whatsapp }) => whatsapp.setCallbackFaults({ late: 0.3, repeated: 0.5, reordered: 0.5 }),
  },
  {
    fault: 'half of the callbacks lost',
    before: ({ whatsapp }) => whatsapp.setCallbackFaults({ lost: 0.5 }),
  },
  {
    fault: 'sent, but the reply is cut, five times',
    before: ({ whatsapp }) =>
      whatsapp.faults.add({ kind: 'cut', path: '/messages', isAccepted: true, times: 5 }),
  },
  {
    fault: 'the same, and all callbacks lost',
    before({ whatsapp }) {
      whatsapp.faults.add({ kind: 'cut', path: '/messages', isAccepted: true, times: 5 })
      whatsapp.setCallbackFaults({ lost: 1 })
    },
    unknownMax: 5,
    losesCallbacks: true,
  },
  killed('API killed before it stores a body', 'api', 'before:insert into inbound_bodies'),
  killed('API killed after it stored a body', 'api', 'after:insert into inbound_bodies'),
  killed('API killed after it queued a message', 'api', 'after:insert into "?messages"? '),
  killed('worker killed while it processes a body', 'worker', 'before:insert into "?messages"? '),
  killed(
    'worker killed after it processed a body',
    'worker',
    'after:update inbound_bodies b set processed_at',
  ),
  { ...killed('worker killed before it claims', 'worker', `before:${claimSql}`), unknownMax: 0 },
  killed('worker killed between claim and send', 'worker', `after:${claimSql}`),
  killed('worker killed between send and record', 'worker', `before:${recordSql}`),
  killed('worker killed after the record', 'worker', `after:${recordSql}`),
  {
    ...killed('two workers, both killed as they store a status', 'worker', `before:${recordSql}`),
    async before(context) {
      holdCallbacks(context)
      context.secondWorker = context.deployment.startWorker(toEnv(`before:${recordSql}`))
      await context.deployment.worker.replace(toEnv(`before:${recordSql}`))
    },
    async after(context) {
      const { worker } = context.deployment
      for (const program of [worker, context.secondWorker!]) {
        await waitForDeath(program)
        await endClaims(context)
      }
      await worker.replace()
    },
    // Each may have claimed a message of every conversation.
    unknownMax: claimedMax * 2,
  },
  {
    fault: 'two workers, one killed while they send',
    async before(context) {
      context.whatsapp.faults.add({ kind: 'slow', path: '/messages', latencyMs: 600 })
      context.secondWorker = context.deployment.startWorker()
    },
    async after(context) {
      const { worker } = context.deployment
      await sleep(300)
      await worker.kill()
      await endClaims(context)
      await worker.replace()
    },
    unknownMax: claimedMax,
  },
]

/** A process dies at a statement; another one takes over when the lease and the wait for a callback have passed. */
function killed(fault: string, role: 'api' | 'worker', at: string): Case {
  return {
    fault,
    async before(context) {
      const { deployment } = context
      if (at.endsWith(recordSql)) holdCallbacks(context)
      await deployment[role]!.replace(toEnv(at))
      await waitUntilReady(deployment)
    },
    async after(context) {
      const { deployment } = context
      if (role === 'api' && context.apiWasRestarted) return
      await waitForDeath(deployment[role]!)
      if (role === 'worker') await endClaims(context)
      await deployment[role]!.replace()
      await waitUntilReady(deployment)
    },
    // What the worker had claimed: it can't be known how much of it was sent.
    unknownMax: role === 'worker' ? claimedMax : 0,
  }
}

const toEnv = (at: string) => ({
  KILL_AT: at,
  NODE_OPTIONS: `--import ${new URL('kill-at.ts', import.meta.url).pathname}`,
})

/** Otherwise a callback would store the status first. */
const holdCallbacks = ({ whatsapp }: Context) => whatsapp.setCallbackFaults({ late: 1, lateMs: 2000 })

/** Throws if the process does not die. */
async function waitForDeath(program: Program): Promise<void> {
  await Promise.race([program.waitForEnd(), sleep(deathMaxMs)])
  if (!program.hasEnded()) throw new Error('the process was not killed')
}

/** Lets a quarter of an hour pass for the messages that a dead process had claimed. */
async function endClaims({ deployment, account, claimedAtDeath }: Context): Promise<void> {
  // PostgreSQL may still be at the last statement of the dead process.
  await sleep(commitMaxMs)
  const [tenant] = await deployment.query<{ tenantId: string }>(
    'select tenant_id as "tenantId" from aldaba.accounts where id = $1',
    [account.id],
  )
  const { rows } = await deployment.withTenant(tenant!, tx =>
    sql<{ id: string }>`
      update messages set claimed_at = claimed_at - interval '17 minutes', next_attempt_at = next_attempt_at - interval '17 minutes'
      where tenant_id = ${getTenantId(tx)} and claimed_at is not null and status = 'queued' returning id`.execute(
      tx,
    ),
  )
  for (const { id } of rows) claimedAtDeath.add(id)
}

/** Returns also if the API has died. */
export async function waitUntilReady({ url, api }: Context['deployment']): Promise<void> {
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok && !api?.hasEnded()) await sleep(50)
}

async function waitForStatus({ query }: Context['deployment'], accountId: string, status: string) {
  const read = () => query('select from aldaba.accounts where id = $1 and status = $2', [accountId, status])
  while ((await read()).length === 0) await sleep(50)
}
