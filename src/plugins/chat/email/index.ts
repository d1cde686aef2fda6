/** E-mail as a channel of the inbox: a mailbox that is read over IMAP and sends over SMTP. */
import { parseEmail } from '../../../domain/contact/email.ts'
import {
  type AccountHealth,
  type ChatContext,
  ChatError,
  type ChatProvider,
  type Connection,
  interruptedResult,
  type OutgoingMessage,
  type SendResult,
} from '../../chat.ts'
import { composeMail, isSendable } from './compose.ts'
import { type EmailCredentials, emailCredentials } from './credentials.ts'
import { createFailure, toConnectionFailure } from './failures.ts'
import { inboxFolder, withImap } from './imap.ts'
import { listenToMailbox, toEnd } from './mailbox.ts'
import { openMailMedia } from './media.ts'
import { parseMailboxBody } from './parse-mailbox.ts'
import { findSentMail } from './reconcile.ts'
import { openSmtp, type SmtpSession } from './smtp.ts'
import { formatCursor, type MailboxCursor } from './stored-mail.ts'

/** Most servers accept 25 MB, and base64 adds a third. */
const attachmentMaxBytes = 18 * 1024 * 1024
const anyFile = { mediaTypes: [], bytesMax: attachmentMaxBytes }
const healthy: AccountHealth = {
  status: 'CONNECTED',
  reason: null,
  quality: null,
  dailyLimit: null,
  tier: null,
}

export const email: ChatProvider<typeof emailCredentials> = {
  id: 'email',
  label: 'E-mail',
  baseUrl: null,
  channel: 'email',
  mode: 'chat',
  credentials: emailCredentials,
  capabilities: {
    identities: ['email'],
    text: { charactersMax: 100_000 },
    media: {
      image: anyFile,
      video: anyFile,
      audio: anyFile,
      voice: anyFile,
      document: anyFile,
    },
    buttonsMax: 0,
    listRowsMax: 0,
    location: false,
    reactions: false,
    typing: false,
    invitations: true,
    receipts: false,
    templates: 'local',
    replyWindowHours: null,
    messagesPerSecond: 1,
    idempotent: false,
  },
  async connect(credentials, context) {
    const address = parseEmail(credentials.address)
    if (address === null)
      throw new ChatError(
        createFailure('INVALID_CREDENTIALS', 'The address of the mailbox is not an e-mail address.'),
      )
    const cursor = await signIn(credentials, context)
    return {
      ...healthy,
      externalId: address,
      phone: null,
      name: credentials.name ?? null,
      mailboxCursor: formatCursor(cursor),
    }
  },
  async checkHealth({ credentials }, context) {
    try {
      await signIn(credentials, context)
      return healthy
    } catch (error) {
      if (!(error instanceof ChatError) || error.failure.retryable) throw error
      return { ...healthy, status: 'LOGGED_OUT', reason: error.failure.message }
    }
  },
  send: sendEmail,
  reconcile: findSentMail,
  mailbox: { listen: listenToMailbox, parse: parseMailboxBody },
  openMedia: openMailMedia,
}

/** Signs in to both servers. Returns the end of the mailbox. Throws ChatError. */
async function signIn(credentials: EmailCredentials, context: ChatContext): Promise<MailboxCursor> {
  const session = await openSession(credentials, context)
  session.close()
  return withImap(credentials, context, async client =>
    toEnd(await client.mailboxOpen(inboxFolder, { readOnly: true }), context.now),
  )
}

async function openSession(credentials: EmailCredentials, context: ChatContext): Promise<SmtpSession> {
  try {
    return await openSmtp(credentials, context)
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason
    throw new ChatError(toConnectionFailure(error, 'SMTP', credentials.smtp.host), { cause: error })
  }
}

async function sendEmail(
  { credentials }: Connection<EmailCredentials>,
  message: OutgoingMessage,
  context: ChatContext,
): Promise<SendResult> {
  const to = findAddress(message)
  if (to === null)
    return refuse('RECIPIENT_UNREACHABLE', 'The person has no valid e-mail address.', 'recipient')
  if (!isSendable(message.content))
    return refuse(
      'UNSUPPORTED',
      `An e-mail can't have the kind ${message.content.kind}. Send a text or a file.`,
      'message',
    )
  let session: SmtpSession
  try {
    session = await openSession(credentials, context)
  } catch (error) {
    if (context.signal.aborted) return interruptedResult
    if (!(error instanceof ChatError)) throw error
    return { status: 'failed', failure: error.failure }
  }
  try {
    const mail = composeMail(credentials, { message, to, now: context.now })
    return await session.send(mail, { address: to, messageId: message.id })
  } finally {
    session.close()
  }
}

function findAddress({ to }: OutgoingMessage): string | null {
  const identity = to.find(({ kind }) => kind === 'email')
  return identity ? parseEmail(identity.value) : null
}

function refuse(
  code: 'RECIPIENT_UNREACHABLE' | 'UNSUPPORTED',
  message: string,
  scope: 'recipient' | 'message',
): SendResult {
  return { status: 'failed', failure: createFailure(code, message, { scope }) }
}
