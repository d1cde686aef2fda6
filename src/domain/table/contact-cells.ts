// What the cells about a person say.

import { readEmail } from '../contact/email.ts'
import { toIdentifier } from '../contact/identifiers.ts'
import { toE164 } from '../contact/phone.ts'
import type { Channel } from '../contactability/facts.ts'
import { splitList } from './cell-text.ts'
import { readPhones } from './phone-cell.ts'
import type { RowDraft } from './row-draft.ts'
import { Unreadable } from './unreadable.ts'
import { readDate } from './value-dates.ts'
import { readAdvertiserType, readChannel, readLawfulBasisKind, readStatus, readYesNo } from './value-words.ts'

export function addPhones(draft: RowDraft, text: string, country: string): void {
  const { phones } = draft.lead.contact
  const { phones: found, unreadable } = readPhones(text, country)
  const known = new Set(phones.map(phone => toE164(phone, country)))
  for (const phone of found) if (known.size === 0 || !known.has(toE164(phone, country))) phones.push(phone)
  for (const { text: part, problem } of unreadable) draft.report(part, problem)
}

/** `ana@x.es; Ana <ana2@x.es>`, `mailto:ana@x.es`. */
export function addEmails(draft: RowDraft, text: string): void {
  const { emails } = draft.lead.contact
  const only = /[\s,;|<]/.test(text) ? null : readEmail(text)
  if (only !== null) {
    if (!emails.includes(only)) emails.push(only)
    return
  }
  for (const part of text.split(/[,;|\n]|\s\/\s|:::/)) {
    const entry = part.trim()
    if (entry === '') continue
    const written = /<([^<>]+)>/.exec(entry)?.[1] ?? entry
    const plain = written
      .replace(/^mailto:/i, '')
      .replace(/\?.*$/, '')
      .trim()
    const words = plain.split(/\s+/)
    // Words without an at sign are not addresses one by one.
    const addresses = words.every(word => word.includes('@')) ? words : [plain]
    for (const address of addresses) {
      const email = readEmail(address)
      if (email === null)
        draft.report(address, new Unreadable('EMAIL_INVALID', 'This is not an e-mail address.'))
      else if (!emails.includes(email)) emails.push(email)
    }
  }
}

/** Telephones, addresses and chats, in a list as an export of ours has it or as people write one. */
export function addIdentifiers(draft: RowDraft, text: string, country: string): void {
  const { contact } = draft.lead
  for (const part of splitList(text)) {
    const kinds = ['phone', 'email', 'chat'] as const
    if (!kinds.some(kind => toIdentifier(kind, part, country))) {
      const sentence = 'This is not a phone number, an e-mail address or a chat such as whatsapp:34612345678.'
      draft.report(part, new Unreadable('IDENTIFIER_UNKNOWN', sentence))
    } else if (!contact.further?.includes(part)) contact.further = [...(contact.further ?? []), part]
  }
}

export function setAdvertiserType(draft: RowDraft, text: string): void {
  const type = readAdvertiserType(text)
  if (type === null)
    draft.report(text, oneOf('ADVERTISER_TYPE_UNKNOWN', 'who advertises', 'private or agency'))
  else draft.give(draft.lead.contact, 'advertiserType', type, text)
}

export function setStatus(draft: RowDraft, text: string): void {
  const status = readStatus(text)
  const known = 'new, contacted, replied, qualified, won, lost or discarded'
  if (status === null) draft.report(text, oneOf('STATUS_UNKNOWN', 'the status', known))
  else draft.give(draft.lead, 'status', status, text)
}

export function setLawfulBasis(draft: RowDraft, text: string): void {
  const kind = readLawfulBasisKind(text)
  if (kind !== null) draft.give(basisOf(draft), 'kind', kind, text)
  // "No" is what a column of consents says where there is none.
  else if (readYesNo(text) !== false)
    draft.report(
      text,
      oneOf('LAWFUL_BASIS_UNKNOWN', 'a lawful basis', 'consent, contract or legitimate_interest'),
    )
}

export function setLawfulBasisDate(draft: RowDraft, text: string): void {
  const at = readDate(text)
  if (at instanceof Unreadable) blur(draft, text, at)
  else draft.give(basisOf(draft), 'at', at, text)
}

export function setLawfulBasisEnd(draft: RowDraft, text: string): void {
  const at = readDate(text)
  if (at instanceof Unreadable) blur(draft, text, at)
  else draft.give(basisOf(draft), 'expiresAt', at, text)
}

export function setLawfulBasisChannels(draft: RowDraft, text: string): void {
  const channels = splitList(text, /[,;|/+\n]|\s(?:y|o|e|i|ou|and|or)\s/).map(word => readChannel(word))
  if (channels.includes(null))
    blur(draft, text, oneOf('CHANNEL_UNKNOWN', 'the channels', 'chat, phone or email'))
  else basisOf(draft).channels = [...new Set(channels as Channel[])]
}

/** A basis of which its end or its bounds are not understood would say more than the person did. */
function blur(draft: RowDraft, text: string, problem: Unreadable): void {
  draft.report(text, problem)
  basisOf(draft).isUnclear = true
}

export function setLawfulBasisProof(draft: RowDraft, text: string): void {
  draft.give(basisOf(draft), 'proof', text, text)
}

function basisOf({ lead }: RowDraft): NonNullable<RowDraft['lead']['lawfulBasis']> {
  lead.lawfulBasis ??= {}
  return lead.lawfulBasis
}

/** `what` is not told by a word that is known. */
export function oneOf(code: string, what: string, known: string): Unreadable {
  return new Unreadable(code, `This does not say ${what}. Write ${known}.`)
}
