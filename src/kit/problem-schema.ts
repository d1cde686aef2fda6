/** The JSON schema of error replies. */
import { listedErrorsMax } from './problem.ts'
import { strictObject, type TSchema, Type } from './schema.ts'

/** Extra fields of some problems, declared by a feature. */
export type ProblemFields = Record<string, TSchema>

/** Builds the schema of all problems. `fields` are the extra fields of all features; each is optional. */
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
            code: Type.String({ description: 'The kind of error. Stable, for programs.' }),
            message: Type.String({ description: 'What is wrong with this value, for people.' }),
          }),
          {
            description: `The errors of the input, at most ${listedErrorsMax}. Present only if the input is invalid.`,
          },
        ),
      ),
      moreErrors: Type.Optional(
        Type.Integer({
          description:
            'The number of further errors that `errors` does not list. At most 1,000 errors of the body and 1,000 of the parameters are counted.',
        }),
      ),
    },
    { title: 'Problem', description: 'The error of a request that was rejected or failed.' },
  )
