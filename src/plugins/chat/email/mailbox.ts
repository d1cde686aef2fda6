/** Reads the INBOX: what is new since the cursor, then each message as it arrives (IDLE). */
import type { FetchMessageObject, ImapFlow } from 'imapflow'
import { createFairQueue } from '../../../kit/fair-queue.ts'
import type { ChatContext, ChatMailbox, Connection } from '../../chat.ts'
import type { EmailCredentials } from './credentials.ts'
import { inboxFolder, mailMaxBytes, withImap } from './imap.ts'
import {
  formatCursor,
  formatStoredMail,
  type MailboxCursor,
  type MailOrigin,
  parseCursor,
} from './stored-mail.ts'

/** What is stored of a message that is too large: its headers. */
const headMaxBytes = 256 * 1024
/** Larger messages of all mailboxes are read a few at a time, because each is in memory as a whole. */
const smallMaxBytes = 1024 * 1024
/** A restored mailbox is read again from the day before the last message; `SINCE` has no time. */
const restoredDays = 2

const largeMails = createFairQueue({
  name: 'large e-mails',
  capacity: 4,
  reserved: 1,
  waitingMax: { all: 0, tenant: 0, key: 0 },
  waitMaxMs: 0,
  retryAfterSeconds: 1,
})

type ListenOptions = Parameters<ChatMailbox<EmailCredentials>['listen']>[1]

/** Listens until the signal is aborted: then it returns. Throws ChatError. */
export async function listenToMailbox(
  connection: Connection<EmailCredentials>,
  options: ListenOptions,
  context: ChatContext,
): Promise<void> {
  const { signal } = context
  await withImap(connection.credentials, context, client =>
    readForever(client, connection, options, context),
  ).catch(error => {
    if (!signal.aborted) throw error
  })
}

async function readForever(
  client: ImapFlow,
  connection: Connection<EmailCredentials>,
  { cursor, onBody }: ListenOptions,
  { now, signal }: ChatContext,
): Promise<void> {
  const news = watchMailbox(client, signal)
  const mailbox = await client.mailboxOpen(inboxFolder, { readOnly: true })
  const uidValidity = String(mailbox.uidValidity)
  const { address, imap } = connection.credentials
  const origin = { accountId: connection.accountId, address, host: imap.host, uidValidity }
  let last = cursor === null ? null : parseCursor(cursor)
  if (last === null) {
    // Older messages are not read. The position is stored at once, so that nothing is missed from here on.
    last = { uidValidity, uid: mailbox.uidNext - 1, receivedAt: now.epochMilliseconds }
    const start: MailOrigin = {
      ...origin,
      uid: last.uid,
      receivedAt: last.receivedAt,
      bytes: 0,
      part: 'start',
    }
    await onBody(formatStoredMail(start, Buffer.alloc(0)), formatCursor(last))
  }
  for (;;) {
    const isNew = news.next()
    for (const uid of await findNewUids(client, uidValidity, last)) {
      signal.throwIfAborted()
      const mail = await readAtLast(client, uid, origin, { now, signal })
      last = { uidValidity, uid, receivedAt: mail?.origin.receivedAt ?? last.receivedAt }
      if (mail) await onBody(formatStoredMail(mail.origin, mail.bytes), formatCursor(last))
    }
    if (last.uidValidity !== uidValidity) last = { ...last, uidValidity, uid: mailbox.uidNext - 1 }
    await isNew
  }
}

/** `next()` resolves when messages arrive after the call, and fails when the connection or the mailbox is closed. */
function watchMailbox(client: ImapFlow, signal: AbortSignal) {
  let arrival = Promise.withResolvers<void>()
  const fail = () => {
    arrival.promise.catch(() => {})
    arrival.reject(signal.aborted ? signal.reason : new Error('the server closed the connection'))
  }
  client.on('close', fail)
  client.on('mailboxClose', fail)
  client.on('exists', () => arrival.resolve())
  return {
    next() {
      if (client.isClosed) throw new Error('the server closed the connection')
      arrival = Promise.withResolvers()
      arrival.promise.catch(() => {})
      return arrival.promise
    },
  }
}

/** In ascending order. */
async function findNewUids(client: ImapFlow, uidValidity: string, last: MailboxCursor): Promise<number[]> {
  if (last.uidValidity !== uidValidity) {
    const since = new Date(last.receivedAt - restoredDays * 86_400_000)
    return toSorted(await client.search({ since }, { uid: true }))
  }
  // `*` is the last message, even if its number is lower.
  const found = await client.search({ uid: `${last.uid + 1}:*` }, { uid: true })
  return toSorted(found).filter(uid => uid > last.uid)
}

function toSorted(found: number[] | false | undefined): number[] {
  if (!found) throw new Error('the server refused to search the mailbox')
  return found.toSorted((one, other) => one - other)
}

/** The message at which the last connections of an account ended, so that none blocks those after it. */
const failures = new Map<string, { uid: number; count: number }>()
/** After so many failures only the headers are read, then nothing but that the message exists. */
const failuresMax = { all: 3, head: 6 }

/** Reads a message, or as much of it as the server hands out. Null: it was deleted meanwhile. */
async function readAtLast(
  client: ImapFlow,
  uid: number,
  place: Place,
  { now, signal }: Pick<ChatContext, 'now' | 'signal'>,
): Promise<StoredMail | null> {
  const failed = failures.get(place.accountId)
  const count = failed?.uid === uid ? failed.count : 0
  try {
    const mail =
      count < failuresMax.head
        ? await readMail(client, uid, place, { isHead: count >= failuresMax.all, signal })
        : {
            origin: { ...place, uid, receivedAt: now.epochMilliseconds, bytes: 0, part: 'head' as const },
            bytes: Buffer.alloc(0),
          }
    failures.delete(place.accountId)
    return mail
  } catch (error) {
    if (!signal.aborted) failures.set(place.accountId, { uid, count: count + 1 })
    throw error
  }
}

interface StoredMail {
  origin: MailOrigin
  bytes: Buffer
}

type Place = Pick<MailOrigin, 'accountId' | 'address' | 'host' | 'uidValidity'>

/** Null: it was deleted meanwhile. */
async function readMail(
  client: ImapFlow,
  uid: number,
  place: Place,
  { isHead, signal }: { isHead: boolean; signal: AbortSignal },
): Promise<StoredMail | null> {
  const facts = await client.fetchOne(
    String(uid),
    { uid: true, size: true, internalDate: true },
    { uid: true },
  )
  if (!facts) return null
  const bytes = facts.size ?? 0
  const part = isHead || bytes > mailMaxBytes ? 'head' : 'all'
  const release =
    part === 'all' && bytes > smallMaxBytes
      ? await largeMails.acquire({ tenantId: place.accountId }, { signal, waitsForever: true })
      : () => {}
  try {
    const maxLength = part === 'head' ? headMaxBytes : mailMaxBytes
    const content = await client.fetchOne(
      String(uid),
      { uid: true, source: { start: 0, maxLength } },
      { uid: true },
    )
    if (content === false || content.source === undefined) return null
    const origin: MailOrigin = { ...place, uid, receivedAt: toReceivedAt(facts), bytes, part }
    return { origin, bytes: content.source }
  } finally {
    release()
  }
}

function toReceivedAt({ internalDate }: FetchMessageObject): number {
  const time = internalDate === undefined ? Number.NaN : new Date(internalDate).getTime()
  return Number.isFinite(time) ? time : 0
}
