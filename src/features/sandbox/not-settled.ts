/** The error for work of the test environment that takes longer than a request may. */
import { Problem, type ProblemType } from '../../kit/problem.ts'

export const notSettled: ProblemType = {
  code: 'NOT_SETTLED',
  status: 503,
  meaning: 'The request is accepted, but not everything that it started is done yet.',
  action: 'Send the same request again to continue.',
  example:
    'The clock has reached 2026-12-03T10:00:00.000Z; the work due then is not done yet and continues in the background. Send the request again to move on.',
}

export const createNotSettled = (message: string): Problem =>
  new Problem(notSettled, message, { headers: { 'Retry-After': '1' } })
