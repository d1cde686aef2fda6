/** Stores what arrives for accounts, before anything is done with it, and enqueues the job that processes it. */
import { createHash } from 'node:crypto'
import type { Cipher } from '../../../kit/crypto.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'
import { insertBodies } from './queries.ts'

export const processBodiesName = 'process-chat-bodies'

export interface ReceivedBody {
  accountId: string
  body: Buffer
}

/** Stores bodies, encrypted. Returns for each whether it is new: providers repeat bodies. */
export function storeBodies(tx: Tx, cipher: Cipher, received: ReceivedBody[]): Promise<boolean[]> {
  return insertBodies(
    tx,
    received.map(({ accountId, body }) => ({
      accountId,
      digest: createHash('sha256').update(body).digest(),
      // One character per byte, so that any bytes survive.
      body: cipher.encrypt(body.toString('latin1')),
    })),
  )
}

/** Reverses the encryption of `storeBodies`. */
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

/** Stores a body and starts its processing after the commit, for what the program itself receives. */
export async function receiveBody(tx: Tx, cipher: Cipher, accountId: string, body: Buffer): Promise<void> {
  const [isNew] = await storeBodies(tx, cipher, [{ accountId, body }])
  if (isNew) await enqueueProcessing(tx, accountId)
}
