/** The schemas of lawful bases and of the suppression list, which never shows whom an entry is about. */
import { contactChannels, suppressionKinds } from '../../domain/contactability/facts.ts'
import { pageQuery } from '../../kit/page.ts'
import { id, nullable, oneOf, type Static, strictObject, Type, time, visible } from '../../kit/schema.ts'

export {
  LawfulBasis,
  lawfulBasisExample,
  NewLawfulBasis,
  newLawfulBasisExample,
} from './lawful-basis-schemas.ts'

const identifier = strictObject({
  kind: oneOf(['phone', 'email', 'chat'], { description: 'The kind of identifier.' }),
  value: Type.String({
    minLength: 1,
    maxLength: 500,
    description:
      'A phone number in any notation, an e-mail address, or a chat as `provider:id`, such as `whatsapp:34612345678`.',
    examples: ['+34 612 34 56 78'],
  }),
})
const kind = oneOf(suppressionKinds, {
  description:
    'Why the person is on the list. `opt_out` and `erased` are final; `exclusion_list`: it was imported; `manual`: the workspace added it; `marketing`: the person refused marketing with the provider, and may only be answered, until they accept it there again.',
})
const channel = nullable(
  oneOf(contactChannels, { description: 'The channel that must not be used; null: no channel may be used.' }),
)
const listName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: visible,
  description: 'The name of the exclusion list.',
})
const note = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: visible,
  description: 'A note for people. It must not say who the person is.',
})

export const Suppression = strictObject(
  {
    id: id('The entry.'),
    kind,
    identifierKind: oneOf(['phone', 'email', 'chat', 'listing'], {
      description:
        'The kind of value that was hashed. `listing`: a listing of an erased person, which must not be stored again.',
    }),
    channel,
    listName: nullable(listName),
    note: nullable(note),
    createdAt: time('When it was added; for an exclusion list, when an import last contained it.'),
    createdBy: nullable(id('The user who added it; null: the key belongs to no user.')),
  },
  { title: 'Suppression', description: 'An entry of the suppression list.' },
)

export const NewSuppression = strictObject(
  {
    identifiers: Type.Array(identifier, {
      minItems: 1,
      maxItems: 100,
      description: 'The phone numbers, e-mail addresses and chats of one person or of several.',
    }),
    kind: Type.Optional(
      oneOf(['opt_out', 'manual'], {
        default: 'manual',
        description:
          '`opt_out`: the person requested it, which is final; `manual`: the workspace decided it.',
      }),
    ),
    channel: Type.Optional(channel),
    note: Type.Optional(nullable(note)),
  },
  { title: 'NewSuppression' },
)

export const importMax = 10_000

export const SuppressionImport = strictObject(
  {
    listName,
    identifiers: Type.Array(identifier, {
      maxItems: importMax,
      description: 'The identifiers on the exclusion list.',
    }),
    channel: Type.Optional(channel),
    removeBefore: Type.Optional(
      time(
        'After the import, remove the entries of this list that no import has contained since this time. Send `importedAt` of an earlier reply: the clock of the server may differ from yours.',
      ),
    ),
  },
  { title: 'SuppressionImport' },
)

export const ImportedSuppressions = strictObject({
  importedAt: time('When the entries were added.'),
  added: Type.Integer({ description: 'The number of new entries.' }),
  existing: Type.Integer({ description: 'The number of entries that were on this list already.' }),
  removed: Type.Integer({ description: 'The number of entries removed from the list.' }),
  invalid: Type.Array(
    strictObject({ index: Type.Integer({ description: 'The index in `identifiers`, from 0.' }) }),
    {
      description: 'The identifiers that could not be read. Nothing was added for them.',
    },
  ),
})

export const fileTypes = [
  'text/csv',
  'text/plain',
  'text/tab-separated-values',
  // Browsers send this for a CSV file if Excel is installed.
  'application/vnd.ms-excel',
]
export const fileMaxBytes = 32 * 1024 * 1024

/** The query of the upload. */
export const SuppressionFile = strictObject({
  listName: { ...listName, default: 'Exclusion list' } as typeof listName,
  channel: Type.Optional(
    oneOf(contactChannels, {
      description: 'The channel that must not be used; if omitted, none may be used.',
    }),
  ),
  replace: Type.Boolean({
    default: false,
    description: 'The file is the whole list: entries that it does not contain are removed.',
  }),
})

export const unreadableRowsMax = 100

export const ImportedSuppressionFile = strictObject({
  importedAt: time('When the entries were added.'),
  rows: Type.Integer({ description: 'The number of rows with text, headings not counted.' }),
  added: Type.Integer({ description: 'The number of new entries.' }),
  existing: Type.Integer({ description: 'The number of entries that were on this list already.' }),
  removed: Type.Integer({ description: 'The number of entries removed from the list.' }),
  unreadable: Type.Integer({
    description: 'The number of rows without a phone number, e-mail address or chat that can be read.',
  }),
  unreadableRows: Type.Array(Type.Integer(), {
    description: `The numbers of the first ${unreadableRowsMax} of these rows, from 1.`,
  }),
})

export const SuppressionCheck = strictObject(
  {
    identifiers: Type.Array(identifier, {
      minItems: 1,
      maxItems: 1000,
      description: 'The identifiers to look up.',
    }),
  },
  { title: 'SuppressionCheck' },
)

export const CheckedSuppressions = strictObject({
  data: Type.Array(
    strictObject({
      isValid: Type.Boolean({ description: 'It can be read as a phone number, e-mail address or chat.' }),
      suppressed: Type.Boolean({ description: 'It is on the suppression list.' }),
      suppressions: Type.Array(
        strictObject({
          kind,
          channel,
          source: Type.String({ description: 'Where the entry comes from, such as the exclusion list.' }),
          addedAt: time('When it was added.'),
        }),
        { description: 'The entries for this identifier.' },
      ),
    }),
    { description: 'One result for each identifier, in the order of the request.' },
  ),
})

export const SuppressionFilter = strictObject({
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
  note: 'Does not want to be called.',
  createdAt: '2026-11-02T11:00:00.000Z',
  createdBy: '01980a4e-4444-7c3e-9d7a-2f6b1c0d9e8f',
}
export const identifierExample = { kind: 'phone' as const, value: '+34 612 34 56 78' }
export const fileExample = `Teléfono;Correo
612 34 56 78;
;marta@example.com
`

export { Contactability, contactabilityExample } from './contactability-schemas.ts'
