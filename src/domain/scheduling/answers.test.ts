/** Answers are checked against the questions of the event type. */
import { expect, it, test } from 'vitest'
import { findAnswerErrors, type Question, toStoredAnswers } from './answers.ts'

const question = (id: string, more: Partial<Question> = {}): Question => ({
  id,
  label: `Your ${id}`,
  type: 'text',
  required: false,
  options: [],
  ...more,
})
const questions = [
  question('name', { required: true }),
  question('story', { type: 'textarea' }),
  question('size', { type: 'select', options: ['small', 'large'] }),
  question('terms', { type: 'checkbox', required: true }),
  question('phone', { type: 'phone' }),
]
const isPhone = (text: string) => text.startsWith('+')
const find = (answers: Parameters<typeof findAnswerErrors>[1]) =>
  findAnswerErrors(questions, answers, isPhone).map(({ questionId, code }) => `${questionId} ${code}`)
const right = { name: 'Marta', terms: true }

it('accepts answers of the right type', () => {
  expect(find(right)).toEqual([])
  expect(find({ ...right, story: 'x'.repeat(5000), size: 'large', phone: '+34612345678' })).toEqual([])
})

it('bounds all answers together, and names the longest', () => {
  const stories = Array.from({ length: 5 }, (_, at) => question(`story${at}`, { type: 'textarea' }))
  const answer = (length: number) =>
    findAnswerErrors(
      stories,
      Object.fromEntries(stories.map(({ id }, at) => [id, 'x'.repeat(at === 3 ? 4000 : length)])),
      isPhone,
    )
  expect(answer(4000)).toEqual([])
  expect(answer(4001)).toMatchObject([{ questionId: 'story0', code: 'TOO_LONG' }])
})

test.each([
  ['an empty one', { ...right, name: ' ' }, 'name REQUIRED'],
  ['a box that must be ticked', { ...right, terms: false }, 'terms REQUIRED'],
  ['an unknown question', { ...right, age: '30' }, 'age UNKNOWN_QUESTION'],
  ['an inherited name', { ...right, constructor: 'x' }, 'constructor UNKNOWN_QUESTION'],
  ['an option that is not offered', { ...right, size: 'medium' }, 'size NOT_ALLOWED'],
  ['a text for a box', { ...right, terms: 'yes' }, 'terms WRONG_TYPE'],
  ['a box for a text', { ...right, name: true }, 'name WRONG_TYPE'],
  ['a long text', { ...right, name: 'x'.repeat(501) }, 'name TOO_LONG'],
  ['no phone number', { ...right, phone: 'none' }, 'phone WRONG_FORMAT'],
])('refuses %s', (_what, answers, error) => expect(find(answers)).toEqual([error]))

it('lists all errors at once', () => {
  expect(find({ age: '30' })).toEqual(['age UNKNOWN_QUESTION', 'name REQUIRED', 'terms REQUIRED'])
})

it('stores answers in the order of the questions, without blank ones', () => {
  const stored = toStoredAnswers(questions, { terms: true, story: '', phone: null, name: 'Marta' })
  expect(JSON.stringify(stored)).toBe('{"name":"Marta","terms":true}')
})
