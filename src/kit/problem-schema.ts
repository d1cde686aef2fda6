/** What every error reply looks like from outside. */
import { listedErrorsMax } from './problem.ts'
import { strictObject, type TSchema, Type } from './schema.ts'

/** Fields of some problems alone, which a feature declares. */
export type ProblemFields = Record<string, TSchema>

/** The schema of every problem, with these fields of the features. */
export const problemSchema = (fields: ProblemFields) =>
  strictObject(
    {
      statusCode: Type.Integer({ description: 'The HTTP status of the reply.' }),
      code: Type.String({ description: 'The kind of error. Stable, for programs.' }),
      message: Type.String({ description: 'What is wrong and what to do, for people.' }),
      requestId: Type.String({ description: 'The id of the request. Quote it when you ask for help.' }),
      ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, Type.Optional(field)])),
      errors: Type.Optional(
        Type.Array(
          strictObject({
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
