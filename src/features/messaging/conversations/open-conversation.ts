/** Opens the conversation of an account with a lead. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { notFound, Problem } from '../../../kit/problem.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import { assertAccount, type ChatAccounts } from '../../accounts/service.ts'
import { getAccountProvider } from '../account-provider.ts'
import { formatKinds, selectIdentities } from '../identities.ts'
import { accountNotSending, noIdentity } from '../problems.ts'
import {
  addIdentities,
  attachLead,
  findConversationIds,
  findConversationIdsOfLead,
  insertConversation,
  lockNewConversations,
  reopenConversation,
} from './queries.ts'

/**
 * Returns the conversation of the account with the person of the lead; creates it if there is none. A closed one is
 * opened again. Throws 404 for an unknown account or lead, 409 ACCOUNT_NOT_SENDING for a disconnected account, 422
 * NO_IDENTITY.
 */
export async function openConversation(
  tx: Tx,
  accounts: Pick<ChatAccounts, 'getProvider'>,
  { accountId, leadId }: { accountId: string; leadId: string },
): Promise<{ id: string; isNew: boolean }> {
  await lockLeadWrites(tx)
  await lockNewConversations(tx, accountId)
  const account = await assertAccount(tx, accountId)
  const provider = getAccountProvider(accounts, account)
  const identifiers = await readIdentifiers(tx, leadId)
  const kinds = provider.capabilities.identities
  const identities = selectIdentities(identifiers, kinds)
  const [existing] = await findConversationIdsOfLead(tx, accountId, leadId)
  if (existing === undefined && identities.length === 0)
    throw new Problem(
      noIdentity,
      `The lead has no ${formatKinds(kinds)}, which ${provider.label} needs. Add one to the lead, or choose another account.`,
    )
  const id = existing ?? (await findConversationIds(tx, accountId, identities))[0]
  if (id === undefined) {
    if (account.status === 'DISCONNECTED')
      throw new Problem(
        accountNotSending,
        'The account is disconnected. Connect it again, or choose another account.',
      )
    return { id: await insertConversation(tx, { accountId, leadId, identities }), isNew: true }
  }
  await addIdentities(tx, { conversationId: id, accountId, identities })
  await attachLead(tx, id, leadId)
  await reopenConversation(tx, id)
  return { id, isNew: false }
}

/** The phones, addresses and chats of a lead. Throws 404. */
async function readIdentifiers(tx: Tx, leadId: string): Promise<string[]> {
  const { rows } = await sql<{ identifiers: string[] }>`
    select array_remove(array[phone, email] || identifiers, null) as identifiers from leads
    where tenant_id = ${getTenantId(tx)} and id = ${leadId}`.execute(tx)
  if (!rows[0]) throw notFound('lead')
  return rows[0].identifiers
}
