/** A person refuses further messages: at once, for the channel, and for good. */

import { findLanguage } from '../../../documents/visitor-language.ts'
import type { Channel } from '../../../domain/contactability/facts.ts'
import { getExpiry } from '../../../domain/messaging/expiry.ts'
import {
  chooseLanguage,
  type MessageIntent,
  type MessageLanguage,
  optOutConfirmations,
  toMessageLanguage,
} from '../../../domain/messaging/opt-out-words.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { callHook } from '../../../kit/hook.ts'
import { getWorkspaceLocale } from '../../leads/service.ts'
import { optOut } from '../../privacy/service.ts'
import { findIdentities } from '../conversations/queries.ts'
import { conversationsRefused } from '../hooks.ts'
import { toContactIdentifiers } from '../identities.ts'
import { failQueued } from '../messages/fail-queued.ts'
import { insertMessage } from '../messages/insert-message.ts'
import { promoteNext } from '../messages/promote-next.ts'
import { toRefusal } from '../messages/to-failure.ts'
import type { ReceivingAccount } from './inbound-event.ts'
import { findSentLanguage, isOptOutConfirmed } from './queries.ts'

const noAuthor = { keyId: null, userId: null }

export interface Refusal {
  conversationId: string
  messageId: string
  intent: MessageIntent
  /** When the person wrote it. */
  requestedAt: Date
}

/**
 * Opts the person out of the channel of the account, fails what is queued for them, and confirms the first refusal of a
 * conversation. Call this after `lockLeadWrites`.
 */
export async function optOutPerson(
  tx: Tx,
  account: ReceivingAccount,
  { conversationId, messageId, intent, requestedAt }: Refusal,
): Promise<void> {
  const identifiers = toContactIdentifiers(await findIdentities(tx, conversationId))
  const note = `message ${messageId}`
  await optOut(tx, identifiers, { channel: account.channel, note, requestedAt }, noAuthor)
  await failQueued(tx, [conversationId], optedOutFailure)
  if (await isOptOutConfirmed(tx, conversationId)) return
  await queueConfirmation(tx, conversationId, await chooseConfirmationLanguage(tx, conversationId, intent))
}

/** That of the words, or the one in which the person was written to if the words belong to several. */
async function chooseConfirmationLanguage(
  tx: Tx,
  conversationId: string,
  intent: MessageIntent,
): Promise<MessageLanguage> {
  const { country } = await getWorkspaceLocale(tx)
  const written = findLanguage(await findSentLanguage(tx, conversationId))
  return chooseLanguage(intent, [...(written ? [written] : []), toMessageLanguage(country)])
}

/** Costs no quota and waits for nothing: what the person wrote must never be lost because of it. */
async function queueConfirmation(tx: Tx, conversationId: string, language: MessageLanguage): Promise<void> {
  await insertMessage(tx, {
    conversationId,
    direction: 'out',
    kind: 'text',
    text: optOutConfirmations[language],
    status: 'queued',
    nature: 'opt_out_confirmation',
    expiresAt: getExpiry('text', getNow(tx)),
  })
  await promoteNext(tx, [conversationId])
}

const optedOutFailure = toRefusal(
  'OPTED_OUT',
  'The person refused further messages before this one was sent.',
)

/** Handles `peopleOptedOut`: fails what is queued for the people of these leads. `getChannel`: of a provider. */
export const createOptOutHandler =
  (getChannel: (provider: string) => Channel | undefined) =>
  async (tx: Tx, { leadIds, channel }: { leadIds: string[]; channel: Channel | null }): Promise<void> => {
    const { rows } = await sql<{ id: string; provider: string }>`
      select c.id, a.provider from conversations c
      join accounts a on a.tenant_id = c.tenant_id and a.id = c.account_id
      where c.tenant_id = ${getTenantId(tx)} and c.lead_id = any(${leadIds}::uuid[]) order by c.id`.execute(
      tx,
    )
    const refused = rows
      .filter(({ provider }) => channel === null || getChannel(provider) === channel)
      .map(({ id }) => id)
    await failQueued(tx, refused, optedOutFailure)
    await callHook(tx, conversationsRefused, refused)
  }
