/** Reads the INBOX: what is new since the cursor, then each message as it arrives (IDLE). */
import type { FetchMessageObject, ImapFlow, MailboxObject, MessageAddressObject } from 'imapflow'
import MailComposer from 'nodemailer/lib/mail-composer'
import { createFairQueue } from '../../../kit/fair-queue.ts'
import type { ChatContext, ChatMailbox, Connection } from '../../chat.ts'
import type { EmailCredentials } from './credentials.ts'
import { inboxFolder, mailMaxBytes, withImap } from './imap.ts'
import { headMaxBytes, readLargeMail } from './large-mail.ts'
import {
  formatCursor,
  formatStoredMail,
  type MailboxCursor,
  type MailOrigin,
  parseCursor,
} from './stored-mail.ts'

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
    last = toEnd(mailbox, now)
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
      last = { uidValidity, uid, receivedAt: mail?.origin.receivedAt || last.receivedAt }
      if (mail) await onBody(formatStoredMail(mail.origin, mail.bytes), formatCursor(last))
    }
    if (last.uidValidity !== uidValidity) last = { ...last, uidValidity, uid: mailbox.uidNext - 1 }
    await isNew
  }
}

/** The position after all messages that the mailbox has now. */
export const toEnd = (
  { uidValidity, uidNext }: Pick<MailboxObject, 'uidValidity' | 'uidNext'>,
  now: Temporal.Instant,
): MailboxCursor => ({
  uidValidity: String(uidValidity),
  uid: uidNext - 1,
  receivedAt: now.epochMilliseconds,
})

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

/** The message that the server of an account last failed to hand out, so that none blocks those after it. */
const failures = new Map<string, { uid: number; count: number; countedAt: Temporal.Instant }>()
/** After so many failures less of the message is read. */
const failuresPerPart = 3
/** A server that fails as a whole says nothing about the message: such a failure counts once an hour. */
const outageHours = 1

type Reader = (client: ImapFlow, uid: number, place: Place, signal: AbortSignal) => Promise<StoredMail | null>

/** Each reads less than the one before. */
const readers: readonly Reader[] = [
  (client, uid, place, signal) => readMail(client, uid, place, { isHead: false, signal }),
  (client, uid, place, signal) => readMail(client, uid, place, { isHead: true, signal }),
  readEnvelope,
  // People see in the health of the account that a message could not be read.
  async (_client, uid, place) => ({
    origin: { ...place, uid, receivedAt: 0, bytes: 0, part: 'head' },
    bytes: Buffer.alloc(0),
  }),
]

/** Reads a message, or as much of it as the server hands out. Null: it was deleted meanwhile. */
async function readAtLast(
  client: ImapFlow,
  uid: number,
  place: Place,
  { now, signal }: Pick<ChatContext, 'now' | 'signal'>,
): Promise<StoredMail | null> {
  const last = failures.get(place.accountId)
  const failed = last?.uid === uid ? last : { uid, count: 0, countedAt: now }
  const read = readers[Math.min(Math.floor(failed.count / failuresPerPart), readers.length - 1)]!
  try {
    const mail = await read(client, uid, place, signal)
    failures.delete(place.accountId)
    return mail
  } catch (error) {
    if (signal.aborted) throw error
    const isCounted =
      now.since(failed.countedAt).total('hours') >= outageHours || (await isOfMessage(client, error))
    failures.set(place.accountId, isCounted ? { uid, count: failed.count + 1, countedAt: now } : failed)
    throw error
  }
}

/** Returns whether the server goes on after a failure, and did not refuse the rate. */
async function isOfMessage(client: ImapFlow, error: unknown): Promise<boolean> {
  if ((error as { code?: unknown }).code === 'ETHROTTLE') return false
  return client.noop().then(
    () => !client.isClosed,
    () => false,
  )
}

/** Reads what the server knows of a message without reading it. Null: it was deleted meanwhile. */
async function readEnvelope(client: ImapFlow, uid: number, place: Place): Promise<StoredMail | null> {
  const query = { uid: true, envelope: true, internalDate: true }
  const facts = await client.fetchOne(String(uid), query, { uid: true })
  if (!facts) return null
  const { from = [], to = [], subject, messageId, inReplyTo } = facts.envelope ?? {}
  const toAddresses = (list: MessageAddressObject[]) =>
    list.map(({ name = '', address = '' }) => ({ name, address }))
  const head = new MailComposer({
    from: toAddresses(from)[0],
    to: toAddresses(to),
    subject,
    messageId,
    inReplyTo,
  })
  const origin: MailOrigin = { ...place, uid, receivedAt: toReceivedAt(facts), bytes: 0, part: 'head' }
  return { origin, bytes: await head.compile().build() }
}

interface StoredMail {
  origin: MailOrigin
  bytes: Buffer
}

type Place = Pick<MailOrigin, 'accountId' | 'address' | 'host' | 'uidValidity'>

/** `maxBytes`: of a larger message only the headers and the text are read. Null: it was deleted meanwhile. */
export async function readMail(
  client: ImapFlow,
  uid: number,
  place: Place,
  { isHead, signal, maxBytes = mailMaxBytes }: { isHead: boolean; signal: AbortSignal; maxBytes?: number },
): Promise<StoredMail | null> {
  const facts = await client.fetchOne(
    String(uid),
    { uid: true, size: true, internalDate: true },
    { uid: true },
  )
  if (!facts) return null
  const bytes = facts.size ?? 0
  const origin = { ...place, uid, receivedAt: toReceivedAt(facts), bytes }
  if (!isHead && bytes > maxBytes) {
    const large = await readLargeMail(client, uid)
    return large && { origin: { ...origin, part: 'text', files: large.files }, bytes: large.bytes }
  }
  const part = isHead ? 'head' : 'all'
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
    if (content === false) return null
    if (!content.source) throw new Error('the server did not hand out the message')
    return { origin: { ...origin, part }, bytes: content.source }
  } finally {
    release()
  }
}

function toReceivedAt({ internalDate }: FetchMessageObject): number {
  const time = internalDate === undefined ? Number.NaN : new Date(internalDate).getTime()
  return Number.isFinite(time) ? time : 0
}
