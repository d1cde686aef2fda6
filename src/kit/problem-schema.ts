/** What every error reply looks like from outside. */
import { listedErrorsMax } from './problem.ts'
import { closed, Type } from './schema.ts'

export const problemSchema = closed(
  {
    statusCode: Type.Integer({ description: 'The HTTP status of the reply.' }),
    code: Type.String({ description: 'The kind of error. Stable, for programs.' }),
    message: Type.String({ description: 'What is wrong and what to do, for people.' }),
    requestId: Type.String({ description: 'The id of the request. Quote it when you ask for help.' }),
    existingLeadId: Type.Optional(
      Type.String({ format: 'uuid', description: 'The known lead. Only on `LEAD_EXISTS`.' }),
    ),
    mergedIntoLeadId: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'The lead that the requested one was merged into. Only on `NOT_FOUND`.',
      }),
    ),
    errors: Type.Optional(
      Type.Array(
        closed({
          path: Type.String({ description: 'A JSON pointer into the body, or `/name` of a parameter.' }),
          code: Type.String({ description: 'The kind of fault. Stable, for programs.' }),
          message: Type.String({ description: 'What is wrong with this value, for people.' }),
        }),
        {
          description: `Everything that is wrong with the input, at most ${listedErrorsMax} errors. Only on errors of the input.`,
        },
      ),
    ),
    moreErrors: Type.Optional(
      Type.Integer({
        description:
          'The number of further errors, which `errors` does not list. At most a thousand errors of the body and a thousand of the parameters are counted.',
      }),
    ),
  },
  { title: 'Problem', description: 'Why a request was refused or failed.' },
)
