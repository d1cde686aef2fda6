/** Refusals to contact a person, as ends of recipients. */
import type { Channel } from '../../../domain/contactability/facts.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { getEnvironment } from '../../accounts/service.ts'
import { previewContacts } from '../../privacy/service.ts'
import { findCampaignAccount } from '../campaigns/account.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import { isFinal, type Reason, replied, samePerson, takenOut } from '../recipients/reasons.ts'
import type { End } from './decide-step.ts'
import type { EngineDependencies } from './dependencies.ts'
import type { RecipientRow } from './recipient-rows.ts'
import type { RecipientEnd } from './store-ends.ts'

/** `details.reason` is the reason in privacy, such as `OPTED_OUT`. */
export const toReason = ({ code, message, details, errors }: Problem): Reason => ({
  code: String(details.reason ?? errors?.[0]?.code ?? code),
  message: errors?.[0]?.message ?? message,
})

/**
 * `skipped`: nobody has written to the person. Otherwise a reason that can change is a failure, which may be retried. Who gets the messages
 * for another lead of theirs, or was taken out, is `stopped`.
 */
export const toRefusedEnd = (
  { id, lastSentAt }: Pick<RecipientRow, 'id' | 'lastSentAt'>,
  reason: Reason,
): RecipientEnd => ({
  id,
  status: lastSentAt === null ? 'skipped' : isEnd(reason.code) ? 'stopped' : 'failed',
  reason,
})

const isEnd = (code: string) => isFinal(code) || code === samePerson.code || code === takenOut.code

/** The channel of the account by which the campaign sends; null: there is none. */
export async function findChannel(
  tx: Tx,
  { accounts }: EngineDependencies,
  campaign: CampaignRow,
): Promise<Channel | null> {
  const account = await findCampaignAccount(tx, accounts, campaign)
  return (account && accounts.getProvider(account.provider, await getEnvironment(tx))?.channel) ?? null
}

export interface RecipientEnding {
  recipient: Pick<RecipientRow, 'id' | 'leadId' | 'lastSentAt'>
  end: End
}

/** An opt-out says more than the reply that it is, whoever learns of it first. `getChannel`: called if somebody has replied. */
export async function preferOptOuts(
  tx: Tx,
  getChannel: () => Promise<Channel | null>,
  endings: readonly RecipientEnding[],
): Promise<RecipientEnd[]> {
  const replies = endings.filter(({ end }) => end.reason?.code === replied.code)
  const channel = replies.length > 0 ? await getChannel() : null
  const contacts = channel
    ? await previewContacts(
        tx,
        channel,
        replies.map(({ recipient: { leadId } }) => ({ leadId })),
      )
    : []
  const optOuts = new Map(
    contacts.flatMap((contact, index) => {
      const { recipient } = replies[index]!
      const reason = contact instanceof Problem ? toReason(contact) : null
      return reason && isFinal(reason.code) ? [[recipient.id, toRefusedEnd(recipient, reason)]] : []
    }),
  )
  return endings.map(({ recipient: { id }, end }) => optOuts.get(id) ?? { id, ...end })
}
