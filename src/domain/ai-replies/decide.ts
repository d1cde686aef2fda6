/** Decides, before a request to a model, whether a message of a person is answered by one. */
import { createHandOff, type HandOff } from './hand-off.ts'
import { findPhrase } from './phrases.ts'

/** A message of the conversation. */
export interface Turn {
  /** `assistant`: an AI message. */
  from: 'person' | 'agency' | 'assistant'
  /** ISO 8601. */
  at: string
  /** Null: it has none, such as a voice note. */
  text: string | null
}

export interface ReplySituation {
  /** The oldest first. The last ones are those of the person that nobody has answered. */
  turns: readonly Turn[]
  keywords: readonly string[]
  /** How many AI messages the conversation has had since somebody let the AI answer. */
  answered: number
  turnsMax: number
}

/** Longer messages are read by a person. */
const textMaxLength = 4_000

export const findUnanswered = (turns: readonly Turn[]): readonly Turn[] =>
  turns.slice(turns.findLastIndex(({ from }) => from !== 'person') + 1)

/** Why a person has to answer; null: the model may. */
export function findHandOff({ turns, keywords, answered, turnsMax }: ReplySituation): HandOff | null {
  const texts = findUnanswered(turns).map(({ text }) => text ?? '')
  if (texts.some(text => text.length > textMaxLength)) return createHandOff('UNREADABLE')
  const found = new Set([...texts, texts.join(' ')].map(text => findPhrase(text, keywords)))
  const phrase = (['INSTRUCTIONS', 'WANTS_PERSON', 'OFF_TOPIC'] as const).find(each => found.has(each))
  if (phrase) return createHandOff(phrase)
  if (texts.some(text => text.trim() === '')) return createHandOff('UNREADABLE')
  return answered >= turnsMax ? createHandOff('TURN_LIMIT') : null
}
