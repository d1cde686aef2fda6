/** The error codes of people who are added to a campaign. */
import type { ProblemType } from '../../../kit/problem.ts'

export const filesNotTaken: ProblemType = {
  code: 'FILES_NOT_TAKEN',
  status: 422,
  meaning: 'Only campaigns of the source `csv_import` take files.',
  action: 'Send `{ "leadIds": [] }`, or create a campaign of `csv_import`.',
  example: 'The campaign finds people at portal_a. Only campaigns of csv_import take files; send leadIds.',
}

export const recipientsNotTaken: ProblemType = {
  code: 'RECIPIENTS_NOT_TAKEN',
  status: 409,
  meaning: 'The campaign is completed, or only extracts leads, so nobody can be added.',
  action: 'Create another campaign, or change its mode with `PATCH /campaigns/{id}`.',
  example: 'The campaign is completed: nobody can be added. Create another one.',
}
