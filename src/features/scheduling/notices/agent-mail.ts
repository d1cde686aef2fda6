/**
 * Sends a notice to an agent by the e-mail account of the workspace. It is no message of a conversation: those are with the
 * people outside. A repeated attempt has the same Message-ID.
 */
import { getNow } from '../../../kit/clock/clock.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'
import { type JobDefinition, job } from '../../../kit/jobs/job.ts'
import type { OutgoingMessage, SendResult } from '../../../plugins/chat.ts'
import { handOverMail, isAllowed, type WorkspaceMail } from '../../accounts/service.ts'
import { findAppointments } from '../appointments/queries.ts'
import { findEventType } from '../event-types/queries.ts'
import { chooseAccount } from './choose-account.ts'
import type { NoticeDependencies } from './dependencies.ts'
import { findRefusal } from './find-refusal.ts'
import { writeAgentNotice } from './notice-text.ts'
import { findAgent, findNotice, markHandedOver, type NoticeResult, storeResult } from './queries.ts'
import { readAgentFacts } from './read-facts.ts'
import { lostAccount, noAgent, type Refusal } from './reasons.ts'

const sendAgentNoticeName = 'send-agent-notice'
const maxAttempts = 10

export const enqueueAgentNotice = (tx: Tx, noticeId: string): Promise<void> =>
  enqueue(tx, sendAgentNoticeName, { noticeId }, { maxAttempts })

export const sendAgentNotice = (dependencies: NoticeDependencies): JobDefinition<never> =>
  job<{ noticeId: string }>({
    name: sendAgentNoticeName,
    workerPool: 'remote',
    async run({ noticeId }, { database, tenantId, signal, isLastAttempt, log }) {
      const store = (result: NoticeResult) =>
        database.withTenant({ tenantId }, tx => storeResult(tx, noticeId, result))
      const mail = await prepare(database, tenantId, { noticeId, dependencies })
      if (mail === null) return
      if ('code' in mail) return store({ status: 'skipped', refusal: mail })
      const result = await handOverMail(mail, dependencies.accounts, signal)
      if (result.status === 'sent') return store({ status: 'sent' })
      const failure = toFailure(result)
      log.info({ noticeId, code: failure.code }, 'a notice to an agent was not sent')
      if (result.status === 'failed' && !result.failure.retryable)
        return store({ status: 'failed', refusal: failure })
      if (isLastAttempt) return store({ status: 'failed', refusal: failure })
      throw new Error(failure.message)
    },
  }) as JobDefinition<never>

const toFailure = (result: Exclude<SendResult, { status: 'sent' }>): Refusal =>
  result.status === 'failed'
    ? { code: result.failure.code, message: result.failure.message }
    : { code: 'RESULT_UNKNOWN', message: `The e-mail may have been sent: ${result.reason}` }

/** Null: there is nothing to send any more. */
function prepare(
  database: Database,
  tenantId: string,
  { noticeId, dependencies }: { noticeId: string; dependencies: NoticeDependencies },
): Promise<WorkspaceMail | Refusal | null> {
  return database.withTenant({ tenantId }, async tx => {
    const notice = await findNotice(tx, noticeId)
    if (notice?.status !== 'queued') return null
    const [appointment] = await findAppointments(tx, [notice.appointmentId])
    const eventType = appointment && (await findEventType(tx, appointment.eventTypeId))
    if (!appointment || !eventType) return null
    const refusal = findRefusal(notice, appointment, getNow(tx))
    if (refusal) return refusal
    const agent = await findAgent(tx, notice.agentUserId!)
    if (!agent?.isActive) return noAgent
    const { notices } = eventType.config
    const chosen = await chooseAccount(tx, dependencies.accounts, { channel: 'email', notices })
    if ('code' in chosen) return chosen
    const opened = await dependencies.accounts.openConnection(tx, chosen.account.id)
    if (!isAllowed(opened.account, false)) return lostAccount
    const { subject, text } = writeAgentNotice(await readAgentFacts(tx, notice, appointment, eventType))
    const message: OutgoingMessage = {
      id: noticeId,
      to: [{ kind: 'email', value: agent.email }],
      content: { kind: 'text', text },
      replyTo: null,
      thread: { subject, references: [] },
      unsubscribeUrl: null,
      // No absence note of the agent comes back into the inbox.
      automatic: 'generated',
    }
    await markHandedOver(tx, noticeId)
    return { opened, message, isRepeated: notice.claimedAt !== null }
  })
}
