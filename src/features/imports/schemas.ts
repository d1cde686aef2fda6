/** The API schemas of imports and their rows. */
import { leadFields } from '../../domain/table/lead-fields.ts'
import { pageQuery } from '../../kit/page.ts'
import {
  byName,
  id,
  nullable,
  oneOf,
  type Static,
  strictObject,
  Type,
  time,
  visible,
} from '../../kit/schema.ts'

export const importStatuses = [
  'QUEUED',
  'RUNNING',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
  'UNDOING',
  'UNDONE',
] as const

export type ImportStatus = (typeof importStatuses)[number]

export const rowResults = ['created', 'updated', 'unchanged', 'skipped', 'failed'] as const

export type RowResult = (typeof rowResults)[number]

/** The accepted content types of a file; the kind of a `text/plain` file is detected. */
export const fileTypes = [
  'text/csv',
  'application/x-ndjson',
  'text/tab-separated-values',
  'text/plain',
  // Browsers send this type for CSV files if Excel is installed.
  'application/vnd.ms-excel',
] as const
export const fileMaxBytes = 256 * 1024 * 1024
/** The most bytes of all files of a tenant that are being imported or kept after dry runs. */
export const filesMaxBytes = 2 * 1024 * 1024 * 1024

export const onMatch = oneOf(['update', 'skip'], {
  description: '`update`: a row updates the known lead; `skip`: known leads keep their values.',
})

/** The field of each column by its heading, such as `{ "Teléfono": "contact.phone", "Notas": null }`; null: ignored. */
export const Mapping = Type.Record(Type.String(), nullable(Type.String()), {
  description: `The field of each column, by its heading; null: the column is ignored. Fields: ${leadFields.map(field => `\`${field}\``).join(', ')} and \`customFields.<name>\`.`,
})

const attestation = Type.String({
  minLength: 1,
  maxLength: 2000,
  pattern: visible,
  description:
    'The proof of lawful bases that rows state without a date and a proof, such as the words of a consent and where it was given. It is recorded with them as your statement; without it, they are not recorded.',
})

/** The query of the upload. */
export const NewImport = strictObject({
  name: Type.Optional(
    Type.String({ maxLength: 200, description: 'Your name for the import, such as the name of the file.' }),
  ),
  dryRun: Type.Boolean({
    default: false,
    description:
      'Report the result that each row would have, and change nothing. The file is kept for 24 hours.',
  }),
  onMatch: { ...onMatch, default: 'update' } as typeof onMatch,
  keepUnknown: Type.Boolean({
    default: true,
    description: 'Keep columns that match no field of a lead as custom fields.',
  }),
  hasHeadings: Type.Optional(
    Type.Boolean({
      description:
        'The first row of a table is its headings. If false, the columns are `column 1`, `column 2`, …. If omitted, the rows decide.',
    }),
  ),
  country: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{2}$',
      description:
        'The country whose phone numbers and postcodes the file has, ISO 3166-1 alpha-2. If omitted, the country of the workspace.',
    }),
  ),
  attestation: Type.Optional(attestation),
  mapping: Type.Optional(
    Type.String({
      maxLength: 20_000,
      description:
        'JSON, such as `{"Teléfono": "contact.phone", "Notas": null}`: the fields of the columns it names. The other columns keep the guessed field.',
    }),
  ),
})

export type NewImport = Static<typeof NewImport>

/** The body of `POST /leads/imports/{id}/start`. */
export const ImportStart = strictObject(
  {
    mapping: Type.Optional(
      byName(nullable(Type.String({ maxLength: 200 })), 1000, {
        maxProperties: 500,
        description:
          'The fields of the columns it names, by their headings; null: the column is ignored. The other columns keep their field.',
      }),
    ),
    onMatch: Type.Optional(onMatch),
    attestation: Type.Optional(attestation),
  },
  { title: 'ImportStart' },
)

/** The query of the list. */
export const ImportFilter = strictObject({
  status: Type.Optional(oneOf(importStatuses, { description: 'Only imports with this status.' })),
  ...pageQuery,
})
export type ImportFilter = Static<typeof ImportFilter>

/** The query of the rows. */
export const RowFilter = strictObject({
  result: Type.Optional(oneOf(rowResults, { description: 'Only rows with this result.' })),
  ...pageQuery,
})
export type RowFilter = Static<typeof RowFilter>

const counter = (description: string) => Type.Integer({ minimum: 0, description })

/** The columns of the file. Lists of imports leave them out, because wide files have many. */
const columns = {
  headings: Type.Array(Type.String(), {
    description:
      'The headings of the columns; for NDJSON the names in its first lines, such as `contact.phone`. Once the file is deleted, only headings with a guessed field are kept: an unknown one may be the name of a person.',
  }),
  mapping: Mapping,
  guessedMapping: Mapping,
}

const summary = {
  id: id('The import.'),
  name: nullable(Type.String({ description: 'Your name for the import; null: it has none.' })),
  status: oneOf(importStatuses, {
    description:
      '`QUEUED`: it waits; `RUNNING`: it reads the rows; `COMPLETED`, `FAILED`, `CANCELLED`: it has ended; `UNDOING`, `UNDONE`: its changes are being undone, or have been undone.',
  }),
  dryRun: Type.Boolean({
    description: 'It reports the result that each row would have, and changes nothing.',
  }),
  onMatch,
  keepUnknown: Type.Boolean({ description: 'Columns that match no field become custom fields.' }),
  format: strictObject(
    {
      kind: oneOf(['csv', 'ndjson'], { description: '`csv`: a table; `ndjson`: a line of JSON per lead.' }),
      encoding: oneOf(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'macintosh'], {
        description: 'The encoding of its text.',
      }),
      separator: nullable(
        Type.String({ description: 'The character between the columns; null: there are no columns.' }),
      ),
      hasHeader: nullable(
        Type.Boolean({
          description:
            'The table has headings. If false, its columns are `column 1`, `column 2`, …; null: the file is NDJSON.',
        }),
      ),
      headerRow: nullable(
        Type.Integer({ description: 'The row of the headings, from 1; null: there are no headings.' }),
      ),
    },
    { description: 'How the file is written, as read from its first bytes.' },
  ),
  warnings: Type.Array(
    strictObject({
      code: Type.String({ description: 'The kind of warning. Stable, for programs.' }),
      message: Type.String({ description: 'What may be wrong and what to do, for people.' }),
    }),
    {
      description:
        'What may be wrong with the file as a whole. Known before any row is read; check it after a dry run.',
    },
  ),
  attestation: nullable(
    Type.String({
      description: 'The proof of lawful bases that rows state without one; null: there is none.',
    }),
  ),
  attestedBy: nullable(id('The user who made that statement; null: none is known.')),
  country: nullable(
    Type.String({
      description:
        'The country whose phone numbers and postcodes the file has, ISO 3166-1 alpha-2; null: the country of the workspace.',
    }),
  ),
  campaignId: nullable(id('The campaign whose recipients the leads become; null: none.')),
  fileKeptUntil: nullable(time('Until when the file is kept for `start`; null: it is deleted, or in use.')),
  progress: strictObject(
    {
      rowsTotal: nullable(counter('The rows of the file; null: its end has not been reached.')),
      rowsRead: counter('The rows processed.'),
      created: counter('The leads created.'),
      updated: counter('The known leads updated.'),
      unchanged: counter('The known leads that already had the values of the row.'),
      skipped: counter('The rows skipped; each says why.'),
      failed: counter('The rows that could not be read; each says why.'),
      undone: counter('The rows undone.'),
      notReverted: counter('The rows that could not be undone; each says why.'),
      percent: Type.Integer({ minimum: 0, maximum: 100, description: 'The share of the work that is done.' }),
    },
    { description: 'What the import has done so far.' },
  ),
  error: nullable(
    strictObject(
      {
        code: Type.String({ description: 'Why it failed. Stable, for programs.' }),
        message: Type.String({ description: 'Why it failed and what to do, for people.' }),
      },
      { description: 'Why the import failed; null: it has not.' },
    ),
  ),
  createdAt: time('When the file was uploaded.'),
  startedAt: nullable(time('When it started; null: it is queued.')),
  finishedAt: nullable(time('When it ended; null: it has not.')),
  undoneAt: nullable(time('When it was undone; null: it was not.')),
}

export const Import = strictObject(
  { ...summary, ...columns },
  {
    title: 'Import',
    description: 'An import and its columns.',
  },
)
/** An item of the list of imports. */
export const ImportSummary = strictObject(summary, {
  title: 'ImportSummary',
  description: 'An import without its columns; `GET /leads/imports/{id}` has them.',
})

export type Import = Static<typeof Import>

export const ImportRow = strictObject(
  {
    rowNumber: Type.Integer({
      description: 'The number of the row in a spreadsheet, or of the line of NDJSON, from 1.',
    }),
    result: oneOf(rowResults, {
      description: 'The result of the row; after a dry run, the result that it would have.',
    }),
    reason: nullable(
      Type.String({
        description:
          'Why the row was skipped, failed or was not undone; null: it was not. Stable, for programs.',
      }),
    ),
    message: nullable(
      Type.String({ description: 'The reason as a sentence, for people; null: there is none.' }),
    ),
    problems: Type.Array(
      strictObject({
        column: nullable(Type.String({ description: 'The heading of the column; null: the whole row.' })),
        code: Type.String({ description: 'The kind of problem. Stable, for programs.' }),
        message: Type.String({ description: 'What is wrong with the value, for people.' }),
      }),
      { description: 'The values that could not be read; the rest of the row was imported.' },
    ),
    leadId: nullable(id('The lead of the row; null: there is none, or it was deleted.')),
    undone: nullable(
      Type.Boolean({
        description:
          'true: the row was undone; false: it could not be undone, `reason` says why; null: nobody has undone the import, or the row changed no lead.',
      }),
    ),
  },
  { title: 'ImportRow' },
)
export type ImportRow = Static<typeof ImportRow>
