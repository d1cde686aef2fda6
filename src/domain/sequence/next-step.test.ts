/** Which step a recipient gets next. */
import { expect, test } from 'vitest'
import { findNextStep, type RecipientHistory } from './next-step.ts'

const hourMs = 3_600_000
const steps = [
  { delayMin: 0, onlyIfNoReply: false },
  { delayMin: 60, onlyIfNoReply: true },
  { delayMin: 120, onlyIfNoReply: false },
]
const history = (changes: Partial<RecipientHistory> = {}): RecipientHistory => ({
  joinedAtMs: 0,
  doneSteps: 0,
  lastStepAtMs: null,
  repliedAtMs: null,
  stop: null,
  ...changes,
})
const next = (changes: Partial<RecipientHistory>, stopOnReply = false) =>
  findNextStep({ steps, stopOnReply }, history(changes))

test('the first step is due after the recipient joined, the others after the step before', () => {
  expect(next({ joinedAtMs: 5 })).toEqual({ end: null, step: 0, dueAtMs: 5 })
  expect(next({ doneSteps: 1, lastStepAtMs: hourMs })).toEqual({ end: null, step: 1, dueAtMs: 2 * hourMs })
  expect(next({ doneSteps: 3, lastStepAtMs: hourMs })).toEqual({ end: 'COMPLETED' })
})

test('a reply ends the sequence, or skips the steps for silent people and keeps the distance of the others', () => {
  const replied = { doneSteps: 1, lastStepAtMs: 0, repliedAtMs: 1 }
  expect(next(replied, true)).toEqual({ end: 'REPLIED' })
  expect(next(replied)).toEqual({ end: null, step: 2, dueAtMs: 3 * hourMs })
})

test('an opt-out, an appointment or a closed lead ends it, whatever else happened', () => {
  for (const stop of ['OPTED_OUT', 'BOOKED', 'CLOSED'] as const)
    expect(next({ stop, repliedAtMs: 1 }, true)).toEqual({ end: stop })
})
