/** The language of a visitor of a public page or form. */
import { type MessageLanguage, messageLanguages } from '../domain/messaging/opt-out-words.ts'

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
