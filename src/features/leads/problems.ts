/** The errors of leads, and the fields that errors have for leads. */
import type { ProblemType } from '../../kit/problem.ts'
import type { ProblemFields } from '../../kit/problem-schema.ts'
import { Type } from '../../kit/schema.ts'

const exampleId = '01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f'

export const leadExists: ProblemType = {
  code: 'LEAD_EXISTS',
  status: 409,
  meaning: 'The lead exists already: `existingLeadId` names it.',
  action: 'Change the existing lead with PATCH.',
  example: `The lead exists already: ${exampleId}. Update it with PATCH.`,
  exampleDetails: { existingLeadId: exampleId },
}

export const personErased: ProblemType = {
  code: 'PERSON_ERASED',
  status: 409,
  meaning: 'The person was erased, and is not stored again.',
  action: 'Do not send this person again. There is no way to store them.',
  example: 'This person was erased and must not be stored again.',
}

export const leadProblemFields: ProblemFields = {
  existingLeadId: Type.String({ format: 'uuid', description: 'The existing lead. Only on `LEAD_EXISTS`.' }),
  mergedIntoLeadId: Type.String({
    format: 'uuid',
    description: 'The lead that the requested one was merged into. Only on `NOT_FOUND`.',
  }),
}
