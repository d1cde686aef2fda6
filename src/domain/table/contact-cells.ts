// What the cells about a person say.

import { toE164 } from '../listing/phone.ts'
import { readPhones } from './phone-cell.ts'
import type { RowDraft } from './row-draft.ts'
import { Unreadable } from './unreadable.ts'
import { readDate } from './value-dates.ts'
import { readAdvertiserType, readLawfulBasisKind, readStatus, readYesNo } from './value-words.ts'

// Enough to tell an address from a slip of the column; whether it exists only a message can tell.
const EMAIL = /^[^\s@"<>(),;:\\[\]]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,}$/u

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
  if (emails.length === 0 && EMAIL.test(text)) {
    emails.push(text)
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
    for (const address of addresses)
      if (!EMAIL.test(address))
        draft.report(address, new Unreadable('EMAIL_INVALID', 'This is no e-mail address.'))
      else if (!emails.includes(address)) emails.push(address)
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
  if (at instanceof Unreadable) draft.report(text, at)
  else draft.give(basisOf(draft), 'at', at, text)
}

function basisOf({ lead }: RowDraft): NonNullable<RowDraft['lead']['lawfulBasis']> {
  lead.lawfulBasis ??= {}
  return lead.lawfulBasis
}

/** `what` is not told by a word that is known. */
export function oneOf(code: string, what: string, known: string): Unreadable {
  return new Unreadable(code, `This does not say ${what}. Write ${known}.`)
}
