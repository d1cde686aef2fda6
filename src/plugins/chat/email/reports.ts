/** Reports of mail servers about a message: bounces (RFC 3464 and others), read receipts, complaints. */
import { parseEmail } from '../../../domain/contact/email.ts'
import { findEnhancedCode } from './failures.ts'
import { parseMessageIds } from './message-id.ts'
import type { ReadMail } from './read-mail.ts'

export interface MailboxReport {
  kind: 'failed' | 'delayed' | 'delivered' | 'read' | 'complaint'
  /** The Message-ID of the message that the report is about; null: the report does not have it. */
  messageId: string | null
  /** The recipients in the report and in the returned message: a forwarded message fails at an unknown address. */
  recipients: string[]
  /** Such as `5.1.1`; null: not reported. */
  enhancedCode: string | null
  replyCode: number | null
}

const senderNames =
  /^(?:mailer-daemon|postmaster|mail-daemon|mdaemon|bounces?|microsoftexchange[0-9a-f]*)(?:[+.-].*)?@/i
const bounceSubjects =
  /^\s*(?:undeliver(?:ed|able)|mail delivery (?:failed|failure|system)|delivery (?:status notification|has failed|failure)|returned mail|failure notice|delivery failure|message not delivered|non remis|non recapitabile|no se puede entregar|no se ha podido entregar|no entregado|no s['’]ha pogut lliurar|non entregado|não (?:é possível entregar|entregue)|falha na entrega|mancato recapito|notifica(?:ción)? (?:de estado|sullo stato)|unzustellbar|zustellung fehlgeschlagen|échec de la remise|echec de remise|notification d['’]état)/i
const textMaxLength = 32_000

/** Null: the message is not a report. */
export function readReport(mail: ReadMail): MailboxReport | null {
  const contentType = mail.headers.get('content-type') ?? ''
  const type = /report-type\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1]?.toLowerCase()
  const find = (pattern: RegExp) => mail.reports.find(({ mediaType }) => pattern.test(mediaType))?.text
  const delivery = find(/delivery-status$/)
  // A person may forward a report: it is an attachment of their message.
  if (delivery !== undefined && (type === 'delivery-status' || isFromServer(mail)))
    return readDeliveryStatus(delivery, mail)
  if (type === 'disposition-notification') return readDisposition(find(/disposition-notification$/) ?? '')
  if (type === 'feedback-report') return readComplaint(find(/feedback-report$/) ?? '', mail)
  return readOtherBounce(mail)
}

/** RFC 3464: a block about the message, then one for each recipient. We write to one person at a time. */
function readDeliveryStatus(text: string, mail: ReadMail): MailboxReport {
  const fields = parseFields(text)
  const action = fields.get('action')?.toLowerCase() ?? 'failed'
  const diagnostic = fields.get('diagnostic-code') ?? ''
  return {
    kind: action === 'delayed' ? 'delayed' : action === 'failed' ? 'failed' : 'delivered',
    messageId: findOriginalId(mail),
    recipients: toRecipients(
      fields.get('final-recipient'),
      fields.get('original-recipient'),
      findOriginal(mail).get('to'),
    ),
    // `5.0.0` says nothing; the diagnostic of the other server may.
    enhancedCode: pickCode(findEnhancedCode(` ${fields.get('status') ?? ''}`), findEnhancedCode(diagnostic)),
    replyCode: findReplyCode(diagnostic),
  }
}

function pickCode(status: string | undefined, diagnostic: string | undefined): string | null {
  if (status === undefined || (/^\d\.0\.0$/.test(status) && diagnostic)) return diagnostic ?? status ?? null
  return status
}

/** RFC 8098. */
function readDisposition(text: string): MailboxReport | null {
  const fields = parseFields(text)
  if (!/displayed/i.test(fields.get('disposition') ?? '')) return null
  return {
    kind: 'read',
    messageId: parseMessageIds(fields.get('original-message-id') ?? '')[0] ?? null,
    recipients: toRecipients(fields.get('final-recipient')),
    enhancedCode: null,
    replyCode: null,
  }
}

/** RFC 5965: the person marked the message as spam. */
function readComplaint(text: string, mail: ReadMail): MailboxReport {
  const fields = parseFields(text)
  return {
    kind: 'complaint',
    messageId: findOriginalId(mail),
    recipients: toRecipients(fields.get('original-rcpt-to'), findOriginal(mail).get('to')),
    enhancedCode: null,
    replyCode: null,
  }
}

const isFromServer = (mail: ReadMail): boolean =>
  senderNames.test(mail.from[0]?.address ?? '') || mail.headers.get('return-path') === '<>'

/** Bounces of qmail, Exim, older Exchange and others: the sender or the subject, and the original message in the text. */
function readOtherBounce(mail: ReadMail): MailboxReport | null {
  const failedRecipients = mail.headers.get('x-failed-recipients')
  if (failedRecipients === undefined && !(isFromServer(mail) && bounceSubjects.test(mail.subject ?? '')))
    return null
  const text = mail.text.slice(0, textMaxLength)
  const isDelay = /\b(?:delayed|will be retried|still trying|retrasad|verzögert)\b/i.test(mail.subject ?? '')
  return {
    kind: isDelay ? 'delayed' : 'failed',
    messageId: findOriginalId(mail),
    recipients: toRecipients(failedRecipients, findAddress(text), findOriginal(mail).get('to')),
    enhancedCode: findEnhancedCode(text.slice(0, 2000)) ?? null,
    replyCode: findReplyCode(text.slice(0, 2000)),
  }
}

/** The first address in the text of the server. */
const findAddress = (text: string): string | undefined =>
  /[^\s<>"(),:;]{1,64}@[^\s<>"(),:;]{1,190}/.exec(text.slice(0, 4000))?.[0]

function findReplyCode(text: string): number | null {
  const code = /(?:^|[\s;:(])([45]\d\d)[\s-]/.exec(text)?.[1]
  return code === undefined ? null : Number(code)
}

/** Of the returned message, of its headers, or in the text of the report. */
function findOriginalId(mail: ReadMail): string | null {
  const id = findOriginal(mail).get('message-id') ?? mail.headers.get('in-reply-to') ?? ''
  return parseMessageIds(id)[0] ?? null
}

function findOriginal(mail: ReadMail): Map<string, string> {
  const returned = mail.reports.find(({ mediaType }) => /rfc822|message\/global$/.test(mediaType))
  if (returned) return parseFields(returned.text)
  const text = mail.text.slice(0, textMaxLength)
  const start = text.search(/^(?:>\s?)?(?:return-path|received|message-id):/im)
  return parseFields(start < 0 ? '' : text.slice(start).replaceAll(/^>\s?/gm, ''))
}

/** The fields of all blocks, the first of each name. */
function parseFields(text: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of text
    .slice(0, 64 * 1024)
    .replaceAll(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    if (colon > 0 && colon < 80 && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim())
  }
  return fields
}

/** Each once. Such as `rfc822; marta@example.org`, or the address alone. */
function toRecipients(...fields: (string | undefined)[]): string[] {
  const addresses = fields.map(
    field => field && parseEmail(field.slice(field.indexOf(';') + 1).split(',', 1)[0]!),
  )
  return [...new Set(addresses.filter(address => typeof address === 'string'))].filter(
    address => address !== '',
  )
}
