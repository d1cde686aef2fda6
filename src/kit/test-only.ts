/** Restricts the sandbox to keys of the test environment. */
import type { Environment } from './key.ts'
import { Problem, type ProblemType } from './problem.ts'

export const testOnly: ProblemType = {
  code: 'TEST_ONLY',
  status: 403,
  meaning: 'The sandbox was called, or an account of it was to be connected, with a live key.',
  action: 'Use a key of the test environment (`svc_test_…`).',
  example: 'The sandbox is for the test environment: use a key that begins with svc_test_.',
}

/** Throws 403 TEST_ONLY for a key of the live environment. */
export function assertTest({ environment }: { environment: Environment }): void {
  if (environment !== 'test') throw new Problem(testOnly, testOnly.example)
}
