/** Converts what a person sends to the columns of a message, within bounds. */
import { sanitizeText } from '../../../kit/sanitize-text.ts'
import type { InboundContent, InboundEmail, InboundEvent, InboundMedia } from '../../../plugins/chat.ts'
import { describePlace } from '../describe-place.ts'
import type { MessageKind } from '../message-types.ts'

/** The largest text of any provider besides e-mail. Longer ones are cut, and say so. */
const textMax = 65_536
const wordMax = 500
const itemsMax = 20
const referencesMax = 50

export interface StoredContent {
  kind: MessageKind
  text: string | null
  content: Record<string, unknown>
  media: InboundMedia[]
}

export function toStoredContent(content: InboundContent): StoredContent {
  const { kind } = content
  const base = { kind, text: null, content: {}, media: [] }
  switch (content.kind) {
    case 'text':
      return { ...base, ...toText(content.text) }
    case 'media':
      return { ...base, ...toText(content.caption), media: content.media.slice(0, itemsMax) }
    case 'location': {
      const { latitude, longitude, name, address } = content
      const place = { latitude, longitude, name: toWord(name), address: toWord(address) }
      return { ...base, text: describePlace(place), content: place }
    }
    case 'contacts':
      return { ...base, content: { contacts: content.contacts.slice(0, itemsMax).map(toContact) } }
    case 'choice':
      return {
        ...base,
        text: toWord(content.title),
        content: { id: toWord(content.id), title: toWord(content.title) },
      }
    case 'unsupported':
      return { ...base, content: { description: toWord(content.description) } }
  }
}

function toText(text: string | null): Pick<StoredContent, 'text' | 'content'> {
  if (text === null) return { text: null, content: {} }
  const clean = sanitizeText(text)
  return clean.length <= textMax
    ? { text: clean, content: {} }
    : { text: clean.slice(0, textMax).toWellFormed(), content: { isTruncated: true } }
}

function toContact({ name, phones, emails }: { name: string; phones: string[]; emails: string[] }) {
  const toWords = (words: string[]) => words.slice(0, itemsMax).map(toWord)
  return { name: toWord(name), phones: toWords(phones), emails: toWords(emails) }
}

function toWord<T extends string | null>(text: T): T {
  return (text === null ? null : sanitizeText(text).slice(0, wordMax).toWellFormed()) as T
}

/** The parts of a message besides its content: e-mail headers, and where the person comes from. */
export function toContext({
  email,
  referral,
}: Pick<InboundEvent & { type: 'message' }, 'email' | 'referral'>): Record<string, unknown> {
  return {
    ...(email && { email: toStoredEmail(email) }),
    ...(referral && {
      referral: {
        source: toWord(referral.source),
        url: toWord(referral.url),
        headline: toWord(referral.headline),
      },
    }),
  }
}

function toStoredEmail({ subject, references, fullText, authentication }: InboundEmail) {
  const { spf, dkim, dmarc } = authentication
  return {
    subject: toWord(subject),
    references: references.slice(-referencesMax).map(toWord),
    fullText: toText(fullText).text,
    authentication: { spf: toWord(spf), dkim: toWord(dkim), dmarc: toWord(dmarc) },
  }
}

export { toWord }
