/** Applies the statuses that a provider reports for messages. */
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { shareLeads } from '../../../kit/writer.ts'
import type { ChatFailure, ChatIdentity } from '../../../plugins/chat.ts'
import { lockAccount, recordSendFailure } from '../../accounts/service.ts'
import { changeStatuses, type StatusChange } from './change-status.ts'
import type { Report } from './message-progress.ts'
import { lockOutgoing, type OutgoingRow } from './outgoing-rows.ts'
import { recordRefusal } from './refusal.ts'
import { toMessageFailure } from './to-failure.ts'

export interface StatusReport {
  providerMessageId: string
  /** Our id, if the provider returns it. */
  messageId: string | null
  status: 'sent' | 'delivered' | 'read' | 'failed'
  /** The provider's time. */
  at: Date
  failure: ChatFailure | null
  /** The identities of the recipient, as far as the provider reports them. */
  to?: readonly ChatIdentity[]
}

/**
 * Applies reports about messages of an account, whatever the order in which they arrive: statuses only move forward. They
 * also decide messages whose result was lost. Returns the reports of unknown messages, which may still be being sent.
 */
export async function applyStatuses(
  tx: Tx,
  accountId: string,
  reports: StatusReport[],
): Promise<StatusReport[]> {
  if (reports.length === 0) return []
  await shareLeads(tx)
  const messages = await lockOutgoing(
    tx,
    sql`m.account_id = ${accountId}
      and (m.provider_message_id = any(${reports.map(({ providerMessageId }) => providerMessageId)}::text[])
        or m.id = any(${reports.flatMap(({ messageId }) => messageId ?? [])}::uuid[]))`,
  )
  const byProviderId = new Map(messages.map(message => [message.providerMessageId, message]))
  const byId = new Map(messages.map(message => [message.id, message]))
  const unknown: StatusReport[] = []
  const changes: StatusChange[] = []
  const refusals: { message: OutgoingRow; report: Report; failure: ChatFailure; at: Date }[] = []
  for (const report of reports) {
    const message = byProviderId.get(report.providerMessageId) ?? byId.get(report.messageId ?? '')
    if (!message) unknown.push(report)
    else if (report.status !== 'failed')
      changes.push({ message, report: toReport(tx, report, report.status) })
    else if (await isRecipient(tx, message.conversationId, report.to ?? [])) {
      const failed = {
        ...toReport(tx, report, report.status),
        failure: toMessageFailure(report.failure),
      }
      changes.push({ message, report: failed })
      if (report.failure) refusals.push({ message, report: failed, failure: report.failure, at: report.at })
    }
  }
  // Before the events: see insert-message.ts.
  if (refusals.length > 0) await lockAccount(tx, accountId)
  const counted = await changeStatuses(tx, changes)
  for (const { message, failure, at } of refusals.filter(({ report }) => counted.has(report))) {
    await recordRefusal(tx, message, failure)
    // What answers a person needs no budget.
    await recordSendFailure(tx, accountId, failure, { at, isAnswer: message.reservedDay === null })
  }
  return unknown
}

const toReport = <S extends StatusReport['status']>(
  tx: Tx,
  { at, providerMessageId }: StatusReport,
  status: S,
) => ({ status, at: new Date(Math.min(at.getTime(), getNow(tx).getTime())), providerMessageId })

/**
 * Anybody can send the report of a mail server, so one of an address that is not of the conversation does not count.
 * Other identities are of providers that prove who they are, and write a phone in several ways.
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
