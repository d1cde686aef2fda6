/** The codes of AI replies. */
import type { ErrorCodes } from './error-codes.ts'

/** `handOff.code` of AI replies and conversations: why a person has to answer. */
export const handOffs: ErrorCodes = {
  WANTS_PERSON: ['The person wants to talk to somebody, or wrote a hand-off word.', 'Answer them.'],
  INSTRUCTIONS: [
    'The message has instructions for a language model, or signs that people do not write.',
    'Read it before you answer: it may be an attempt to mislead the AI.',
  ],
  OFF_TOPIC: ['The message is not about this property and this agency.', 'Answer it, or leave it.'],
  UNREADABLE: ['The message has no text, such as a voice note, or it is too long.', 'Answer them.'],
  TURN_LIMIT: [
    'The AI has answered as often as the campaign allows.',
    'Answer them, or let the AI answer again with `PATCH /conversations/{id}/ai`.',
  ],
  NOT_SURE: [
    'The listing and the FAQ do not answer the question.',
    'Answer them, and add what was missing to the setting `aiFaq`.',
  ],
  REFUSED_ANSWER: [
    'The AI wrote something that it must not, such as a link, a number or a promise that is in none of the facts.',
    'Answer them. The AI reply says which rule.',
  ],
  AI_UNAVAILABLE: ['The AI endpoint failed, or none is configured.', 'Answer them, and inform the operator.'],
  NOT_SENDABLE: ['The answer could not be sent.', 'See the message of the hand-off.'],
  BY_USER: ['A user took the conversation over.', 'Answer them.'],
}

/** The rules in the `handOff.message` of `REFUSED_ANSWER`: what the answer of the AI broke. */
export const aiRules: ErrorCodes = {
  EMPTY: ['The answer has no text.', 'Choose another model if it happens often.'],
  TOO_LONG: [
    'The answer is longer than 800 characters or 12 lines.',
    'Write in `instructions` that answers are brief.',
  ],
  WRONG_LANGUAGE: ['The answer is not in the language of the person.', 'Choose a model that knows it.'],
  LINK: ['It has a link that is neither in the FAQ nor that of the listing.', 'Add the link to the FAQ.'],
  PHONE: ['It has a phone number that is not in the FAQ.', 'Add the number to the FAQ.'],
  ADDRESS: ['It has an e-mail address that is not in the FAQ.', 'Add the address to the FAQ.'],
  AMOUNT: [
    'It has an amount, a percentage or a time that is in none of the facts.',
    'Add it to the FAQ, if people may know it.',
  ],
  PROMISE: [
    'It speaks of fees, discounts, guarantees, contracts, payments or passwords in words that are not in the FAQ.',
    'Add to the FAQ how you say it.',
  ],
  MARKUP: ['It has HTML, code or tables.', 'Choose another model if it happens often.'],
  PROMPT: ['It repeats the rules or the instructions.', 'Read the message of the person.'],
  HUMAN: ['It says that it is a human.', 'Read the message of the person.'],
  REPEATED: ['It states what only the person has written.', 'Read the message of the person.'],
  OFF_TOPIC: ['It has no word of properties, appointments or the facts.', 'Read the message of the person.'],
  TRUNCATED: [
    'The answer was cut at the limit of its length.',
    'Write in `instructions` that answers are brief.',
  ],
  WRONG_CALL: [
    'The model called a tool that does not exist, or with wrong arguments.',
    'Choose another model.',
  ],
}
