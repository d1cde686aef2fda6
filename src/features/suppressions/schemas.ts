/** What the suppression list looks like from outside: never whom it is about. */
import { CHANNELS, SUPPRESSION_KINDS } from '../../domain/contactability/facts.ts'
import { pageQuery } from '../../kit/page.ts'
import { closed, id, nullable, oneOf, type Static, Type, time } from '../../kit/schema.ts'

const identifier = closed({
  kind: oneOf(['phone', 'email', 'chat']),
  value: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'As people write it; a chat as `provider:id`, such as `whatsapp:34612345678`.',
    examples: ['+34 612 34 56 78'],
  }),
})
const kind = oneOf(SUPPRESSION_KINDS, {
  description:
    '`opt_out` and `erased` are final; `exclusion_list` was imported; `manual` is the workspace’s own.',
})
const channel = oneOf(CHANNELS, { description: 'The channel it forbids.' })
const listName = Type.String({
  ...{ minLength: 1, maxLength: 100, pattern: '\\S' },
  description: 'Name of the exclusion list.',
})
const note = Type.String({
  ...{ minLength: 1, maxLength: 500, pattern: '\\S' },
  description: 'For people; not the place for what tells who it is.',
})

export const Suppression = closed(
  {
    id: id('The entry.'),
    kind,
    identifierKind: oneOf(['phone', 'email', 'chat', 'advert'], {
      description:
        'What the keyed hash is of; `advert`: one of an erased person, which is not read in again.',
    }),
    channel: nullable(channel),
    listName: nullable(listName),
    note: nullable(note),
    createdAt: time('When it was added; of an exclusion list, when an import last brought it.'),
    createdBy: nullable(id('Who made the key that it was added with.')),
  },
  { title: 'Suppression' },
)

export const NewSuppression = closed(
  {
    identifiers: Type.Array(identifier, {
      ...{ minItems: 1, maxItems: 100 },
      description: 'Telephones, e-mail addresses and chats of one person, or of several.',
    }),
    kind: Type.Optional(oneOf(['opt_out', 'manual'], { default: 'manual' })),
    channel: Type.Optional(nullable(channel)),
    note: Type.Optional(nullable(note)),
  },
  { title: 'NewSuppression' },
)

export const importMax = 10_000

export const SuppressionImport = closed(
  {
    listName,
    identifiers: Type.Array(identifier, { maxItems: importMax }),
    channel: Type.Optional(nullable(channel)),
    removeBefore: Type.Optional(
      time(
        'Afterwards, entries of this list are removed that no import has brought since then: `importedAt` of a former reply, for the clock here may not be yours.',
      ),
    ),
  },
  { title: 'SuppressionImport' },
)

export const ImportedSuppressions = closed({
  importedAt: time('When they were put on the list.'),
  added: Type.Integer({ description: 'Entries that are new.' }),
  known: Type.Integer({ description: 'Entries that stood on this list already.' }),
  removed: Type.Integer({ description: 'Entries that are no longer on it.' }),
  invalid: Type.Array(
    closed({ index: Type.Integer({ description: 'Its place in `identifiers`, from 0.' }) }),
    {
      description: 'Identifiers that are no telephone, address or chat: nothing was added for them.',
    },
  ),
})

export const fileTypes = [
  ...['text/csv', 'text/plain', 'text/tab-separated-values'],
  // What browsers call a CSV file where Excel is installed.
  'application/vnd.ms-excel',
]
export const fileMaxBytes = 32 * 1024 * 1024

/** The query of the upload. */
export const SuppressionFile = closed({
  listName: { ...listName, default: 'Exclusion list' } as typeof listName,
  channel: Type.Optional(channel),
  replace: Type.Boolean({
    default: false,
    description: 'Whether the file is the whole list: entries that it does not bring are removed.',
  }),
})

export const unreadRowsMax = 100

export const ImportedSuppressionFile = closed({
  importedAt: time('When they were put on the list.'),
  rows: Type.Integer({ description: 'Rows of the file that are not blank, without headings.' }),
  added: Type.Integer({ description: 'Entries that are new.' }),
  known: Type.Integer({ description: 'Entries that stood on this list already.' }),
  removed: Type.Integer({ description: 'Entries that are no longer on it.' }),
  unreadable: Type.Integer({ description: 'Rows without a telephone, address or chat that can be read.' }),
  unreadRows: Type.Array(Type.Integer(), {
    description: `The first ${unreadRowsMax} of these, as a spreadsheet counts.`,
  }),
})

export const SuppressionCheck = closed(
  { identifiers: Type.Array(identifier, { minItems: 1, maxItems: 1000 }) },
  { title: 'SuppressionCheck' },
)

export const CheckedSuppressions = closed({
  data: Type.Array(
    closed({
      isValid: Type.Boolean({ description: 'Whether it can be read as a telephone, address or chat.' }),
      suppressed: Type.Boolean({ description: 'Whether anything stands against it.' }),
      suppressions: Type.Array(
        closed({
          kind,
          channel: nullable(channel),
          source: Type.String(),
          addedAt: time('When it was added.'),
        }),
      ),
    }),
    { description: 'One answer for each identifier, in their order.' },
  ),
})

export const SuppressionFilter = closed({
  kind: Type.Optional(kind),
  listName: Type.Optional(listName),
  ...pageQuery,
})

export type SuppressionFilter = Static<typeof SuppressionFilter>

export const suppressionExample: Static<typeof Suppression> = {
  id: '01980a4e-7777-7c3e-9d7a-2f6b1c0d9e8f',
  kind: 'manual',
  identifierKind: 'phone',
  channel: null,
  listName: null,
  note: 'Asked at the door not to be called.',
  createdAt: '2026-11-02T11:00:00.000Z',
  createdBy: '01980a4e-4444-7c3e-9d7a-2f6b1c0d9e8f',
}
export const identifierExample = { kind: 'phone' as const, value: '+34 612 34 56 78' }
export const fileExample = `Teléfono;Correo
612 34 56 78;
;marta@example.com
`
