/** Opt-out words that may also be the answer to a question. */
import type { MessageIntent } from './opt-out-words.ts'

/** A question whose answer may be the ground floor: "¿En qué planta está?" */
const floorQuestion =
  /\b(?:plantas?|andar|altura|alcada|nivel|solairu\p{L}*|(?:que|cual|quin) (?:piso|pis)|(?:which|what) floor)\b/u

/** True if the words answer the last message to a person. Not if that message offers them as an opt-out: "responda BAJA". */
export function isAnswer({ answers, phrase }: MessageIntent, text: string): boolean {
  const questions = text.match(/[^.!?¿\n]+\?/g) ?? []
  if (answers === undefined || questions.length === 0 || offers(text, phrase)) return false
  return (
    answers === 'any' || questions.some(question => floorQuestion.test(removeMarks(question).toLowerCase()))
  )
}

/** Opt-out words are offered in capitals, in quotation marks or bold. */
function offers(text: string, phrase: string): boolean {
  const plain = removeMarks(text)
  const isShouted = plain === plain.toUpperCase()
  return (
    (!isShouted && new RegExp(`(?<!\\p{L})${phrase.toUpperCase()}(?!\\p{L})`, 'u').test(plain)) ||
    new RegExp(`["“«'‘*_]${phrase}["”»'’*_]`).test(plain.toLowerCase())
  )
}

const removeMarks = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '')
