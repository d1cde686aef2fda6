/** A person has another number or id at the provider. */
import type { Tx } from '../../../kit/db/index.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import type { InboundEvent } from '../../../plugins/chat.ts'
import { changeIdentifiers } from '../../leads/service.ts'
import { findConversationIds, findIdentitiesOf } from '../conversations/queries.ts'
import { inheritInboundTime } from '../conversations/seen-identities.ts'
import { formatIdentity, toContactIdentifiers, toLeadValues } from '../identities.ts'
import { findOrCreateConversation } from '../participants/find-or-create-conversation.ts'
import { takeIdentities } from '../participants/identity-owners.ts'
import { assignLead } from './conversation-lead.ts'
import { findLeadsOfPerson, takeFromFormerOwners } from './former-owners.ts'
import type { ReceivingAccount } from './inbound-event.ts'
import { toValidIdentities } from './valid-identities.ts'

/**
 * The conversation and its leads continue under the current identities. The former ones may soon belong to somebody else. Does
 * nothing if the account has no conversation with the person.
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
  const conversation = await findOrCreateConversation(tx, account.id, identities)
  if (conversation.leadId === null) await assignLead(tx, conversation)
  const kept = current.map(formatIdentity)
  const gone = former.filter(identity => !kept.includes(formatIdentity(identity)))
  await inheritInboundTime(tx, conversation.id, current)
  await takeIdentities(tx, account.id, gone)
  await takeFromFormerOwners(tx, await findIdentitiesOf(tx, [conversation.id]))
  const change = { added: toContactIdentifiers(current), removed: gone.flatMap(toLeadValues) }
  const leadIds = await findLeadsOfPerson(tx, conversation.id, change.removed)
  await changeIdentifiers(
    tx,
    leadIds.map(leadId => ({ leadId, ...change })),
  )
}
