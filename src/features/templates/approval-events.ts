/** Reports of providers about texts, as they arrive. */
import { getNow } from '../../kit/clock/clock.ts'
import type { Tx } from '../../kit/db/index.ts'
import type { ChatFailure, TemplateReference } from '../../plugins/chat.ts'
import type { ReceivedChatEvents } from '../accounts/service.ts'
import { updateApproval } from './approval-queries.ts'

/** Handles `chatEventsReceived`. Repeated and reordered reports change nothing. */
export async function receiveApprovals(tx: Tx, { accountId, events }: ReceivedChatEvents): Promise<void> {
  for (const event of events) {
    if (event.type !== 'template_status') continue
    const { providerName, language, status, category, reason, providerTemplateId, at } = event
    const reportedAt = new Date(at.epochMilliseconds)
    await updateApproval(tx, accountId, {
      providerName,
      language,
      status,
      category,
      reason,
      providerTemplateId,
      reportedAt,
    })
  }
}

/** A provider that refuses a text as paused may report it later, or never. */
export async function recordTemplateFailure(
  tx: Tx,
  accountId: string,
  { providerName, language }: Pick<TemplateReference, 'providerName' | 'language'>,
  { code, message, retryable }: ChatFailure,
): Promise<void> {
  if (providerName === null || code !== 'TEMPLATE_PAUSED' || retryable) return
  await updateApproval(tx, accountId, {
    providerName,
    language,
    status: 'paused',
    category: null,
    reason: message,
    providerTemplateId: null,
    reportedAt: getNow(tx),
  })
}
