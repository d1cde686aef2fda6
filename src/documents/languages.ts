/** The languages of documents and their texts. */
import { ca } from './words/ca.ts'
import { de } from './words/de.ts'
import { en } from './words/en.ts'
import { es } from './words/es.ts'
import { eu } from './words/eu.ts'
import { fr } from './words/fr.ts'
import { gl } from './words/gl.ts'
import { it } from './words/it.ts'
import { nl } from './words/nl.ts'
import { pl } from './words/pl.ts'
import { pt } from './words/pt.ts'
import type { Words } from './words.ts'

export const documentLanguages = ['es', 'ca', 'en', 'fr', 'de', 'it', 'pt', 'nl', 'pl'] as const
export type DocumentLanguage = (typeof documentLanguages)[number]

/** Reports exist in `documentLanguages`; property sheets in Galician and Basque too. */
type WordsLanguage = DocumentLanguage | 'gl' | 'eu'

const languages: Record<WordsLanguage, Words> = { es, ca, gl, eu, en, fr, de, it, pt, nl, pl }

export function getWords(language: WordsLanguage): Words {
  return languages[language]
}

/** Returns the texts for a BCP 47 language, also for one with a region such as `pt-BR`; null: there are none. */
export function findWords(language: string): Words | null {
  const [base = ''] = language.split('-')
  return Object.hasOwn(languages, base) ? languages[base as WordsLanguage] : null
}
