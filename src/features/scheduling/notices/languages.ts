/** The languages of notices, and how one is chosen. */
import { type MessageLanguage, messageLanguages } from '../../../domain/messaging/opt-out-words.ts'
import type { NoticeWords } from './words.ts'
import { centralWords } from './words-central.ts'
import { iberianWords } from './words-iberian.ts'

const words: Record<MessageLanguage, NoticeWords> = { ...iberianWords, ...centralWords }

export const getNoticeWords = (language: MessageLanguage): NoticeWords => words[language]

/** The region is ignored. Null: there are no texts in it. */
export function findLanguage(tag: string | null | undefined): MessageLanguage | null {
  const base = tag?.toLowerCase().split('-', 1)[0]
  return messageLanguages.find(language => language === base) ?? null
}
