/** Opts the person out to whom a message was sent. */
import { type MessageLanguage, toMessageLanguage } from '../../../domain/messaging/opt-out-words.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { getWorkspaceLocale } from '../../leads/service.ts'
import { optOut } from '../../privacy/service.ts'
import { findIdentities } from '../conversations/queries.ts'
import { toContactIdentifiers } from '../identities.ts'

export interface FoundMessage {
  conversationId: string
  /** The address of the mailbox. */
  sender: string
  /** The language of the workspace. */
  language: MessageLanguage
}

export async function findMessage(tx: Tx, messageId: string): Promise<FoundMessage | null> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<Omit<FoundMessage, 'language'>>`
    select m.conversation_id as "conversationId", a.external_id as sender from messages m
    join accounts a on a.tenant_id = ${tenantId} and a.id = m.account_id
    where m.tenant_id = ${tenantId} and m.id = ${messageId}`.execute(tx)
  if (!rows[0]) return null
  const { country } = await getWorkspaceLocale(tx)
  return { ...rows[0], language: toMessageLanguage(country) }
}

/** Opts the person out of e-mails. Repeating it changes nothing. */
export async function refuseEmail(tx: Tx, messageId: string): Promise<FoundMessage | null> {
  const found = await findMessage(tx, messageId)
  if (!found) return null
  const identifiers = toContactIdentifiers(await findIdentities(tx, found.conversationId))
  const note = `unsubscribed with the link of message ${messageId}`
  await optOut(tx, identifiers, { channel: 'email', note }, { keyId: null, userId: null })
  return found
}
