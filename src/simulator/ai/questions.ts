/** How the simulated model reads the FAQ and the qualification questions of its prompt. */
import { toPlainWords } from '../../domain/plain-words.ts'
import type { ChatRequest } from './request.ts'

const listWords = (text: string): string[] => toPlainWords(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** Shorter words say little. */
const wordMin = 4

/** Returns the answer of the FAQ whose question has all of its long words in the text. */
export function findFaqAnswer(facts: Record<string, unknown>, text: string): string | null {
  const said = new Set(listWords(text))
  const faq = (facts.faq ?? []) as { question: string; answer: string }[]
  const found = faq.find(({ question }) => {
    const words = listWords(question).filter(word => word.length >= wordMin)
    return words.length > 0 && words.every(word => said.has(word))
  })
  return found?.answer ?? null
}

interface Question {
  field: string
  question: string
  answer: unknown
}

interface AnswerSchema {
  type: 'string' | 'boolean' | 'number'
  enum?: string[]
}

const yes = ['si', 'yes', 'ja', 'sim', 'oui', 'bai']
const no = ['no', 'nein', 'nao', 'non', 'ez']

/** Reads the answer to the question that the model put last, and finds the next one. */
export function readQuestions(
  chat: ChatRequest,
  facts: Record<string, unknown>,
  { lastText, lastAnswer }: { lastText: string; lastAnswer: string },
): { answers: Record<string, string | number | boolean>; next: string | null } {
  const open = ((facts.questions ?? []) as Question[]).filter(({ answer }) => answer === null)
  const put = open.find(({ question }) => lastAnswer.endsWith(question))
  const schema = put && findSchema(chat, put.field)
  const value = schema ? readAnswer(schema, lastText) : null
  const answers = put && value !== null ? { [put.field]: value } : {}
  return { answers, next: open.find(({ field }) => !Object.hasOwn(answers, field))?.question ?? null }
}

function findSchema({ tools = [] }: ChatRequest, field: string): AnswerSchema | undefined {
  const reply = tools.find(tool => tool.function.name === 'reply')?.function.parameters as
    | { properties?: { answers?: { properties?: Record<string, AnswerSchema> } } }
    | undefined
  return reply?.properties?.answers?.properties?.[field]
}

function readAnswer(
  { type, enum: options = [] }: AnswerSchema,
  text: string,
): string | number | boolean | null {
  const words = listWords(text)
  if (type === 'number') {
    const digits = /\d+(?:\.\d+)?/.exec(text)?.[0]
    return digits === undefined ? null : Number(digits)
  }
  if (type === 'string') return options.find(option => words.join(' ').includes(toPlainWords(option))) ?? null
  const said = words.find(word => yes.includes(word) || no.includes(word))
  return said === undefined ? null : yes.includes(said)
}
