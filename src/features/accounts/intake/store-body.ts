/** Stores what arrives for an account, before anything is done with it, and starts the job that processes it. */
import { createHash } from 'node:crypto'
import type { Cipher } from '../../../kit/crypto.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'
import type { Log } from '../../../kit/log.ts'
import { insertBody } from './queries.ts'

export const processBodiesName = 'process-chat-bodies'

/** Stores a body, encrypted. Returns false if the account has it already: providers repeat bodies. */
export function storeBody(tx: Tx, cipher: Cipher, accountId: string, body: Buffer): Promise<boolean> {
  return insertBody(tx, accountId, {
    digest: createHash('sha256').update(body).digest(),
    // One character per byte, so that any bytes survive.
    body: cipher.encrypt(body.toString('latin1')),
  })
}

/** Reverses the encryption of `storeBody`. */
export const readBody = async (cipher: Cipher, body: Buffer): Promise<Buffer> =>
  Buffer.from(await cipher.decrypt(body), 'latin1')

/** Enqueues the processing of an account's bodies. Jobs of one account run one after the other. */
export async function enqueueProcessing(
  tx: Tx,
  accountId: string,
  { runAt }: { runAt?: Date } = {},
): Promise<void> {
  const isRetry = runAt !== undefined
  await enqueue(
    tx,
    processBodiesName,
    { accountId },
    {
      // A later retry must not replace a job that is due now.
      jobKey: `${processBodiesName}:${accountId}${isRetry ? ':retry' : ''}`,
      queueName: `chat:${accountId}`,
      ...(isRetry ? { runAt } : {}),
    },
  )
}

/** Bodies that arrive within this time start one job. */
const collectMs = 25

export interface ProcessingStarter {
  /** Starts the processing soon. If the process dies before, a deployment job does it within a minute. */
  start(account: { database: Database; tenantId: string; accountId: string }): void
}

/** A job per request would make the requests of one account wait for each other. */
export function createProcessingStarter(log: Log): ProcessingStarter {
  const planned = new Set<string>()
  return {
    start({ database, tenantId, accountId }) {
      if (planned.has(accountId)) return
      planned.add(accountId)
      setTimeout(() => {
        planned.delete(accountId)
        database
          .withTenant({ tenantId }, tx => enqueueProcessing(tx, accountId))
          .catch(error => log.warn({ err: error, accountId }, 'the processing of chat bodies starts later'))
      }, collectMs)
    },
  }
}
