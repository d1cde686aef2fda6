/** Applies the status that a provider reports for a message. */
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import type { ChatFailure, ChatIdentity } from '../../../plugins/chat.ts'
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
  /** The names of the recipient, as far as the provider reports them. */
  to?: readonly ChatIdentity[]
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
    if (!(await isRecipient(tx, found.conversationId, report.to ?? []))) return true
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

/**
 * Anybody can send the report of a mail server, so one of an address that is not of the conversation does not count.
 * Other names are of providers that prove who they are, and write a phone in several ways.
 */
async function isRecipient(tx: Tx, conversationId: string, to: readonly ChatIdentity[]): Promise<boolean> {
  const addresses = to.filter(({ kind }) => kind === 'email').map(({ value }) => value)
  if (addresses.length === 0) return true
  const { rows } = await sql`
    select from conversation_identities
    where tenant_id = ${getTenantId(tx)} and conversation_id = ${conversationId} and kind = 'email'
      and value = any(${addresses}::text[]) limit 1`.execute(tx)
  return rows.length > 0
}
