/** The languages of the public pages of scheduling, and how one is chosen. */
import { type MessageLanguage, messageLanguages } from '../../../domain/messaging/opt-out-words.ts'
import { ca } from './words/ca.ts'
import { de } from './words/de.ts'
import { en } from './words/en.ts'
import { es } from './words/es.ts'
import { eu } from './words/eu.ts'
import { fr } from './words/fr.ts'
import { gl } from './words/gl.ts'
import { it } from './words/it.ts'
import { pt } from './words/pt.ts'
import type { BookingWords } from './words.ts'

const languages: Record<MessageLanguage, BookingWords> = { es, ca, gl, eu, pt, it, en, fr, de }

export const getBookingWords = (language: MessageLanguage): BookingWords => languages[language]

/** Returns null for a language that the pages don't have. The region is ignored. */
export function findLanguage(tag: string | null | undefined): MessageLanguage | null {
  const base = (tag ?? '').trim().slice(0, 35).toLowerCase().split(/[-_;]/, 1)[0]
  return messageLanguages.find(language => language === base) ?? null
}

/** Browsers send some; a longer header has no more meaning. */
const headerMax = 500

/** The first language of the header `Accept-Language` that the pages have. Weights are ignored: browsers sort by them. */
export function findAcceptedLanguage(header: string | undefined): MessageLanguage | null {
  for (const range of (header ?? '').slice(0, headerMax).split(',')) {
    const language = findLanguage(range)
    if (language) return language
  }
  return null
}
