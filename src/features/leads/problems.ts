/** The errors of leads, and what errors say of leads. */
import type { ProblemType } from '../../kit/problem.ts'
import type { ProblemFields } from '../../kit/problem-schema.ts'
import { Type } from '../../kit/schema.ts'

const exampleId = '01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f'

export const leadExists: ProblemType = {
  code: 'LEAD_EXISTS',
  status: 409,
  example: `This is the lead ${exampleId} already. Change that one with PATCH.`,
  exampleDetails: { existingLeadId: exampleId },
}

export const personErased: ProblemType = {
  code: 'PERSON_ERASED',
  status: 409,
  example: 'This person was erased, and is not stored again.',
}

export const leadProblemFields: ProblemFields = {
  existingLeadId: Type.String({ format: 'uuid', description: 'The known lead. Only on `LEAD_EXISTS`.' }),
  mergedIntoLeadId: Type.String({
    format: 'uuid',
    description: 'The lead that the requested one was merged into. Only on `NOT_FOUND`.',
  }),
}
