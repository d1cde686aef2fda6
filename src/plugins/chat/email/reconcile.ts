/** Finds out if a message was sent whose result was lost: many servers keep a copy of what they send. */
import type { ImapFlow } from 'imapflow'
import type { ChatContext, Connection, SendResult } from '../../chat.ts'
import type { EmailCredentials } from './credentials.ts'
import { inboxFolder, withImap } from './imap.ts'
import { toMessageId } from './message-id.ts'

/** Null: there is no copy, which proves nothing, because many servers keep none. Throws ChatError. */
export async function findSentMail(
  { credentials }: Connection<EmailCredentials>,
  { id }: { id: string },
  context: ChatContext,
): Promise<SendResult | null> {
  const messageId = toMessageId(id, credentials.address)
  return withImap(credentials, context, async client => {
    for (const path of await listFolders(client)) {
      await client.mailboxOpen(path, { readOnly: true })
      const found = await client.search({ header: { 'Message-ID': messageId } }, { uid: true })
      if (found && found.length > 0) return { status: 'sent', providerMessageId: messageId }
    }
    return null
  })
}

/** The folder of sent messages, and the INBOX: the person may be the account itself. */
async function listFolders(client: ImapFlow): Promise<string[]> {
  const folders = await client.list()
  const sent = folders.find(({ specialUse }) => specialUse === '\\Sent')
  return sent ? [sent.path, inboxFolder] : [inboxFolder]
}
