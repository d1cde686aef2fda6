/** Opens the conversation of an account with a lead. */
import type { Tx } from '../../../kit/db/index.ts'
import { type InputError, invalidInputs, Problem } from '../../../kit/problem.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import type { ChatProvider } from '../../../plugins/chat.ts'
import { type ChatAccounts, findAccounts } from '../../accounts/service.ts'
import { getAccountProvider } from '../account-provider.ts'
import { reopenConversation } from '../conversations/queries.ts'
import { formatKinds } from '../identities.ts'
import { findLeadIdentities } from '../lead-identities.ts'
import { accountNotSending, noIdentity } from '../problems.ts'
import { planConversations, storeConversations } from './conversations-of-leads.ts'

/**
 * Returns the conversation of the account with the person of the lead; creates it if there is none. A closed one is
 * opened again. Throws 400 for an unknown account or lead; if there is no conversation yet, 409 ACCOUNT_NOT_SENDING for
 * a disconnected account, and 422 NO_IDENTITY.
 */
export async function openConversation(
  tx: Tx,
  accounts: Pick<ChatAccounts, 'getProvider'>,
  { accountId, leadId }: { accountId: string; leadId: string },
): Promise<{ id: string; isNew: boolean }> {
  await lockLeadWrites(tx)
  const [account] = await findAccounts(tx, [accountId])
  const provider = account && getAccountProvider(accounts, account)
  const kinds = provider?.capabilities.identities ?? []
  const identities = await findLeadIdentities(tx, leadId, kinds)
  if (!provider || !identities)
    throw invalidInputs([...(account ? [] : [unknownAccount]), ...(identities ? [] : [unknownLead])])
  const [planned] = await planConversations(tx, accountId, [{ leadId, identities }])
  if (!planned) throw createNoIdentity(provider)
  const { id, isNew } = planned
  if (isNew && account.status === 'DISCONNECTED')
    throw new Problem(
      accountNotSending,
      'The account is disconnected. Connect it again, or choose another account.',
    )
  await storeConversations(tx, accountId, [planned])
  await reopenConversation(tx, id)
  return { id, isNew }
}

export const createNoIdentity = ({ label, capabilities }: ChatProvider): Problem =>
  new Problem(
    noIdentity,
    `The lead has no ${formatKinds(capabilities.identities)}, which ${label} needs. Add one to the lead, or choose another account.`,
  )

const unknownAccount: InputError = {
  path: '/accountId',
  code: 'UNKNOWN_ACCOUNT',
  message: 'There is no account with this id.',
}

export const unknownLead: InputError = {
  path: '/leadId',
  code: 'UNKNOWN_LEAD',
  message: 'There is no lead with this id.',
}
