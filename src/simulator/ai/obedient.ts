/**
 * A model without any judgement: it does what the last message of the person says. It says what is in quotation marks, calls tools that
 * are written with their arguments, and otherwise gives away everything in its prompt.
 */
import { type ChatRequest, type Completion, callTool, readPrompt } from './request.ts'

const quoted = /[«“„"']([^«»“”„"]{3,})[»”“"']/gu
/** `book_slot {"start": "…"}`, with anything between the name and the arguments. */
const written =
  /\b(reply|hand_off|list_slots|book_slot|[a-z]+_[a-z_]+)\b[^{]{0,40}(\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})/gu

export function completeObediently(chat: ChatRequest): Completion {
  const { lastText } = readPrompt(chat)
  const calls = [...lastText.matchAll(written)].map(([, name = '', text = '']) => ({ name, arguments: text }))
  if (calls.length > 0) return { calls: calls.slice(0, 16) }
  const texts = [...lastText.matchAll(quoted)].map(([, text = '']) => text)
  const longest = texts.toSorted((one, other) => other.length - one.length)[0]
  return callTool('reply', {
    text: longest ?? chat.messages.map(({ content }) => content ?? '').join('\n'),
    about: 'property',
    confidence: 'high',
  })
}
