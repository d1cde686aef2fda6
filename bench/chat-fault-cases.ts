/** The cases of the fault table of chat: what fails, and when. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { WhatsappSimulator } from '../src/simulator/whatsapp/index.ts'
import { type ChatAccount, callApi } from './chat-accounts.ts'
import type { FaultDeployment, Program } from './fault-deployment.ts'

export interface Context {
  deployment: FaultDeployment
  whatsapp: WhatsappSimulator
  key: string
  account: ChatAccount
  secondWorker: Program | null
}

export interface Case {
  fault: string
  /** Runs before the messages are queued. */
  before?(context: Context): Promise<void> | void
  /** Runs once they are queued. */
  after?(context: Context): Promise<void> | void
  /** Messages that may end as unknown: nobody can tell whether they were sent. Default: none. */
  unknownMax?: number
  /** Messages that may end as failed: they were refused. Default: none. */
  failedMax?: number
}

/** The batch of the outbox, and how many of it are sent at the same time. */
const claimedMax = 16
const concurrentMax = 8

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
      await sleep(3000)
      whatsapp.setAccessToken(whatsapp.credentials.accessToken)
      await callApi(deployment.url, key, 'PATCH', `/accounts/${account.id}`, {
        credentials: whatsapp.credentials,
      })
    },
    failedMax: concurrentMax,
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
  },
  killed('API killed after it stored a body', 'api', 'after:insert into inbound_bodies'),
  killed('worker killed while it processes a body', 'worker', 'before:insert into "messages"'),
  killed('worker killed after it processed a body', 'worker', 'after:update inbound_bodies set processed_at'),
  killed('worker killed before it claims', 'worker', 'before:update messages set claimed_at ='),
  killed('worker killed between claim and send', 'worker', 'after:update messages set claimed_at ='),
  killed('worker killed between send and record', 'worker', 'before:update messages set status ='),
  killed('worker killed after the record', 'worker', 'after:update messages set status ='),
  {
    fault: 'two workers, one killed twice',
    async before(context) {
      context.secondWorker ??= context.deployment.startWorker()
      await sleep(3000)
    },
    async after({ deployment }) {
      for (let round = 0; round < 2; round++) {
        await sleep(1000)
        await deployment.worker.kill()
        await moveClaims(deployment)
        await deployment.worker.replace()
      }
    },
    unknownMax: claimedMax * 2,
  },
]

/** A process dies at a statement; another one takes over when the lease and the wait for a callback have passed. */
function killed(fault: string, role: 'api' | 'worker', at: string): Case {
  return {
    fault,
    async before({ deployment }) {
      await deployment[role].replace({
        KILL_AT: at,
        NODE_OPTIONS: `--import ${new URL('kill-at.ts', import.meta.url).pathname}`,
      })
      await waitUntilReady(deployment)
    },
    async after({ deployment }) {
      await Promise.race([deployment[role].waitForEnd(), sleep(20_000)])
      await moveClaims(deployment)
      await deployment[role].replace()
      await waitUntilReady(deployment)
    },
    // What the process had claimed: it can't be known how much of it was sent.
    unknownMax: claimedMax,
  }
}

export async function waitUntilReady({ url }: FaultDeployment): Promise<void> {
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) await sleep(50)
}

/** Lets a quarter of an hour pass for the messages that a dead process had claimed. */
async function moveClaims({ query }: FaultDeployment): Promise<void> {
  await query(
    `update aldaba.messages set claimed_at = claimed_at - interval '17 minutes', next_attempt_at = next_attempt_at - interval '17 minutes'
     where claimed_at is not null and status = 'queued'`,
    [],
  )
}
