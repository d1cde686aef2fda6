/** Passes e-mails that answer an invitation or a notice to the feature that sent it: those are no messages of a conversation. */
import type { Tx } from '../../../kit/db/index.ts'
import { callHook } from '../../../kit/hook.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import { emailAnswered } from '../hooks.ts'
import { toReceivedTime } from './inbound-event.ts'
import type { MessageEvent } from './receive-messages.ts'

/** Returns the messages that remain. */
export async function passAnswers(tx: Tx, events: MessageEvent[]): Promise<MessageEvent[]> {
  const remaining: MessageEvent[] = []
  for (const event of events) if (!(await isHandled(tx, event))) remaining.push(event)
  return remaining
}

async function isHandled(tx: Tx, event: MessageEvent): Promise<boolean> {
  const { email, from, isEcho } = event
  const sender = from.find(({ kind }) => kind === 'email')
  if (!email || !sender || isEcho) return false
  const { reply = null, answeredIds = [] } = email
  if (reply === null && answeredIds.length === 0) return false
  const { spf, dkim, dmarc } = email.authentication
  // DMARC alone proves the From address; SPF fails for whatever was forwarded.
  if (dmarc !== 'pass' && [spf, dkim, dmarc].some(result => result?.includes('fail'))) return false
  // Before the event that a handler may emit, as everywhere; otherwise this could deadlock with another writer.
  await lockLeadWrites(tx)
  const answer = { email: sender.value, at: toReceivedTime(tx, event), reply, answeredIds }
  return (await callHook(tx, emailAnswered, answer)).includes(true)
}
