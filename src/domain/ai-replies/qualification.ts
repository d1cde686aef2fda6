/** The questions with which a campaign qualifies leads. Answers have a bounded vocabulary and become custom fields. */

export interface QualificationQuestion {
  /** The custom field of the lead. */
  field: string
  question: string
  kind: 'choice' | 'boolean' | 'number'
  /** The options of a choice. */
  options: readonly string[]
  /** The smallest number; null: 0. */
  min: number | null
  /** The largest number; null: a milliard. */
  max: number | null
}

const toRange = ({ min, max }: QualificationQuestion) => ({ minimum: min ?? 0, maximum: max ?? 1e9 })

export type QualificationAnswers = Record<string, string | number | boolean>

/** The JSON Schema of the answers. */
export const toAnswersSchema = (questions: readonly QualificationQuestion[]): object => ({
  type: 'object',
  description: 'What the person has answered in their own words. Leave out what they have not said.',
  properties: Object.fromEntries(questions.map(question => [question.field, toSchema(question)])),
  additionalProperties: false,
})

function toSchema(question: QualificationQuestion): object {
  const { question: description, kind } = question
  if (kind === 'choice') return { type: 'string', enum: question.options, description }
  if (kind === 'boolean') return { type: 'boolean', description }
  return { type: 'number', ...toRange(question), description }
}

/** The valid answers to questions of the campaign. Anything else is left out. */
export function parseAnswers(
  value: unknown,
  questions: readonly QualificationQuestion[],
): QualificationAnswers {
  if (typeof value !== 'object' || value === null) return {}
  const given = value as Record<string, unknown>
  const valid = questions.filter(
    question => Object.hasOwn(given, question.field) && isAnswer(question, given[question.field]),
  )
  return Object.fromEntries(valid.map(({ field }) => [field, given[field] as string | number | boolean]))
}

function isAnswer(question: QualificationQuestion, value: unknown): boolean {
  if (question.kind === 'choice') return typeof value === 'string' && question.options.includes(value)
  if (question.kind === 'boolean') return typeof value === 'boolean'
  const { minimum, maximum } = toRange(question)
  return typeof value === 'number' && value >= minimum && value <= maximum
}
