/** The texts of property sheets by language. */
import { getWords } from '../../../documents/languages.ts'
import type { SheetLanguage } from './sheet.ts'
import { ca } from './words/ca.ts'
import { de } from './words/de.ts'
import { en } from './words/en.ts'
import { es } from './words/es.ts'
import { eu } from './words/eu.ts'
import { fr } from './words/fr.ts'
import { gl } from './words/gl.ts'
import { it } from './words/it.ts'
import { pt } from './words/pt.ts'
import type { AllSheetWords, SheetWords } from './words.ts'

const languages: Record<SheetLanguage, SheetWords> = { es, ca, gl, eu, pt, it, en, fr, de }

export function getSheetWords(language: SheetLanguage): AllSheetWords {
  return { ...getWords(language), ...languages[language] }
}
