/** The languages of the public pages of scheduling. */
import type { MessageLanguage } from '../../../domain/messaging/opt-out-words.ts'
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
