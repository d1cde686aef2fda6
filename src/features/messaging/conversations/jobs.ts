/** Jobs of conversations: read receipts to the provider, and the end of snoozes. */
import { getNow } from '../../../kit/clock/clock.ts'
import type { ScheduledTask } from '../../../kit/clock/scheduled-tasks.ts'
import { forEachTenant } from '../../../kit/jobs/for-each-tenant.ts'
import { deploymentJob, type JobDefinition, job } from '../../../kit/jobs/job.ts'
import { ChatError } from '../../../plugins/chat.ts'
import { type ChatAccounts, isAllowed } from '../../accounts/service.ts'
import { selectRecipients } from '../identities.ts'
import { findLastInbound, markReadName, type Receipt } from './mark-read.ts'
import { getConversation } from './queries.ts'
import { endSnoozes, findNextSnoozeEnd, listTenantsWithSnoozeEnds } from './snoozes.ts'

const providerTimeoutMs = 15_000

/** A receipt that the provider refuses is dropped: the message was read all the same. */
export const markConversationRead = (
  accounts: Pick<ChatAccounts, 'openConnection' | 'createContext'>,
): JobDefinition<never> =>
  job<Receipt>({
    name: markReadName,
    workerPool: 'remote',
    async run({ conversationId, messageId }, { database, tenantId, signal, isLastAttempt, log }) {
      const found = await database.readTenant({ tenantId }, async tx => {
        const last = await findLastInbound(tx, conversationId, messageId)
        if (!last) return null
        const { identities } = await getConversation(tx, conversationId)
        const opened = await accounts.openConnection(tx, last.accountId)
        return { last, opened, to: selectRecipients(identities, opened.provider.capabilities, getNow(tx)) }
      })
      const provider = found?.opened.provider
      if (!found || !provider?.markRead || !isAllowed(found.opened.account, true)) return
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(providerTimeoutMs)])
      try {
        await provider.markRead(
          found.opened.connection,
          { providerMessageId: found.last.providerMessageId, to: found.to },
          accounts.createContext(found.opened, deadline),
        )
      } catch (error) {
        if (error instanceof ChatError && error.failure.retryable && !isLastAttempt) throw error
        log.info({ err: error, conversationId }, 'the read receipt was not sent')
      }
    },
  }) as JobDefinition<never>

/** Ends snoozes on the environment's clock. */
export const snoozeSchedule: ScheduledTask = {
  findNextDueAt: findNextSnoozeEnd,
  start: (database, tenantId) => database.withTenant({ tenantId }, endSnoozes),
}

export const endConversationSnoozes = deploymentJob({
  name: 'end-conversation-snoozes',
  cron: '* * * * *',
  run: context => forEachTenant(context, listTenantsWithSnoozeEnds(context.database), endSnoozes),
})
