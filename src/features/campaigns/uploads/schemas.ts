/** The API schemas of people who are added to a campaign. */
import { id, nullable, oneOf, type Static, strictObject, Type } from '../../../kit/schema.ts'
import { importStatuses, NewImport } from '../../imports/schemas.ts'

/** The most refused rows that a reply lists. */
export const listedMax = 100
export const leadIdsMax = 1000

const { dryRun: _dryRun, ...fileQuery } = NewImport.properties

export const UploadQuery = strictObject({
  ...fileQuery,
  waitSeconds: Type.Integer({
    minimum: 0,
    maximum: 60,
    default: 10,
    description:
      'The reply waits so long for the rows of the file. Those of a larger file go on joining afterwards.',
  }),
})
export type UploadQuery = Static<typeof UploadQuery>

export const LeadIds = strictObject(
  {
    leadIds: Type.Array(id('The lead.'), {
      minItems: 1,
      maxItems: leadIdsMax,
      description: 'Leads that exist. For a campaign of any source.',
    }),
  },
  { title: 'RecipientLeads' },
)
export type LeadIds = Static<typeof LeadIds>

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const RecipientUpload = strictObject(
  {
    importId: nullable(
      id('The import of the file: `GET /leads/imports/{id}` has its progress. Null: no file was sent.'),
    ),
    status: oneOf(importStatuses, {
      description:
        '`COMPLETED`: all rows were read. `QUEUED`, `RUNNING`: the counts still grow. `FAILED`: `error` says why; the rows before have joined.',
    }),
    error: nullable(
      strictObject(
        {
          code: Type.String({ description: 'Why. Stable, for programs.' }),
          message: Type.String({ description: 'Why, for people.' }),
        },
        { description: 'Why the file could not be read to its end; null: nothing went wrong.' },
      ),
    ),
    received: count('The rows read, or the ids sent: one that is sent twice counts once.'),
    joined: count(
      'Leads that became recipients. Who of them may not be written to is skipped when its message is due, with the reason; a preview says it before.',
    ),
    refused: count('Rows or ids from which no recipient came.'),
    refusedByReason: Type.Record(Type.String(), Type.Integer(), {
      description: 'The number of refused ones for each reason, such as `NOT_IDENTIFIABLE`.',
    }),
    refusedRows: Type.Array(
      strictObject({
        rowNumber: nullable(
          Type.Integer({ description: 'The row of the file, from 1; null: no file was sent.' }),
        ),
        leadId: nullable(id('The lead; null: there is none.')),
        code: Type.String({ description: 'Why. Stable, for programs.' }),
        message: Type.String({ description: 'Why, for people.' }),
      }),
      {
        description: `The first ${listedMax} of them. \`GET /leads/imports/{id}/rows\` lists all rows of a file.`,
      },
    ),
  },
  {
    title: 'RecipientUpload',
    description: 'The people who were added to a campaign, and those who were not.',
  },
)
export type RecipientUpload = Static<typeof RecipientUpload>

export const uploadExample: RecipientUpload = {
  importId: '01980a4e-2222-7c3e-9d7a-2f6b1c0d9e8f',
  status: 'COMPLETED',
  error: null,
  received: 3,
  joined: 2,
  refused: 1,
  refusedByReason: { NOT_IDENTIFIABLE: 1 },
  refusedRows: [
    {
      rowNumber: 3,
      leadId: null,
      code: 'NOT_IDENTIFIABLE',
      message:
        'The row has no name, phone number, e-mail address, title, address or link that identifies a lead.',
    },
  ],
}
