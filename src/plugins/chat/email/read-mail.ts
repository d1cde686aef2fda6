/** Reads a raw message into plain data, within bounds: headers, text, and what is attached. Runs on a thread. */
import { type AddressObject, type AttachmentStream, type EmailAddress, MailParser } from 'mailparser'
import { replyMaxLength } from '../../../domain/icalendar/read-reply.ts'
import { toHtmlText } from './html-text.ts'

export interface MailAddress {
  name: string
  address: string
}

export interface MailFile {
  /** The part number of IMAP. */
  partId: string
  mediaType: string
  fileName: string | null
  /** Null: not known before it is read. */
  bytes: number | null
  /** Shown within the text, such as a logo. */
  isInline: boolean
}

/** A part of a report about another message: `message/delivery-status`, the message it is about, … */
export interface MailReport {
  mediaType: string
  text: string
}

export interface ReadMail {
  /** The first value of each header, by its name in lower case, as written. */
  headers: Map<string, string>
  /** Every Authentication-Results and Received in their order, the latest first. */
  traces: { name: string; value: string }[]
  from: MailAddress[]
  replyTo: MailAddress[]
  to: MailAddress[]
  subject: string | null
  /** With quoted messages. */
  text: string
  files: MailFile[]
  reports: MailReport[]
  /** The first iCalendar part, such as an answer to an invitation; null: there is none, or it is too long. */
  calendar: string | null
  /** Only the headers could be read. */
  isPartial: boolean
}

export const textMaxLength = 100_000
/** Longer pages are converted up to here. */
const htmlMaxLength = 512 * 1024
const headMaxBytes = 256 * 1024
const partsMax = 200
export const filesMax = 50
const reportMaxLength = 64 * 1024
const addressesMax = 50
const headersMax = 300
const headerMaxLength = 20_000
const tracesMax = 20
const options = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
  keepDeliveryStatus: true,
  ignoreEmbedded: true,
  checksumAlgo: false,
  maxHeadSize: headMaxBytes,
  maxChildNodes: partsMax,
} as const

const reportTypes =
  /^(?:message\/(?:delivery-status|global-delivery-status|disposition-notification|feedback-report|rfc822|global|rfc822-headers)|text\/rfc822-headers)$/
const calendarTypes = /^(?:text\/calendar|application\/ics)$/
/** Signatures of the message are no files for people. */
export const signatureTypes = /^application\/(?:(?:x-)?pkcs7-signature|pgp-signature)$/

/** Reads the whole message. If it exceeds a bound, only its headers. */
export async function readMail(mail: Uint8Array): Promise<ReadMail> {
  const bytes = Buffer.from(mail.buffer, mail.byteOffset, mail.byteLength)
  try {
    return await parse(bytes)
  } catch {
    return readHead(bytes)
  }
}

/** Reads only the headers that say who wrote what. */
export async function readHead(mail: Uint8Array): Promise<ReadMail> {
  const head = Buffer.from(mail.buffer, mail.byteOffset, Math.min(mail.byteLength, headMaxBytes)).toString(
    'latin1',
  )
  const end = /\r?\n\r?\n/.exec(head)?.index ?? head.length
  const lines = head
    .slice(0, end)
    .split(/\r?\n(?![ \t])/)
    .filter(line =>
      /^(?:from|to|subject|message-id|in-reply-to|references|date|auto-submitted|precedence|list-id):/i.test(
        line,
      ),
    )
    .slice(0, 50)
    .map(line => line.slice(0, headerMaxLength))
  return { ...(await parse(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'))), isPartial: true }
}

function parse(mail: Buffer): Promise<ReadMail> {
  const parser = new MailParser(options)
  const files: MailFile[] = []
  const reports: MailReport[] = []
  const calendars: string[] = []
  let text = ''
  const { promise, resolve, reject } = Promise.withResolvers<ReadMail>()
  parser.on('data', part => {
    if (part.type === 'text') text = toText(part)
    else readPart(part, { files, reports, calendars })
  })
  parser.on('error', reject)
  parser.on('end', () => {
    resolve({
      ...readHeaders(parser),
      text,
      files,
      reports,
      calendar: calendars[0] ?? null,
      isPartial: false,
    })
  })
  parser.end(mail)
  return promise
}

function toText({ text, html }: { text?: string; html?: string }): string {
  const plain = text?.slice(0, textMaxLength) ?? ''
  const chosen = plain.trim() === '' ? toHtmlText(html?.slice(0, htmlMaxLength) ?? '') : plain
  return chosen.slice(0, textMaxLength).toWellFormed()
}

interface Parts {
  files: MailFile[]
  reports: MailReport[]
  calendars: string[]
}

function readPart(part: AttachmentStream, { files, reports, calendars }: Parts): void {
  const mediaType = part.contentType.toLowerCase().slice(0, 100)
  const isReport = reportTypes.test(mediaType)
  const isCalendar = calendarTypes.test(mediaType)
  let bytes = 0
  let report = ''
  const calendar: Buffer[] = []
  part.content.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (isReport && report.length < reportMaxLength) report += chunk.toString('latin1')
    if (isCalendar && bytes <= replyMaxLength) calendar.push(chunk)
  })
  part.content.on('end', () => {
    if (isReport && reports.length < 10) reports.push({ mediaType, text: report.slice(0, reportMaxLength) })
    if (isCalendar && bytes <= replyMaxLength && calendars.length === 0)
      calendars.push(Buffer.concat(calendar).toString('utf8'))
    if (!signatureTypes.test(mediaType) && files.length < filesMax)
      files.push({
        partId: part.partId ?? '1',
        mediaType,
        fileName: part.filename?.slice(0, 255).toWellFormed() ?? null,
        bytes,
        isInline: part.related === true || part.contentDisposition === 'inline',
      })
    part.release?.()
  })
}

function readHeaders(
  parser: MailParser,
): Omit<ReadMail, 'text' | 'files' | 'reports' | 'calendar' | 'isPartial'> {
  const headers = new Map<string, string>()
  const traces: ReadMail['traces'] = []
  for (const { key, line } of parser.headerLines || []) {
    const isTrace = key === 'authentication-results' || key === 'received'
    if (!isTrace && (headers.has(key) || headers.size >= headersMax)) continue
    if (isTrace && traces.length >= tracesMax) continue
    const value = line
      .slice(key.length + 1, headerMaxLength)
      .replace(/\s+/g, ' ')
      .trim()
    if (isTrace) traces.push({ name: key, value })
    else headers.set(key, value)
  }
  return {
    headers,
    traces,
    from: toAddresses(parser.from),
    replyTo: toAddresses(parser.replyTo),
    to: toAddresses(parser.to),
    subject: toLine(parser.subject ?? '') || null,
  }
}

function toAddresses(header: AddressObject | AddressObject[] | undefined): MailAddress[] {
  const list: EmailAddress[] = [header ?? []].flat().flatMap(({ value }) => value)
  return list
    .flatMap(entry => entry.group ?? [entry])
    .slice(0, addressesMax)
    .flatMap(({ name, address }) => (address ? [{ name: toLine(name), address: address.slice(0, 320) }] : []))
}

function toLine(text: string): string {
  return text
    .slice(0, 500)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
}
