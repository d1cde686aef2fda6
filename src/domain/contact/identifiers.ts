/** By what a person is known (telephone, e-mail, chat), in one writing each: two records of one person can only meet in it. */
import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/min'
import { parseEmail } from './email.ts'
import { toE164 } from './phone.ts'

export interface Identifier {
  kind: 'phone' | 'email' | 'chat'
  /**
   * A phone in E.164 (`+34612345678`), an e-mail in lower case with an ASCII domain (`marta@xn--bcher-kva.es`), a chat as
   * `provider:id` (`whatsapp:34612345678`).
   */
  value: string
}

/** The ways to reach a person, each as somebody wrote it. Null and empty ones are passed over. */
export interface ContactText {
  phones?: readonly (string | null)[]
  emails?: readonly (string | null)[]
  chats?: readonly (string | null)[]
}

// Pasted from pages and chats: marks of direction, joiners, soft hyphens; nobody sees them.
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g

/** The longest e-mail has 254 characters; a name may stand before it. */
const charactersMax = 500

/**
 * The identifier in `text`; null if it holds none, or more than one. Telephones without a prefix are read as somebody in
 * `country` (ISO 3166-1 alpha-2) would dial them.
 */
export function toIdentifier(kind: Identifier['kind'], text: string, country: string): Identifier | null {
  const written = text.replace(invisible, '').trim()
  if (written === '' || written.length > charactersMax) return null
  if (kind === 'chat') return parseChat(written, country)
  const value = kind === 'email' ? parseEmail(written) : toE164(written, country)
  return value === null ? null : { kind, value }
}

/**
 * Every identifier of a contact, each once: telephones first, then e-mails, then chats. A field may hold several
 * (`93 412 34 56 / 612 345 678`). A WhatsApp chat is its telephone number as well, so that who opts out of the one is not
 * written to through the other.
 */
export function toIdentifiers(contact: ContactText, country: string): Identifier[] {
  const read = (kind: Identifier['kind'], texts: readonly (string | null)[] = []) =>
    texts.flatMap(text => (text === null ? [] : mapValid(kind, text, country)))
  const chats = read('chat', contact.chats)
  const chatPhones = chats.flatMap(chat => {
    const number = /^whatsapp:(\d+)$/.exec(chat.value)?.[1]
    return (number && toIdentifier('phone', `+${number}`, country)) || []
  })
  const found = [...read('phone', contact.phones), ...chatPhones, ...read('email', contact.emails), ...chats]
  return [
    ...new Map(found.map(identifier => [`${identifier.kind} ${identifier.value}`, identifier])).values(),
  ]
}

/** One, or, where the whole is none, what its parts hold. */
function mapValid(kind: Identifier['kind'], text: string, country: string): Identifier[] {
  const whole = toIdentifier(kind, text, country)
  if (whole) return [whole]
  return text.split(/[;,|/\n]| (?:o|ou|or|y|e|and) /).flatMap(part => toIdentifier(kind, part, country) ?? [])
}

/** What people write before a number, in the languages around. */
const phoneWord =
  /^(?:tel[eèé]fono?|telefone|tel[eé]m[oó]vel|telf?|tlfn?o?|tfno?|m[oó]vil|m[oò]bil|mobile?|cellulare|cell?|phone|whats?app)(?!\p{L})\.?\s*:?\s*/iu

/** The fewest digits of a telephone that are searched for: fewer stand in every second number. */
const digitsMin = 4
/** E.164 allows no more. */
const digitsMax = 15

/**
 * What is typed into a search box, as the first digits of E.164 numbers (without `+`) that it may mean: `612-345` in Spain
 * is `['34612345', '612345']`, for it may lack the country's prefix or begin with that of another; `tel. 612-345` as well. Empty
 * if it is no piece of a telephone number: another sign than digits, spaces, brackets, dots, slashes and dashes, fewer than 4 digits, or more
 * than any number has. Countries: ISO 3166-1 alpha-2; of an unknown one no prefix is added.
 */
export function parsePhoneSearch(query: string, country: string): string[] {
  const written = query.replace(invisible, '').trim().replace(phoneWord, '')
  if (!/^(?:\(?\+)?[\d\s()./\u2010-\u2015\u2212-]+$/.test(written)) return []
  const isInternational = /^\(?(?:\+|00)/.test(written)
  // "+49 (0)211": the zero is dialled at home alone.
  const digits = (isInternational ? written.replace(/\(0\)/, '') : written).replace(/\D/g, '')
  const number = isInternational ? digits.replace(/^00/, '') : digits
  if (number.length < digitsMin || number.length > digitsMax) return []
  if (isInternational) return number.startsWith('0') ? [] : [number]
  const prefix = isSupportedCountry(country) ? getCountryCallingCode(country) : null
  // Where a zero is dialled before national numbers E.164 is without it; in Italy it is part of them.
  const national = number.startsWith('0') ? [number, number.slice(1)] : [number]
  const candidates = prefix === null ? [] : national.map(rest => prefix + rest)
  return number.startsWith('0') ? candidates : [...candidates, number]
}

/** WhatsApp's own forms of a number, addresses that open a chat, and `provider:id`. */
function parseChat(text: string, country: string): Identifier | null {
  const link =
    /^(?:https?:\/\/)?(?:wa\.me\/|api\.whatsapp\.com\/send\/?\?(?:.*&)?phone=|whatsapp:\/\/send\/?\?(?:.*&)?phone=)\+?(\d+)/i
  const number =
    link.exec(text)?.[1] ??
    /^(?:whatsapp:)?\+?(\d{5,15})(?::\d+)?@(?:c\.us|s\.whatsapp\.net)$/i.exec(text)?.[1]
  if (number) return whatsApp(number)
  const [, provider = '', id = ''] = /^([a-z][a-z0-9_-]*):(?!\/\/)(\S(?:.*\S)?)$/i.exec(text) ?? []
  if (provider.toLowerCase() === 'whatsapp') {
    // Groups are no person; `@lid` is a person whose number WhatsApp keeps to itself.
    if (/@(g\.us|broadcast|newsletter)$/i.test(id)) return null
    return id.includes('@')
      ? { kind: 'chat', value: `whatsapp:${id.toLowerCase()}` }
      : toWhatsAppId(id, country)
  }
  if (provider !== '') return { kind: 'chat', value: `${provider.toLowerCase()}:${id}` }
  // A bare wa_id is a number with its country's prefix and no sign; anything else bare is of no known provider.
  return /^\+?\d+$/.test(text) ? toWhatsAppId(text, country) : null
}

function toWhatsAppId(number: string, country: string): Identifier | null {
  const digits = number.replace(/^\+/, '')
  const e164 = (/^\d+$/.test(digits) ? toE164(`+${digits}`, country) : null) ?? toE164(number, country)
  return e164 === null ? null : whatsApp(e164.slice(1))
}

function whatsApp(digits: string): Identifier {
  return { kind: 'chat', value: `whatsapp:${digits}` }
}
