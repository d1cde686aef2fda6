/** Checks the answers of a visitor against the questions of an event type. */

export interface Question {
  id: string
  label: string
  type: 'text' | 'textarea' | 'select' | 'checkbox' | 'phone'
  required: boolean
  /** The possible answers of a `select`. */
  options: string[]
}

export type Answer = string | boolean

export interface AnswerError {
  questionId: string
  code: 'REQUIRED' | 'UNKNOWN_QUESTION' | 'WRONG_TYPE' | 'TOO_LONG' | 'NOT_ALLOWED' | 'WRONG_FORMAT'
  message: string
}

const lengthMax: Record<Question['type'], number> = {
  text: 500,
  textarea: 5000,
  select: 200,
  checkbox: 0,
  phone: 50,
}

const isBlank = (answer: Answer | null | undefined) =>
  answer === undefined || answer === null || (typeof answer === 'string' && answer.trim() === '')

/** `answers`: by the ids of the questions; blank ones are unanswered. `isPhone`: whether a text is a phone number. */
export function findAnswerErrors(
  questions: readonly Question[],
  answers: Record<string, Answer | null>,
  isPhone: (text: string) => boolean,
): AnswerError[] {
  const known = new Set(questions.map(({ id }) => id))
  const unknown = Object.keys(answers)
    .filter(id => !known.has(id))
    .map(
      (questionId): AnswerError => ({
        questionId,
        code: 'UNKNOWN_QUESTION',
        message: `There is no such question. ${listQuestions(questions)}`,
      }),
    )
  const wrong = questions.flatMap(question => {
    const answer = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined
    const fault = findFault(question, answer, isPhone)
    return fault ? [{ questionId: question.id, ...fault }] : []
  })
  return [...unknown, ...(wrong.length === 0 ? findExcess(questions, answers) : wrong)]
}

/** All answers of an appointment together. */
export const answersMaxLength = 20_000

function findExcess(questions: readonly Question[], answers: Record<string, Answer | null>): AnswerError[] {
  const texts = Object.entries(toStoredAnswers(questions, answers))
    .map(([questionId, answer]) => ({ questionId, length: String(answer).length }))
    .sort((one, other) => other.length - one.length)
  if (texts.reduce((sum, { length }) => sum + length, 0) <= answersMaxLength) return []
  const message = `must be shorter: all answers together may have ${answersMaxLength} characters`
  return [{ questionId: texts[0]!.questionId, code: 'TOO_LONG', message }]
}

const listQuestions = (questions: readonly Question[]) =>
  questions.length === 0
    ? 'The event type has no questions.'
    : `The questions are ${questions.map(({ id }) => id).join(', ')}.`

type Fault = Omit<AnswerError, 'questionId'>

function findFault(
  { label, type, required, options }: Question,
  answer: Answer | null | undefined,
  isPhone: (text: string) => boolean,
): Fault | null {
  // A box that must be ticked, such as one that accepts conditions.
  const isMissing = isBlank(answer) || (type === 'checkbox' && answer === false)
  if (isMissing && required) return { code: 'REQUIRED', message: `"${label}" must be answered.` }
  if (isBlank(answer)) return null
  if (typeof answer !== (type === 'checkbox' ? 'boolean' : 'string'))
    return { code: 'WRONG_TYPE', message: `must be ${type === 'checkbox' ? 'true or false' : 'a text'}` }
  return typeof answer === 'string' ? findTextFault({ type, options }, answer, isPhone) : null
}

function findTextFault(
  { type, options }: Pick<Question, 'type' | 'options'>,
  answer: string,
  isPhone: (text: string) => boolean,
): Fault | null {
  if (answer.length > lengthMax[type])
    return { code: 'TOO_LONG', message: `must have at most ${lengthMax[type]} characters` }
  if (type === 'select' && !options.includes(answer))
    return { code: 'NOT_ALLOWED', message: `must be one of ${options.join(', ')}` }
  if (type === 'phone' && !isPhone(answer))
    return { code: 'WRONG_FORMAT', message: 'must be a phone number, such as +34612345678' }
  return null
}

/** The answers that are stored: without blank ones, in the order of the questions. */
export function toStoredAnswers(
  questions: readonly Question[],
  answers: Record<string, Answer | null>,
): Record<string, Answer> {
  return Object.fromEntries(
    questions.flatMap(({ id }) => {
      const answer = Object.hasOwn(answers, id) ? answers[id] : undefined
      return isBlank(answer) ? [] : [[id, answer as Answer]]
    }),
  )
}
