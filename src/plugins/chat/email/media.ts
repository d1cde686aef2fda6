/** Opens a file of a message in the mailbox. */
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type ChatContext, ChatError, type Connection, type InboundMedia } from '../../chat.ts'
import type { EmailCredentials } from './credentials.ts'
import { createFailure } from './failures.ts'
import { inboxFolder, withImap } from './imap.ts'
import { parseMediaId } from './stored-mail.ts'

/** Each is a round trip to the server. */
const chunkBytes = 1024 * 1024

/** Whoever reads it bounds its size. The connection stays open while the file is read, and ends with it. Throws ChatError. */
export async function openMailMedia(
  { credentials }: Connection<EmailCredentials>,
  { providerMediaId }: InboundMedia,
  context: ChatContext,
): Promise<Readable> {
  const place = parseMediaId(providerMediaId)
  if (!place) throw createLost()
  const file = new PassThrough()
  // A failure before it is returned is thrown.
  file.on('error', () => {})
  const opened = Promise.withResolvers<Readable>()
  const reading = withImap(credentials, context, async client => {
    const { uidValidity } = await client.mailboxOpen(inboxFolder, { readOnly: true })
    if (String(uidValidity) !== place.uidValidity) throw createLost()
    const part = await client.download(String(place.uid), place.partId, {
      uid: true,
      decodeText: false,
      chunkSize: chunkBytes,
    })
    if (!part.content) throw createLost()
    opened.resolve(file)
    await pipeline(part.content, file)
  })
  reading.catch(error => {
    opened.reject(error)
    file.destroy(error)
  })
  return opened.promise
}

function createLost(): ChatError {
  return new ChatError(
    createFailure('MEDIA_REJECTED', 'The message is no longer in the inbox: it was moved or deleted there.', {
      scope: 'message',
    }),
  )
}
