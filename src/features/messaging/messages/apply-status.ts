/** Applies the status that a provider reports for a message. */
import { getNow } from '../../../kit/clock/clock.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import type { ChatFailure } from '../../../plugins/chat.ts'
import { recordSendFailure } from '../../accounts/service.ts'
import { lockConversations } from '../conversations/queries.ts'
import { changeStatus } from './change-status.ts'
import { findOutgoing, selectOutgoing } from './outgoing-rows.ts'
import { recordTemplateRefusal } from './template-refusal.ts'
import { toMessageFailure } from './to-failure.ts'

export interface StatusReport {
  accountId: string
  providerMessageId: string
  /** Our id, if the provider returns it. */
  messageId: string | null
  status: 'sent' | 'delivered' | 'read' | 'failed'
  /** The provider's time. */
  at: Date
  failure: ChatFailure | null
}

/**
 * Applies a report, whatever the order in which reports arrive: statuses only move forward. It also decides a message
 * whose result was lost. Returns false if there is no such message of the account: it may still be being sent.
 */
export async function applyStatus(tx: Tx, report: StatusReport): Promise<boolean> {
  const { accountId, providerMessageId, messageId } = report
  const [found] = await selectOutgoing(
    tx,
    sql`m.account_id = ${accountId}
      and (m.provider_message_id = ${providerMessageId} or m.id = ${messageId}::uuid)
      order by m.provider_message_id = ${providerMessageId} desc nulls last limit 1`,
  )
  if (!found) return false
  await lockConversations(tx, [found.conversationId])
  const [message] = await findOutgoing(tx, [found.id])
  if (!message) return false
  const now = getNow(tx)
  const at = new Date(Math.min(report.at.getTime(), now.getTime()))
  if (report.status === 'failed') {
    const isChanged = await changeStatus(tx, message, {
      status: 'failed',
      at,
      providerMessageId,
      failure: toMessageFailure(report.failure),
    })
    if (isChanged && report.failure) {
      await recordTemplateRefusal(tx, message, report.failure)
      await recordSendFailure(tx, accountId, report.failure)
    }
  } else await changeStatus(tx, message, { status: report.status, at, providerMessageId })
  return true
}
