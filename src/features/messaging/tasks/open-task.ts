/** Opens a task: somebody is about to send its message. */
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { Problem, type ProblemType } from '../../../kit/problem.ts'
import { assertAccount, type ChatAccounts } from '../../accounts/service.ts'
import { assertContactable } from '../../privacy/service.ts'
import { getAccountProvider } from '../account-provider.ts'
import { getConversation } from '../conversations/queries.ts'
import { selectRecipients, toContactIdentifiers } from '../identities.ts'
import { isAnswerTo } from '../is-answer.ts'
import { findFilesOfMessages } from '../media/queries.ts'
import { addNotice, findNotice, toLanguage } from '../messages/notice.ts'
import { type DecidedMessage, readCampaignDecisions } from '../sending/campaign-decisions.ts'
import { lockOpenTask } from './end-tasks.ts'
import { getTaskMessage, markOpened, setTaskText } from './queries.ts'

export const noLink: ProblemType = {
  code: 'NO_LINK',
  status: 422,
  meaning: 'There is no link to the person: no phone is known, or the provider has no links.',
  action: 'Add the phone of the person to the lead, or skip the task.',
  example: 'There is no link to this person, because no phone is known. Skip the task.',
}

export const campaignHolds: ProblemType = {
  code: 'CAMPAIGN_HOLDS',
  status: 422,
  meaning: 'The campaign of the message does not send it now, or no longer.',
  action: 'See the message: open the task later, or skip it.',
  example: 'The person has replied, so the campaign sends them nothing more.',
}

/**
 * Checks that the person may be contacted, which takes the lock that opt-outs take too, adds the privacy notice if they have
 * not received it by now, and returns the link. Throws 404; 409 INVALID_TRANSITION; 422 NOT_CONTACTABLE, CAMPAIGN_HOLDS, NOTICE_MISSING,
 * TEXT_TOO_LONG and NO_LINK.
 */
export async function openTask(
  tx: Tx,
  taskId: string,
  accounts: Pick<ChatAccounts, 'getProvider'>,
): Promise<string> {
  const message = await getTaskMessage(tx, taskId)
  const { conversationId, accountId, leadId, campaignId, kind, nature, content, subject } = message
  const { identities, lastInboundAt } = await getConversation(tx, conversationId)
  const provider = getAccountProvider(accounts, await assertAccount(tx, accountId))
  const isAnswer = isAnswerTo(tx, { campaignId, nature, lastInboundAt })
  const { obligations } = await assertContactable(tx, leadId, provider.channel, {
    isAnswer,
    identifiers: toContactIdentifiers(identities),
  })
  await lockOpenTask(tx, taskId)
  await assertCampaignSends(tx, { ...message, lastInboundAt })
  const needsNotice = obligations.includes('INCLUDE_NOTICE')
  const language = toLanguage(content)
  const notice = needsNotice ? await findNotice(tx, leadId, { isAnswer, language }) : null
  const [file] = (await findFilesOfMessages(tx, [taskId])).get(taskId) ?? []
  const carrier = { kind, text: message.text, content, mediaKind: file?.kind ?? null }
  const text = notice ? addNotice(provider, carrier, notice) : message.text
  const to = selectRecipients(identities, provider.capabilities, getNow(tx))
  await setTaskText(tx, message, { text, hasNotice: notice !== null, to: to[0] })
  const link = provider.createLink?.(to, text ?? '', subject)
  if (!link) throw new Problem(noLink, noLink.example)
  await markOpened(tx, taskId)
  return link
}

async function assertCampaignSends(tx: Tx, message: DecidedMessage): Promise<void> {
  const { id, sendAt } = message
  if (sendAt && sendAt > getNow(tx))
    throw new Problem(campaignHolds, `The campaign sends the message at ${sendAt.toISOString()}.`)
  const decision = (await readCampaignDecisions(tx, [message])).get(id)
  if (decision?.kind === 'withdraw') throw new Problem(campaignHolds, decision.failure.message)
  if (decision?.kind === 'defer') throw new Problem(campaignHolds, decision.waitReason.message)
}
