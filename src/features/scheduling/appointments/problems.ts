/** The errors of appointments. */
import type { ProblemType } from '../../../kit/problem.ts'

export const holdNotValid: ProblemType = {
  code: 'HOLD_NOT_VALID',
  status: 409,
  meaning: 'The hold has expired, or holds another slot.',
  action: 'Hold the slot again, or book it without `holdId`.',
  example: 'There is no such hold, or it has expired. Hold the slot again, or book it without holdId.',
}
