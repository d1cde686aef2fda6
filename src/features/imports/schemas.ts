/** What an import and its rows look like from outside. */
import { LEAD_FIELDS } from '../../domain/table/lead-fields.ts'
import { pageQuery } from '../../kit/page.ts'
import { byName, closed, id, nullable, oneOf, type Static, Type, time } from '../../kit/schema.ts'

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

/** What reads the types that a file may come with; `text/plain` is looked at. */
export const fileTypes = [
  'text/csv',
  'application/x-ndjson',
  'text/tab-separated-values',
  'text/plain',
  // What browsers call a CSV file where Excel is installed.
  'application/vnd.ms-excel',
] as const
export const fileMaxBytes = 256 * 1024 * 1024
/** Of all files of a tenant that are in use or wait: each is stored until then. */
export const filesMaxBytes = 2 * 1024 * 1024 * 1024

export const onMatch = oneOf(['update', 'skip'], {
  description: 'What becomes of a lead that is known already: the row is laid over it, or it stays as it is.',
})

/** `{ "Teléfono": "contact.phone", "Notas": null }`: what each column is; null: it is passed over. */
export const Mapping = Type.Record(Type.String(), nullable(Type.String()), {
  description: `What each column is, by its heading; null: it is passed over. Fields: ${LEAD_FIELDS.map(field => `\`${field}\``).join(', ')} and \`customFields.<name>\`.`,
})

const attestation = Type.String({
  ...{ minLength: 1, maxLength: 2000, pattern: '\\S' },
  description:
    'What shows the lawful bases of rows that state one without its date and proof, such as the words of a consent and where it was given. Recorded with them as your word; without it they are not recorded.',
})

/** The query of the upload. */
export const NewImport = closed({
  name: Type.Optional(
    Type.String({ maxLength: 200, description: 'For people, such as the name of the file.' }),
  ),
  dryRun: Type.Boolean({
    default: false,
    description: 'Tell what would become of each row, and change nothing. The file is kept for 24 hours.',
  }),
  onMatch: { ...onMatch, default: 'update' } as typeof onMatch,
  keepUnknown: Type.Boolean({
    default: true,
    description: 'Keep columns that are no field of a lead as custom fields.',
  }),
  hasHeadings: Type.Optional(
    Type.Boolean({
      description:
        'Whether the first row of a table is its headings; without, the columns are `column 1`, `column 2`, …. Told by the rows themselves if left out.',
    }),
  ),
  country: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{2}$',
      description:
        'ISO 3166-1: where its telephones and postcodes are written. The country of the workspace if left out.',
    }),
  ),
  attestation: Type.Optional(attestation),
  mapping: Type.Optional(
    Type.String({
      maxLength: 20_000,
      description:
        'JSON, such as `{"Teléfono": "contact.phone", "Notas": null}`: for the columns it names, in place of what is guessed.',
    }),
  ),
})

export type NewImport = Static<typeof NewImport>

/** The body of `POST /leads/imports/{id}/start`. */
export const ImportStart = closed(
  {
    mapping: Type.Optional(
      byName(nullable(Type.String({ maxLength: 200 })), 1000, {
        maxProperties: 500,
        description: 'For the columns it names, in place of what the import has.',
      }),
    ),
    onMatch: Type.Optional(onMatch),
    attestation: Type.Optional(attestation),
  },
  { title: 'ImportStart' },
)

/** The query of the list. */
export const ImportFilter = closed({
  status: Type.Optional(oneOf(importStatuses, { description: 'Only those in this state.' })),
  ...pageQuery,
})
export type ImportFilter = Static<typeof ImportFilter>

/** The query of the rows. */
export const RowFilter = closed({
  result: Type.Optional(oneOf(rowResults, { description: 'Only rows of which this became.' })),
  ...pageQuery,
})
export type RowFilter = Static<typeof RowFilter>

const counter = (description: string) => Type.Integer({ minimum: 0, description })

/** What every column of the file is: of a wide one that is long. */
const columns = {
  headings: Type.Array(Type.String(), {
    description:
      'The columns; of NDJSON the names that its first lines have, such as `contact.phone`. Once the file is gone, those alone of which it was guessed what they are: what nobody knows may be the name of a person.',
  }),
  mapping: Mapping,
  guessedMapping: Mapping,
}

const summary = {
  id: id('The import.'),
  name: nullable(Type.String()),
  status: oneOf(importStatuses),
  dryRun: Type.Boolean(),
  onMatch: oneOf(['update', 'skip']),
  keepUnknown: Type.Boolean(),
  format: closed({
    kind: oneOf(['csv', 'ndjson']),
    encoding: oneOf(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'macintosh']),
    separator: nullable(Type.String({ description: 'Between the columns; null: there are none.' })),
    hasHeader: nullable(
      Type.Boolean({ description: 'Whether the table has headings; without, they are `column 1`, …' }),
    ),
    headerRow: nullable(Type.Integer({ description: 'The row of the headings, the first one being 1.' })),
  }),
  warnings: Type.Array(
    closed({
      code: Type.String({ description: 'Stable, for programs.' }),
      message: Type.String({ description: 'For people: what may be wrong, and what to do.' }),
    }),
    {
      description:
        'What of the file may not be as its owner means it. Told before a row is read: look at it after a dry run.',
    },
  ),
  attestation: nullable(
    Type.String({ description: 'What shows the lawful bases of rows that do not prove them themselves.' }),
  ),
  attestedBy: nullable(id('The user who says so.')),
  country: nullable(Type.String({ description: 'Where it was written; null: where the workspace is.' })),
  fileKeptUntil: nullable(time('The file is there until then, for `start`; null: it is gone, or in use.')),
  progress: closed({
    rowsTotal: nullable(counter('Rows of the file; null: it has not been read to its end.')),
    rowsRead: counter('Rows dealt with.'),
    created: counter('New leads.'),
    updated: counter('Leads that were known and have changed.'),
    unchanged: counter('Leads that were known as the row says.'),
    skipped: counter('Rows left out; each says why.'),
    failed: counter('Rows that could not be read; each says why.'),
    undone: counter('Rows that were undone.'),
    kept: counter('Rows that could not be undone, as somebody has changed the lead since.'),
    percent: Type.Integer({ minimum: 0, maximum: 100 }),
  }),
  error: nullable(closed({ code: Type.String(), message: Type.String() })),
  createdAt: time('Sent.'),
  startedAt: nullable(time('Begun.')),
  finishedAt: nullable(time('Ended.')),
  undoneAt: nullable(time('Undone.')),
}

export const Import = closed({ ...summary, ...columns }, { title: 'Import' })
/** As lists have it. */
export const ImportSummary = closed(summary, {
  title: 'ImportSummary',
  description: 'Without its columns, which `GET /leads/imports/{id}` has.',
})

export type Import = Static<typeof Import>

export const importExample: Import = {
  id: '01980a4e-5555-7c3e-9d7a-2f6b1c0d9e8f',
  name: 'clientes.csv',
  status: 'RUNNING',
  dryRun: false,
  onMatch: 'update',
  keepUnknown: true,
  format: { kind: 'csv', encoding: 'windows-1252', separator: ';', hasHeader: true, headerRow: 1 },
  warnings: [],
  attestation: null,
  attestedBy: null,
  country: null,
  headings: ['Nombre', 'Teléfono', 'Precio', 'Origen'],
  mapping: {
    Nombre: 'contact.name',
    Teléfono: 'contact.phone',
    Precio: 'property.price',
    Origen: 'customFields.Origen',
  },
  guessedMapping: {
    Nombre: 'contact.name',
    Teléfono: 'contact.phone',
    Precio: 'property.price',
    Origen: null,
  },
  fileKeptUntil: null,
  progress: {
    ...{ rowsTotal: null, rowsRead: 500, created: 480, updated: 12, unchanged: 3, skipped: 4, failed: 1 },
    ...{ undone: 0, kept: 0, percent: 40 },
  },
  error: null,
  createdAt: '2026-11-02T10:00:00.000Z',
  startedAt: '2026-11-02T10:00:00.200Z',
  finishedAt: null,
  undoneAt: null,
}

const {
  headings: _headings,
  mapping: _mapping,
  guessedMapping: _guessed,
  ...importSummaryExample
} = importExample

export { importSummaryExample }

export const queuedExample: Import = {
  ...importExample,
  ...{ status: 'QUEUED', startedAt: null },
  progress: {
    ...{ rowsTotal: null, rowsRead: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 },
    ...{ undone: 0, kept: 0, percent: 0 },
  },
}

export const ImportRow = closed(
  {
    rowNumber: Type.Integer({ description: 'As a spreadsheet counts; of NDJSON the line.' }),
    result: oneOf(rowResults, { description: 'Of a dry run: what it would be.' }),
    reason: nullable(
      Type.String({ description: 'Why a row was skipped, failed, or was not undone. Stable, for programs.' }),
    ),
    message: nullable(Type.String({ description: 'The reason, for people.' })),
    problems: Type.Array(
      closed({
        column: nullable(Type.String({ description: 'The heading; null: the row as a whole.' })),
        code: Type.String({ description: 'Stable, for programs.' }),
        message: Type.String({ description: 'For people.' }),
      }),
      { description: 'Values that could not be read; the rest of the row stands.' },
    ),
    leadId: nullable(id('The lead it is of; null: none, or it is no more.')),
    undone: nullable(
      Type.Boolean({
        description: 'false: it stays as somebody has changed the lead since; null: not asked for.',
      }),
    ),
  },
  { title: 'ImportRow' },
)

export const importRowExample: Static<typeof ImportRow> = {
  rowNumber: 7,
  result: 'created',
  reason: null,
  message: null,
  problems: [
    {
      column: 'Teléfono 2',
      code: 'PHONE_INVALID',
      message: 'This is no valid telephone number. Numbers from abroad need their prefix, as +44.',
    },
  ],
  leadId: '01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f',
  undone: null,
}
