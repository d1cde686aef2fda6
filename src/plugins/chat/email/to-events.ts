/** What a message of the mailbox means: a message of a person, an answer of a machine, or a report about one of ours. */
import { parseEmail } from '../../../domain/contact/email.ts'
import { readInvitationReply } from '../../../domain/icalendar/read-reply.ts'
import { isAutoReply, isMassMail } from '../../../domain/messaging/auto-reply.ts'
import { removeQuotedText } from '../../../domain/messaging/quoted-text.ts'
import type {
  ChatFailure,
  ChatIdentity,
  InboundContent,
  InboundEmail,
  InboundEvent,
  InboundMedia,
  MediaKind,
} from '../../chat.ts'
import { readAuthentication } from './authentication.ts'
import { toDeliveryFailure } from './delivery-failure.ts'
import { mailMaxBytes } from './imap.ts'
import { parseMessageIds, parseOwnMessageId } from './message-id.ts'
import type { MailAddress, MailFile, ReadMail } from './read-mail.ts'
import { type MailboxReport, readReport } from './reports.ts'
import { formatMediaId, type MailOrigin } from './stored-mail.ts'

interface Base {
  externalId: string
  at: Temporal.Instant
}

/** Portals write in the name of a person: the person is in Reply-To. */
const noReplyAddress =
  /^(?:no[._-]?reply|do[._-]?not[._-]?reply|not[ií]fica\w*|notifications?|noresponder|nao-?responda|alerts?|leads?|contact[eo]?s?)(?:[+._-].*)?@/i

export function toEvents(mail: ReadMail, origin: MailOrigin): InboundEvent[] {
  const base: Base = {
    externalId: toOwnAddress(origin),
    at: Temporal.Instant.fromEpochMilliseconds(origin.receivedAt),
  }
  const report = readReport(mail)
  return [report ? toReportEvent(report, base) : toMessageEvent(mail, origin, base)]
}

/** The account's id, as `connect` returns it. */
export function toOwnAddress({ address }: MailOrigin): string {
  return parseEmail(address) ?? address.toLowerCase()
}

function toReportEvent(report: MailboxReport, base: Base): InboundEvent {
  const { kind, messageId, recipients } = report
  const to = recipients.map((value): ChatIdentity => ({ kind: 'email', value }))
  if (kind === 'complaint') return toComplaint(messageId, to, base)
  if (kind === 'delayed')
    return { ...base, type: 'ignored', what: 'A message is delayed; the server tries again.' }
  if (messageId === null || to.length === 0)
    return {
      ...base,
      type: 'ignored',
      what: 'A report of a mail server that does not name the message or the recipient.',
    }
  return {
    ...base,
    type: 'status',
    providerMessageId: messageId,
    messageId: parseOwnMessageId(messageId),
    to,
    status: kind,
    // A report tells of the recipient's server, and anybody can write one: never of our account.
    failure: kind === 'failed' ? toBounce(toDeliveryFailure({ ...report, command: null })) : null,
  }
}

/** Anybody can write a report about any address: it counts for a message of ours to that address. */
function toComplaint(header: string | null, from: ChatIdentity[], base: Base): InboundEvent {
  const messageId = header === null ? null : parseOwnMessageId(header)
  return messageId !== null && from.length > 0
    ? { ...base, type: 'marketing_preference', from, accepts: false, messageId }
    : {
        ...base,
        type: 'ignored',
        what: 'A report of spam that does not name a message of ours and who got it.',
      }
}

const toBounce = (failure: ChatFailure): ChatFailure =>
  failure.scope === 'account' ? { ...failure, scope: 'message' } : failure

function toMessageEvent(mail: ReadMail, origin: MailOrigin, base: Base): InboundEvent {
  const own = base.externalId
  const sender = findSender(mail)
  if (sender === null) return { ...base, type: 'unreadable', reason: 'The message has no valid sender.' }
  const id = parseMessageIds(mail.headers.get('message-id') ?? '')[0]
  const isEcho = sender.address === own
  const authentication = readAuthentication(mail.traces, origin)
  if (isEcho && [authentication.spf, authentication.dmarc].some(result => result?.includes('fail')))
    return { ...base, type: 'ignored', what: 'The message pretends to be from this account.' }
  if (isEcho && id !== undefined && parseOwnMessageId(id) !== null) return toOwnSent(id, mail, base)
  // Anybody can write the address of the account: a message counts as its own only if the server has checked that.
  if (isEcho && !authentication.dmarc?.endsWith('pass'))
    return { ...base, type: 'ignored', what: 'Nothing proves that the message is from this account.' }
  const person = isEcho ? findRecipient(mail, own) : sender
  if (person === null) return { ...base, type: 'ignored', what: 'A message of the account to itself.' }
  const references = toReferences(mail.headers)
  const facts = { headers: mail.headers, subject: mail.subject }
  const isAutomatic = isAutoReply(facts)
  if (isMassMail(facts) && references.length === 0 && !isEcho)
    return { ...base, type: 'ignored', what: 'A newsletter or a mailing list.' }
  return {
    ...base,
    type: 'message',
    from: [{ kind: 'email', value: person.address }],
    providerMessageId: id ?? `imap:${origin.uidValidity}:${origin.uid}`,
    profileName: (isEcho ? '' : person.name) || null,
    content: toContent(mail, origin),
    replyTo: references.at(-1) ?? null,
    email: {
      subject: mail.subject,
      references,
      fullText: mail.text,
      authentication,
      ...toAnswer(mail, references),
    },
    referral: null,
    nature: isAutomatic || isMassMail(facts) ? 'auto_reply' : 'person',
    isEcho,
  }
}

function toAnswer({ calendar }: ReadMail, references: string[]): Pick<InboundEmail, 'reply' | 'answeredIds'> {
  const reply = calendar === null ? null : readInvitationReply(calendar)
  const answeredIds = references.flatMap(id => parseOwnMessageId(id) ?? [])
  return { ...(reply ? { reply } : {}), ...(answeredIds.length > 0 ? { answeredIds } : {}) }
}

/** A copy of a message that we sent: proof that it was sent. */
function toOwnSent(id: string, mail: ReadMail, base: Base): InboundEvent {
  const to = mail.to.flatMap(({ address }) => toIdentity(address))
  return {
    ...base,
    type: 'status',
    providerMessageId: id,
    messageId: parseOwnMessageId(id),
    to,
    status: 'sent',
    failure: null,
  }
}

function toIdentity(address: string): ChatIdentity[] {
  const value = parseEmail(address)
  return value === null ? [] : [{ kind: 'email', value }]
}

function findSender({ from, replyTo }: ReadMail): MailAddress | null {
  const sender = toValid(from[0])
  const answerTo = replyTo.length === 1 ? toValid(replyTo[0]) : null
  return sender && answerTo && noReplyAddress.test(sender.address) ? answerTo : sender
}

function findRecipient({ to }: ReadMail, own: string): MailAddress | null {
  return to.map(toValid).find(address => address !== null && address.address !== own) ?? null
}

function toValid(entry: MailAddress | undefined): MailAddress | null {
  const address = entry === undefined ? null : parseEmail(entry.address)
  return address === null ? null : { name: entry!.name.slice(0, 200), address }
}

/** The thread, the oldest first; the answered message is the last. */
function toReferences(headers: ReadonlyMap<string, string>): string[] {
  const answered = parseMessageIds(headers.get('in-reply-to') ?? '')[0]
  const thread = parseMessageIds(headers.get('references') ?? '')
  return answered === undefined ? thread : [...thread.filter(id => id !== answered), answered]
}

function toContent(mail: ReadMail, origin: MailOrigin): InboundContent {
  const subject = mail.subject ?? ''
  if (origin.part === 'head' || mail.isPartial) {
    const reason =
      origin.bytes > mailMaxBytes ? 'The message is larger than 25 MB' : "The message can't be read"
    return {
      kind: 'unsupported',
      description: `${reason}. Open it in the mailbox. Subject: ${subject || '–'}`,
    }
  }
  const text = removeQuotedText(mail.text)
  const media = mail.files.map(file => toMedia(file, origin))
  if (media.length > 0) return { kind: 'media', media, caption: text || null }
  if (text !== '' || subject !== '') return { kind: 'text', text: text || subject }
  return { kind: 'unsupported', description: 'The message is empty.' }
}

function toMedia({ partId, mediaType, fileName, bytes }: MailFile, origin: MailOrigin): InboundMedia {
  return {
    kind: toMediaKind(mediaType),
    providerMediaId: formatMediaId(origin, partId),
    mediaType,
    fileName,
    bytes,
  }
}

function toMediaKind(mediaType: string): MediaKind {
  const [type] = mediaType.split('/')
  return type === 'image' || type === 'video' || type === 'audio' ? type : 'document'
}
