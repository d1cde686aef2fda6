/** A person has another number or id at the provider. */
import type { Tx } from '../../../kit/db/index.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import type { InboundEvent } from '../../../plugins/chat.ts'
import { findConversationIds } from '../conversations/queries.ts'
import { formatIdentity } from '../identities.ts'
import { findOrCreateConversation, removeIdentities } from '../participants/find-or-create-conversation.ts'
import { assignLead } from './conversation-lead.ts'
import type { ReceivingAccount } from './inbound-event.ts'
import { toValidIdentities } from './valid-identities.ts'

/**
 * The conversation continues under the current identities. The former ones may soon belong to somebody else. Does nothing if
 * the account has no conversation with the person.
 */
export async function changeIdentity(
  tx: Tx,
  account: ReceivingAccount,
  event: InboundEvent & { type: 'identity_changed' },
): Promise<void> {
  const [former, current] = [toValidIdentities(event.former), toValidIdentities(event.current)]
  if (former.length === 0 || current.length === 0) return
  await lockLeadWrites(tx)
  if ((await findConversationIds(tx, account.id, former)).length === 0) return
  const identities = toValidIdentities([...former, ...current])
  const conversation = await findOrCreateConversation(tx, { accountId: account.id, leadId: null, identities })
  await assignLead(tx, conversation)
  const kept = current.map(formatIdentity)
  await removeIdentities(
    tx,
    account.id,
    former.filter(identity => !kept.includes(formatIdentity(identity))),
  )
}
