/** The texts of reports by language. */
import { type DocumentLanguage, getWords } from '../../../documents/languages.ts'
import { ca } from './words/ca.ts'
import { de } from './words/de.ts'
import { en } from './words/en.ts'
import { es } from './words/es.ts'
import { fr } from './words/fr.ts'
import { it } from './words/it.ts'
import { nl } from './words/nl.ts'
import { pl } from './words/pl.ts'
import { pt } from './words/pt.ts'
import type { AllWords, ReportWords } from './words.ts'

const languages: Record<DocumentLanguage, ReportWords> = { es, ca, en, fr, de, it, pt, nl, pl }

export function getReportWords(language: DocumentLanguage): AllWords {
  return { ...getWords(language), ...languages[language] }
}
