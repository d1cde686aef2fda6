/** Why a conversation passes to a person, or is left to one. */

export const handOffCodes = [
  'WANTS_PERSON',
  'INSTRUCTIONS',
  'OFF_TOPIC',
  'UNREADABLE',
  'TURN_LIMIT',
  'NOT_SURE',
  'REFUSED_ANSWER',
  'AI_UNAVAILABLE',
  'NOT_SENDABLE',
  'BY_USER',
] as const
export type HandOffCode = (typeof handOffCodes)[number]

const sentences: Record<HandOffCode, string> = {
  WANTS_PERSON: 'The person wants to talk to somebody, or wrote a hand-off word.',
  INSTRUCTIONS: 'The message has instructions for a language model, or signs that people do not write.',
  OFF_TOPIC: 'The message is not about this property and this agency.',
  UNREADABLE: 'The message has no text that can be read, such as a voice note, or it is too long.',
  TURN_LIMIT: 'The AI has answered as often as the campaign allows.',
  NOT_SURE: 'The AI does not know the answer from the listing and the FAQ of the workspace.',
  REFUSED_ANSWER: 'The answer of the AI broke a rule, so it was not sent.',
  AI_UNAVAILABLE: 'The AI endpoint failed.',
  NOT_SENDABLE: 'The answer could not be sent.',
  BY_USER: 'A user took the conversation over.',
}

export interface HandOff {
  code: HandOffCode
  /** A sentence for people of the agency. */
  message: string
}

/** `detail`: what else is known, such as which rule; a sentence or empty. */
export const createHandOff = (code: HandOffCode, detail = ''): HandOff => ({
  code,
  message: detail === '' ? sentences[code] : `${sentences[code]} ${detail}`,
})
