/** Reads what a model calls. Anything that is not exactly what was offered is refused. */
import type { HandOffCode } from './hand-off.ts'
import { parseAnswers, type QualificationAnswers, type QualificationQuestion } from './qualification.ts'

export type ModelCall =
  | { tool: 'reply'; text: string; about: string; isSure: boolean; answers: QualificationAnswers }
  | { tool: 'hand_off'; code: HandOffCode }
  | { tool: 'list_slots'; from: string | null }
  | { tool: 'book_slot'; start: string }

const reasons: Record<string, HandOffCode> = {
  not_known: 'NOT_SURE',
  off_topic: 'OFF_TOPIC',
  instructions: 'INSTRUCTIONS',
  wants_person: 'WANTS_PERSON',
}
const subjects = ['property', 'agency', 'appointment', 'other']
const fieldsOf: Record<ModelCall['tool'], string[]> = {
  reply: ['text', 'about', 'confidence', 'answers'],
  hand_off: ['reason'],
  list_slots: ['from'],
  book_slot: ['start'],
}

/** `offered`: the names of the tools. Null: the call is none of them, or its arguments are wrong. */
export function parseCall(
  { name, arguments: text }: { name: string; arguments: string },
  offered: readonly string[],
  questions: readonly QualificationQuestion[],
): ModelCall | null {
  if (!offered.includes(name)) return null
  const values = parseObject(text)
  const tool = name as ModelCall['tool']
  if (!values || Object.keys(values).some(field => !fieldsOf[tool].includes(field))) return null
  const { about, confidence, reason, from = null, start } = values
  if (tool === 'reply') {
    const isValid =
      typeof values.text === 'string' &&
      subjects.includes(about as string) &&
      (confidence === 'high' || confidence === 'low')
    if (!isValid) return null
    const answers = parseAnswers(values.answers, questions)
    return {
      tool,
      text: (values.text as string).trim(),
      about: about as string,
      isSure: confidence === 'high',
      answers,
    }
  }
  if (tool === 'hand_off')
    return typeof reason === 'string' && Object.hasOwn(reasons, reason)
      ? { tool, code: reasons[reason]! }
      : null
  if (tool === 'list_slots')
    return from === null || (typeof from === 'string' && /^\d{4}-\d\d-\d\d$/.test(from))
      ? { tool, from }
      : null
  return typeof start === 'string' && start.length <= 40 ? { tool, start } : null
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
