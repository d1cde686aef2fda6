/** Writes an e-mail: headers and MIME parts. What callers enter can't add a header or a part. */
import { Readable } from 'node:stream'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { CalendarPart, OutgoingContent, OutgoingMedia, OutgoingMessage } from '../../chat.ts'
import type { EmailCredentials } from './credentials.ts'
import { parseMessageIds, toMessageId } from './message-id.ts'

export interface ComposedMail {
  messageId: string
  /** The estimated size, for servers that refuse large messages before they arrive. */
  bytes: number
  /** Fails if the file can't be read or is longer than stated. */
  stream: Readable
}

export interface MailDraft {
  message: OutgoingMessage
  /** The address of the person. */
  to: string
  now: Temporal.Instant
}

const subjectMaxLength = 200
/** A first message without a subject takes it from its first line. */
const firstLineMaxLength = 78
const replyPrefix = /^\s*(?:re|aw|rv|sv|r)\s?:/i

export function composeMail({ address, name }: EmailCredentials, draft: MailDraft): ComposedMail {
  const { message, to, now } = draft
  const { text, html, media, calendar } = toParts(message.content)
  const messageId = toMessageId(message.id, address)
  const references = toReferences(message)
  const mail = new MailComposer({
    from: { name: toLine(name ?? ''), address },
    to: { name: '', address: to },
    subject: toSubject(message, text, references.length > 0),
    date: new Date(now.epochMilliseconds),
    messageId,
    ...(references.length > 0 ? { inReplyTo: references.at(-1)!, references } : {}),
    headers: {
      ...toUnsubscribeHeaders(message.unsubscribeUrl, address),
      // RFC 3834.
      ...(message.automatic && { 'Auto-Submitted': `auto-${message.automatic}` }),
    },
    text,
    ...(html !== null && { html }),
    textEncoding: 'quoted-printable',
    disableFileAccess: true,
    disableUrlAccess: true,
    attachments: media === null ? [] : [toAttachment(media)],
    ...(calendar && {
      icalEvent: { method: calendar.method, filename: 'invite.ics', content: calendar.text },
    }),
  })
  return {
    messageId,
    // Base64 has four characters for three bytes, and a line break after 76.
    bytes:
      Buffer.byteLength(text) * 3 +
      Buffer.byteLength(html ?? '') * 3 +
      Math.ceil((media?.bytes ?? 0) * 1.37) +
      // It is an alternative and a file.
      Buffer.byteLength(calendar?.text ?? '') * 3 +
      4096,
    stream: mail.compile().createReadStream(),
  }
}

export function isSendable({ kind }: OutgoingContent): boolean {
  return kind === 'text' || kind === 'template' || kind === 'media'
}

interface MailParts {
  text: string
  html: string | null
  media: OutgoingMedia | null
  calendar: CalendarPart | null
}

function toParts(content: OutgoingContent): MailParts {
  if (content.kind === 'media')
    return { text: content.caption ?? '', html: null, media: content.media, calendar: null }
  const { calendar = null, html = null } = content.kind === 'text' ? content : {}
  return { text: 'text' in content ? content.text : '', html, media: null, calendar }
}

function toAttachment({ mediaType, fileName, bytes, open }: OutgoingMedia) {
  return {
    filename: toLine(fileName ?? '') || false,
    contentType: /^[\w.+-]+\/[\w.+-]+$/.test(mediaType) ? mediaType : 'application/octet-stream',
    content: Readable.from(readBounded(open, bytes), { objectMode: false }),
  } as const
}

/** Opens the file when the server is ready for it. */
async function* readBounded(open: OutgoingMedia['open'], bytesMax: number) {
  let bytes = 0
  for await (const chunk of await open()) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new Error('the file is longer than stated')
    yield chunk
  }
  if (bytes < bytesMax) throw new Error('the file is shorter than stated')
}

function toReferences({ replyTo, thread }: OutgoingMessage): string[] {
  const ids = [...thread.references, ...(replyTo === null ? [] : [replyTo])].flatMap(parseMessageIds)
  // An id that is repeated counts where it is last, so that the answered message ends the list.
  return parseMessageIds([...new Set(ids.reverse())].reverse().join(' '))
}

function toSubject({ thread }: OutgoingMessage, text: string, isReply: boolean): string {
  const subject = toLine(thread.subject ?? '').slice(0, subjectMaxLength)
  if (subject === '') return truncate(toLine(text.trim().split('\n', 1)[0]!), firstLineMaxLength)
  return isReply && !replyPrefix.test(subject) ? `Re: ${subject}` : subject
}

function truncate(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1).trimEnd()}…`
}

/**
 * RFC 2369: mail programs use the first address that they can. RFC 8058: one click, only with https. Without it, the link may
 * lead to a machine that people cannot reach; what they send to the mailbox arrives.
 */
function toUnsubscribeHeaders(unsubscribeUrl: string | null, address: string): Record<string, string> {
  const url = unsubscribeUrl === null ? null : URL.parse(unsubscribeUrl)
  if (!url || !/^https?:$/.test(url.protocol)) return {}
  const mailto = `<mailto:${encodeURIComponent(address).replace('%40', '@')}?subject=STOP&body=STOP>`
  return url.protocol === 'https:'
    ? {
        'List-Unsubscribe': `<${url.href}>, ${mailto}`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }
    : { 'List-Unsubscribe': `${mailto}, <${url.href}>` }
}

/** On one line, without control characters and half characters. */
function toLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
}
