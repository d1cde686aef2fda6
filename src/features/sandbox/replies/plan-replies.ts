/** Decides what a scripted lead answers, in the transaction that records that a message was sent to them. */
import { createHash } from 'node:crypto'
import { toScriptedReplies } from '../../../domain/scripted-leads/scripted-replies.ts'
import type { LeadScript } from '../../../domain/scripted-leads/scripts.ts'
import { getNow, machineNow } from '../../../kit/clock/clock.ts'
import type { Cipher } from '../../../kit/crypto.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'
import type { ChatIdentity } from '../../../plugins/chat.ts'
import { isSandboxMessageId } from '../../../plugins/sandbox/simulate-provider.ts'
import { findAccounts } from '../../accounts/service.ts'
import { findIdentities, findTurns, type SentMessage } from '../../messaging/service.ts'
import { insertReplies } from './queries.ts'
import { findLeadScript } from './scripted-recipients.ts'

/** The job that delivers due replies. */
export const deliverRepliesName = 'deliver-sandbox-replies'

/** Scripts have fewer steps than this conversation has messages. */
const turnsMax = 200

/** Creates the handler of `messageWasSent`. Only the simulation of the test environment has scripted leads. */
export function createReplyPlanner(cipher: Cipher) {
  return async (
    tx: Tx,
    { messageId, conversationId, accountId, providerMessageId }: SentMessage,
  ): Promise<void> => {
    if (providerMessageId === null || !isSandboxMessageId(providerMessageId)) return
    const identities = await findIdentities(tx, conversationId)
    const script = await findScript(tx, cipher, { accountId, identities })
    if (!script) return
    const turns = await findTurns(tx, { conversationId, messageId }, turnsMax)
    const replies = turns ? toScriptedReplies(script, turns, toSeed(identities)) : []
    if (replies.length === 0) return
    const now = getNow(tx).getTime()
    await insertReplies(
      tx,
      messageId,
      replies.map(({ delayMs, text, nature }) => ({ text, nature, dueAt: new Date(now + delayMs) })),
    )
    for (const { delayMs } of replies)
      await enqueue(tx, deliverRepliesName, {}, { runAt: new Date(machineNow() + delayMs) })
  }
}

async function findScript(
  tx: Tx,
  cipher: Cipher,
  { accountId, identities }: { accountId: string; identities: ChatIdentity[] },
): Promise<LeadScript | undefined> {
  const own = findLeadScript(identities, {})
  if (own) return own
  const [account] = await findAccounts(tx, [accountId])
  if (account?.provider !== 'sandbox' || !account.credentials) return undefined
  return findLeadScript(identities, JSON.parse(await cipher.decrypt(account.credentials)))
}

/** The same for the same person, so that a test can be repeated. */
function toSeed(identities: readonly ChatIdentity[]): number {
  const names = identities.map(({ kind, value }) => `${kind}:${value}`).sort()
  return createHash('sha256').update(names.join(' ')).digest().readInt32LE()
}
