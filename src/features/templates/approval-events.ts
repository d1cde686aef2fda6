/** Reports of providers about texts, as they arrive. */
import type { Tx } from '../../kit/db/index.ts'
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
