/**
 * Identifiers of a contact (phone, e-mail, chat), each in one normalized form, so that two records of one person match.
 */
import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/min'
import { parseEmail } from './email.ts'
import { toE164 } from './phone.ts'

export interface Identifier {
  kind: 'phone' | 'email' | 'chat'
  /**
   * A phone in E.164 (`+34612345678`), an e-mail in lower case with an ASCII domain (`marta@xn--bcher-kva.es`), a chat
   * as `provider:id` (`whatsapp:34612345678`).
   */
  value: string
}

/** The contact fields as somebody wrote them. Null and empty ones are skipped. */
export interface ContactText {
  phones?: readonly (string | null)[]
  emails?: readonly (string | null)[]
  chats?: readonly (string | null)[]
}

// Invisible characters pasted from pages and chats: direction marks, joiners, soft hyphens.
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g

/** Maximum length: an e-mail has up to 254 characters, with a name before it. */
const charactersMax = 500

/**
 * The identifier in `text`; null if there is none, or more than one. Phones without a prefix are read as dialled in
 * `country` (ISO 3166-1 alpha-2).
 */
export function toIdentifier(kind: Identifier['kind'], text: string, country: string): Identifier | null {
  const written = text.replace(invisible, '').trim()
  if (written === '' || written.length > charactersMax) return null
  if (kind === 'chat') return parseChat(written, country)
  const value = kind === 'email' ? parseEmail(written) : toE164(written, country)
  return value === null ? null : { kind, value }
}

/**
 * All identifiers of a contact without duplicates: phones first, then e-mails, then chats. A field may hold several
 * (`93 412 34 56 / 612 345 678`). A WhatsApp chat also gives its phone number, so that an opt-out of one applies to
 * both.
 */
export function toIdentifiers(contact: ContactText, country: string): Identifier[] {
  const parseAll = (kind: Identifier['kind'], texts: readonly (string | null)[] = []) =>
    texts.flatMap(text => (text === null ? [] : parseField(kind, text, country)))
  const chats = parseAll('chat', contact.chats)
  const chatPhones = chats.flatMap(chat => {
    const number = /^whatsapp:(\d+)$/.exec(chat.value)?.[1]
    return (number && toIdentifier('phone', `+${number}`, country)) || []
  })
  const found = [
    ...parseAll('phone', contact.phones),
    ...chatPhones,
    ...parseAll('email', contact.emails),
    ...chats,
  ]
  return [
    ...new Map(found.map(identifier => [`${identifier.kind} ${identifier.value}`, identifier])).values(),
  ]
}

/** The whole text as one identifier; otherwise those of its parts. */
function parseField(kind: Identifier['kind'], text: string, country: string): Identifier[] {
  const whole = toIdentifier(kind, text, country)
  if (whole) return [whole]
  return text.split(/[;,|/\n]| (?:o|ou|or|y|e|and) /).flatMap(part => toIdentifier(kind, part, country) ?? [])
}

/** Words that people write before a number, in the portals' languages. */
const phoneWord =
  /^(?:tel[eèé]fono?|telefone|tel[eé]m[oó]vel|telf?|tlfn?o?|tfno?|m[oó]vil|m[oò]bil|mobile?|cellulare|cell?|phone|whats?app)(?!\p{L})\.?\s*:?\s*/iu

/** Minimum number of digits to search for: shorter sequences occur in every second number. */
const digitsMin = 4
/** The maximum of E.164. */
const digitsMax = 15

/**
 * Converts a search text to the prefixes of E.164 numbers (without `+`) that it may mean: `612-345` in Spain is
 * `['34612345', '612345']`, because it may lack the country's prefix or begin with that of another; so is
 * `tel. 612-345`. Empty if it is not part of a phone number: it has characters other than digits, spaces, brackets,
 * dots, slashes and dashes, fewer than 4 digits, or more than 15. `country` is ISO 3166-1 alpha-2; for an unknown one
 * no prefix is added.
 */
export function parsePhoneSearch(query: string, country: string): string[] {
  const written = query.replace(invisible, '').trim().replace(phoneWord, '')
  if (!/^(?:\(?\+)?[\d\s()./\u2010-\u2015\u2212-]+$/.test(written)) return []
  const isInternational = /^\(?(?:\+|00)/.test(written)
  // "+49 (0)211": the zero is only dialled within the country.
  const digits = (isInternational ? written.replace(/\(0\)/, '') : written).replace(/\D/g, '')
  const number = isInternational ? digits.replace(/^00/, '') : digits
  if (number.length < digitsMin || number.length > digitsMax) return []
  if (isInternational) return number.startsWith('0') ? [] : [number]
  const prefix = isSupportedCountry(country) ? getCountryCallingCode(country) : null
  // E.164 omits the trunk zero of national numbers, except in Italy, where it is part of the number.
  const national = number.startsWith('0') ? [number, number.slice(1)] : [number]
  const candidates = prefix === null ? [] : national.map(rest => prefix + rest)
  return number.startsWith('0') ? candidates : [...candidates, number]
}

/** Parses WhatsApp's own forms of a number, links that open a chat, and `provider:id`. */
function parseChat(text: string, country: string): Identifier | null {
  const link =
    /^(?:https?:\/\/)?(?:wa\.me\/|api\.whatsapp\.com\/send\/?\?(?:.*&)?phone=|whatsapp:\/\/send\/?\?(?:.*&)?phone=)\+?(\d+)/i
  const number =
    link.exec(text)?.[1] ??
    /^(?:whatsapp:)?\+?(\d{5,15})(?::\d+)?@(?:c\.us|s\.whatsapp\.net)$/i.exec(text)?.[1]
  if (number) return toWhatsAppChat(number)
  const [, provider = '', id = ''] = /^([a-z][a-z0-9_-]*):(?!\/\/)(\S(?:.*\S)?)$/i.exec(text) ?? []
  if (provider.toLowerCase() === 'whatsapp') {
    // Groups are not persons; `@lid` is a person whose number WhatsApp hides.
    if (/@(g\.us|broadcast|newsletter)$/i.test(id)) return null
    return id.includes('@')
      ? { kind: 'chat', value: `whatsapp:${id.toLowerCase()}` }
      : toWhatsAppId(id, country)
  }
  if (provider !== '') return { kind: 'chat', value: `${provider.toLowerCase()}:${id}` }
  // A bare wa_id is a number with the country's prefix, without `+`. Any other bare text has no known provider.
  return /^\+?\d+$/.test(text) ? toWhatsAppId(text, country) : null
}

function toWhatsAppId(number: string, country: string): Identifier | null {
  const digits = number.replace(/^\+/, '')
  const e164 = (/^\d+$/.test(digits) ? toE164(`+${digits}`, country) : null) ?? toE164(number, country)
  return e164 === null ? null : toWhatsAppChat(e164.slice(1))
}

function toWhatsAppChat(digits: string): Identifier {
  return { kind: 'chat', value: `whatsapp:${digits}` }
}
