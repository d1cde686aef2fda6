/** Reads the cells about a person into a lead. */
import { parseEmail } from '../contact/email.ts'
import { toIdentifier } from '../contact/identifiers.ts'
import { toE164 } from '../contact/phone.ts'
import type { Channel } from '../contactability/facts.ts'
import { splitList } from './cell-text.ts'
import { parsePhones } from './phone-cell.ts'
import type { RowBuilder } from './row-builder.ts'
import { UnreadableValue } from './unreadable-value.ts'
import { parseDate } from './value-dates.ts'
import {
  parseAdvertiserType,
  parseChannel,
  parseLawfulBasisKind,
  parseStatus,
  parseYesNo,
} from './value-words.ts'

export function addPhones(builder: RowBuilder, text: string, country: string): void {
  const { phones } = builder.lead.contact
  const { phones: found, unreadable } = parsePhones(text, country)
  const knownPhones = new Set(phones.map(phone => toE164(phone, country)))
  for (const phone of found)
    if (knownPhones.size === 0 || !knownPhones.has(toE164(phone, country))) phones.push(phone)
  for (const { text: part, problem } of unreadable) builder.report(part, problem)
}

/** Parses `ana@x.es; Ana <ana2@x.es>`, `mailto:ana@x.es`. */
export function addEmails(builder: RowBuilder, text: string): void {
  const { emails } = builder.lead.contact
  const singleEmail = /[\s,;|<]/.test(text) ? null : parseEmail(text)
  if (singleEmail !== null) {
    if (!emails.includes(singleEmail)) emails.push(singleEmail)
    return
  }
  for (const part of text.split(/[,;|\n]|\s\/\s|:::/)) {
    const entry = part.trim()
    if (entry === '') continue
    const written = /<([^<>]+)>/.exec(entry)?.[1] ?? entry
    const plainText = written
      .replace(/^mailto:/i, '')
      .replace(/\?.*$/, '')
      .trim()
    const words = plainText.split(/\s+/)
    // A phrase in which not every word has an @ is one (invalid) address.
    const addresses = words.every(word => word.includes('@')) ? words : [plainText]
    for (const address of addresses) {
      const email = parseEmail(address)
      if (email === null)
        builder.report(address, new UnreadableValue('EMAIL_INVALID', 'This is not an e-mail address.'))
      else if (!emails.includes(email)) emails.push(email)
    }
  }
}

/** Adds phones, e-mail addresses and chats from a list, as our exports or people write it. */
export function addIdentifiers(builder: RowBuilder, text: string, country: string): void {
  const { contact } = builder.lead
  for (const part of splitList(text)) {
    const kinds = ['phone', 'email', 'chat'] as const
    if (!kinds.some(kind => toIdentifier(kind, part, country))) {
      const sentence = 'This is not a phone number, an e-mail address or a chat such as whatsapp:34612345678.'
      builder.report(part, new UnreadableValue('IDENTIFIER_UNKNOWN', sentence))
    } else if (!contact.otherIdentifiers?.includes(part))
      contact.otherIdentifiers = [...(contact.otherIdentifiers ?? []), part]
  }
}

export function setAdvertiserType(builder: RowBuilder, text: string): void {
  const type = parseAdvertiserType(text)
  if (type === null)
    builder.report(text, toUnknownValue('ADVERTISER_TYPE_UNKNOWN', 'who advertises', 'private or agency'))
  else builder.setOnce(builder.lead.contact, 'advertiserType', type, text)
}

export function setStatus(builder: RowBuilder, text: string): void {
  const status = parseStatus(text)
  const allowedValues = 'new, contacted, replied, qualified, won, lost or discarded'
  if (status === null) builder.report(text, toUnknownValue('STATUS_UNKNOWN', 'the status', allowedValues))
  else builder.setOnce(builder.lead, 'status', status, text)
}

export function setLawfulBasis(builder: RowBuilder, text: string): void {
  const kind = parseLawfulBasisKind(text)
  if (kind !== null) builder.setOnce(ensureLawfulBasis(builder), 'kind', kind, text)
  // "No" in a column of consents means that there is none.
  else if (parseYesNo(text) !== false)
    builder.report(
      text,
      toUnknownValue('LAWFUL_BASIS_UNKNOWN', 'a lawful basis', 'consent, contract or legitimate_interest'),
    )
}

export function setLawfulBasisDate(builder: RowBuilder, text: string): void {
  const date = parseDate(text)
  if (date instanceof UnreadableValue) markUnclear(builder, text, date)
  else builder.setOnce(ensureLawfulBasis(builder), 'at', date, text)
}

export function setLawfulBasisEnd(builder: RowBuilder, text: string): void {
  const date = parseDate(text)
  if (date instanceof UnreadableValue) markUnclear(builder, text, date)
  else builder.setOnce(ensureLawfulBasis(builder), 'expiresAt', date, text)
}

export function setLawfulBasisChannels(builder: RowBuilder, text: string): void {
  const channels = splitList(text, /[,;|/+\n]|\s(?:y|o|e|i|ou|and|or)\s/).map(word => parseChannel(word))
  if (channels.includes(null))
    markUnclear(builder, text, toUnknownValue('CHANNEL_UNKNOWN', 'the channels', 'chat, phone or email'))
  else ensureLawfulBasis(builder).channels = [...new Set(channels as Channel[])]
}

/** Without its end or its channels, the basis would state more than the person agreed to. */
function markUnclear(builder: RowBuilder, text: string, problem: UnreadableValue): void {
  builder.report(text, problem)
  ensureLawfulBasis(builder).isUnclear = true
}

export function setLawfulBasisProof(builder: RowBuilder, text: string): void {
  builder.setOnce(ensureLawfulBasis(builder), 'proof', text, text)
}

function ensureLawfulBasis({ lead }: RowBuilder): NonNullable<RowBuilder['lead']['lawfulBasis']> {
  lead.lawfulBasis ??= {}
  return lead.lawfulBasis
}

/** The problem of a cell that should state `what`, but has no known word for it. `allowedValues`: what to write. */
export function toUnknownValue(code: string, what: string, allowedValues: string): UnreadableValue {
  return new UnreadableValue(code, `This does not say ${what}. Write ${allowedValues}.`)
}
