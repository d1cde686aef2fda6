/** Starts the job that processes the bodies of an account, once for all that arrive together. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../../kit/db/index.ts'
import type { Log } from '../../../kit/log.ts'
import { enqueueProcessing } from './store-body.ts'

/** The first body waits so long for others. */
const collectMs = 25
/** The shortest time between two starts for an account: a job also reads what arrives while it runs. */
const intervalMs = 200

interface Account {
  database: Database
  tenantId: string
  accountId: string
}

export interface ProcessingStarter {
  /** Starts the processing soon. If the process dies before, a deployment job does it within a minute. */
  start(account: Account): void
}

/** A job per body would make the requests of one account wait for each other. */
export function createProcessingStarter(log: Log): ProcessingStarter {
  const active = new Map<string, { hasNew: boolean }>()
  const startRepeatedly = async ({ database, tenantId, accountId }: Account, state: { hasNew: boolean }) => {
    await sleep(collectMs)
    while (state.hasNew) {
      state.hasNew = false
      await database
        .withTenant({ tenantId }, tx => enqueueProcessing(tx, accountId))
        .catch(error => log.warn({ err: error, accountId }, 'the processing of chat bodies starts later'))
      await sleep(intervalMs, undefined, { ref: false })
    }
    active.delete(accountId)
  }
  return {
    start(account) {
      const known = active.get(account.accountId)
      if (known) {
        known.hasNew = true
        return
      }
      const state = { hasNew: true }
      active.set(account.accountId, state)
      void startRepeatedly(account, state)
    },
  }
}
