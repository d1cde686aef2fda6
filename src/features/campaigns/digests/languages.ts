/** The languages of digests. */
import type { MessageLanguage } from '../../../domain/messaging/opt-out-words.ts'
import type { DigestWords } from './words.ts'
import { centralWords } from './words-central.ts'
import { iberianWords } from './words-iberian.ts'

const words: Record<MessageLanguage, DigestWords> = { ...iberianWords, ...centralWords }

export const getDigestWords = (language: MessageLanguage): DigestWords => words[language]
