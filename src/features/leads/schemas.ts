/** The schemas of the API for leads: the record, the filters of the list, notes. */
import { pageQuery } from '../../kit/page.ts'
import {
  area,
  commaSeparated,
  id,
  nullable,
  oneOf,
  type Static,
  strictObject,
  Type,
  time,
  visible,
} from '../../kit/schema.ts'
import {
  advertiserType,
  condition,
  featureNames,
  Lead,
  leadExample,
  leadStatuses,
  operation,
  propertyType,
  status,
} from './record/lead-schema.ts'

export {
  advertiserType,
  condition,
  featureNames,
  Lead,
  leadExample,
  leadStatuses,
  operation,
  propertyType,
  status,
}

export const leadSorts = ['-createdAt', '-updatedAt', 'updatedAt', 'price', '-price'] as const

const optional = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) => Type.Optional(schema)

/** Up to 20 values, separated by commas. */
const commaSeparatedText = (description: string, example: string) =>
  Type.String({ pattern: '^[^,]{1,100}(,[^,]{1,100}){0,19}$', description, examples: [example] })

/** One tag in a list; `\,` is a comma within the tag. */
const tagPattern = '(\\\\,|\\\\(?!,)|[^,\\\\]){1,100}'

const uuid = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

/** The query of `GET /leads`. */
export const LeadFilter = strictObject({
  ids: optional(
    Type.String({
      pattern: `^${uuid}(,${uuid}){0,199}$`,
      description: 'Only leads with one of these ids, separated by commas; 200 at most.',
      examples: ['01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f'],
    }),
  ),
  q: optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Only leads with this text in the name, phone, address, title or description.',
    }),
  ),
  externalId: optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Only the lead with this external id.' }),
  ),
  status: optional(
    commaSeparated(leadStatuses, {
      description: `Only leads with this status, or with one of several separated by commas: ${leadStatuses.join(', ')}.`,
      examples: ['new,contacted'],
    }),
  ),
  platform: optional(
    commaSeparatedText(
      'Only leads from this portal, or from one of several separated by commas.',
      'portal_a,portal_b',
    ),
  ),
  campaignId: optional(
    id(
      'Only leads with this `campaignId`: the campaign that found them. Everybody to whom a campaign writes is in `GET /campaigns/{id}/recipients`.',
    ),
  ),
  extractionId: optional(id('Only leads found by this extraction.')),
  tag: optional(
    Type.String({
      pattern: `^${tagPattern}(,${tagPattern}){0,19}$`,
      description:
        'Only leads with this tag, or with one of several separated by commas. A comma within a tag has a backslash before it: `Eixample\\, Dreta`.',
      examples: ['vip,autumn'],
    }),
  ),
  ownerUserId: optional(id('Only leads that this user is responsible for.')),
  advertiserType: optional(advertiserType),
  operation: optional(operation),
  propertyType: optional(propertyType),
  minPrice: optional(Type.Number({ minimum: 0, description: 'The lowest price, in major units.' })),
  maxPrice: optional(Type.Number({ minimum: 0, description: 'The highest price, in major units.' })),
  municipality: optional(
    Type.String({ maxLength: 200, description: 'Only leads in this town; case does not matter.' }),
  ),
  province: optional(
    Type.String({ maxLength: 200, description: 'Only leads in this province; case does not matter.' }),
  ),
  bbox: optional(area('Only leads in this area: `west,south,east,north` in degrees, WGS 84.')),
  hasPhone: optional(
    Type.Boolean({
      description: 'true: only leads with a valid phone number; false: only leads without one.',
    }),
  ),
  contactable: optional(
    Type.Boolean({
      description:
        'true: only leads that may be contacted; false: only leads that may not. See `contactability.allowed`.',
    }),
  ),
  withdrawn: optional(
    Type.Boolean({
      description:
        'true: only leads whose listings are all withdrawn; false: all others, also those never listed.',
    }),
  ),
  createdAfter: optional(time('Only leads created after this time.')),
  updatedAfter: optional(time('Only leads changed after this time.')),
  sort: oneOf(leadSorts, {
    default: '-createdAt',
    description: 'The order of the list; `-` before a field: the highest or newest first.',
  }),
  count: optional(
    Type.Boolean({ description: 'Return the number of matching leads as `count`, up to 10,000.' }),
  ),
  ...pageQuery,
})

/** The names that `fields` accepts: `contact`, `contact.phone`. */
const leadFieldNames = Object.entries(Lead.properties).flatMap(([name, schema]) => [
  name,
  ...('properties' in schema ? Object.keys(schema.properties).map(child => `${name}.${child}`) : []),
])

/** The query parameter of every route that returns leads with selectable fields. */
export const fieldsParameter = {
  fields: optional(
    commaSeparated(leadFieldNames, {
      description: `Return only these fields of each lead, separated by commas: fields of \`Lead\`, or fields of \`contact\`, \`property\` and \`contactability\` with a dot. All other fields are missing from the reply, even those that the schema requires; \`id\` is always returned. An unknown name is refused. \`fields\` may change between two pages of a list.`,
      examples: ['status,contact.phone,property.price,contactability.allowed'],
    }),
  ),
}

export const LeadCount = strictObject(
  {
    value: Type.Integer({ description: 'The number of matching leads, at most 10,000.' }),
    isExact: Type.Boolean({ description: 'false: there are more.' }),
  },
  { description: 'How many leads match the filters; null: `count` was not sent.' },
)

const noteBody = Type.String({
  minLength: 1,
  maxLength: 10_000,
  pattern: visible,
  description: 'The text of the note; not blank.',
})

export const NewNote = strictObject({ body: noteBody }, { title: 'NewNote' })
export const Note = strictObject(
  {
    id: id('The note.'),
    body: noteBody,
    authorUserId: nullable(id('The user who wrote it; null: the key belongs to no user.')),
    createdAt: time('When the note was added.'),
    updatedAt: time('When its text was last changed.'),
  },
  { title: 'Note' },
)

export const newNoteExample = { body: 'Prefers to be called after six.' }
export const noteExample: Static<typeof Note> = {
  id: '01980a4e-3333-7c3e-9d7a-2f6b1c0d9e8f',
  ...newNoteExample,
  authorUserId: '01980a4e-4444-7c3e-9d7a-2f6b1c0d9e8f',
  createdAt: '2026-11-02T11:00:00.000Z',
  updatedAt: '2026-11-02T11:00:00.000Z',
}

export type LeadCount = Static<typeof LeadCount>
export type LeadFilter = Static<typeof LeadFilter>
