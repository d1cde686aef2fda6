/** The languages of documents and their texts. */
import { ca } from './words/ca.ts'
import { de } from './words/de.ts'
import { en } from './words/en.ts'
import { es } from './words/es.ts'
import { fr } from './words/fr.ts'
import { it } from './words/it.ts'
import { nl } from './words/nl.ts'
import { pl } from './words/pl.ts'
import { pt } from './words/pt.ts'
import type { Words } from './words.ts'

export const documentLanguages = ['es', 'ca', 'en', 'fr', 'de', 'it', 'pt', 'nl', 'pl'] as const
export type DocumentLanguage = (typeof documentLanguages)[number]

const languages: Record<DocumentLanguage, Words> = { es, ca, en, fr, de, it, pt, nl, pl }

export function getWords(language: DocumentLanguage): Words {
  return languages[language]
}
