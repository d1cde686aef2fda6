/** What is sent to write leads: one by itself, or many at once. */

import { FLOOR_TEXT_MAX, FLOORS } from '../../../domain/listing/floor.ts'
import { CONDITIONS, OPERATIONS, PROPERTY_TYPES } from '../../../domain/listing/listing.ts'
import { closed, id, nullable, oneOf, type Static, type TSchema, Type, time } from '../../../kit/schema.ts'
import { NewLawfulBasis } from '../contact/lawful-basis-schemas.ts'
import { featureNames, Lead, LeadFilter, leadStatuses } from '../schemas.ts'

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)
const text = (description: string, maxLength = 500) =>
  optional(nullable(Type.String({ maxLength, description })))
const count = (description: string) =>
  optional(nullable(Type.Integer({ minimum: 0, maximum: 10_000, description })))

const contact = closed({
  name: text('Name of the person.'),
  phone: text('A telephone number in any writing, read as in the country of the workspace.', 100),
  email: text('An e-mail address.', 320),
  identifiers: optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 320 }), {
      maxItems: 20,
      description:
        'Further telephones, e-mail addresses and chats (`whatsapp:34612345678`), in place of those that were.',
    }),
  ),
  advertiserType: optional(nullable(oneOf(['private', 'agency'], { description: 'Who advertises.' }))),
})

const property = closed({
  operation: optional(nullable(oneOf(OPERATIONS))),
  propertyType: optional(nullable(oneOf(PROPERTY_TYPES))),
  title: text('Title.'),
  description: text('Text.', 20_000),
  price: optional(
    nullable(
      Type.Number({ minimum: 0, maximum: 999_999_999_999, description: 'Major units; per month for rent.' }),
    ),
  ),
  currency: optional(nullable(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' }))),
  squareMeters: optional(
    nullable(Type.Number({ minimum: 0, maximum: 10_000_000, description: 'Floor area.' })),
  ),
  rooms: count('Rooms.'),
  bedrooms: count('Bedrooms.'),
  bathrooms: count('Bathrooms.'),
  floor: optional(
    nullable(
      Type.Number({
        minimum: FLOORS.min,
        maximum: FLOORS.max,
        multipleOf: 0.5,
        description:
          '0: the ground floor; -1: the basement; 0.5: a mezzanine. Left out, it is read from `floorText`.',
      }),
    ),
  ),
  floorText: text(
    'The floor in words: `Planta 3ª`, `Ático`. Left out, it is `floor` as text.',
    FLOOR_TEXT_MAX,
  ),
  condition: optional(nullable(oneOf(CONDITIONS))),
  features: optional(featureNames('What is there.')),
  address: text('Street and number.'),
  municipality: text('Town.', 200),
  province: text('Province.', 200),
  postcode: text('Postcode.', 20),
  latitude: optional(nullable(Type.Number({ minimum: -90, maximum: 90, description: 'Degrees, WGS 84.' }))),
  longitude: optional(
    nullable(Type.Number({ minimum: -180, maximum: 180, description: 'Degrees, WGS 84.' })),
  ),
  images: optional(
    Type.Array(Type.String({ format: 'uri', maxLength: 2000 }), {
      maxItems: 200,
      description: 'Addresses of photos.',
    }),
  ),
  url: optional(nullable(Type.String({ format: 'uri', maxLength: 2000, description: 'Its advert.' }))),
  publishedAt: optional(nullable(time('When it was advertised.'))),
})

const status = oneOf(leadStatuses)
const tag = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' })
/** Of one lead. */
export const tagsMax = 100
const tags = Type.Array(tag, { maxItems: tagsMax })
const customFields = Type.Record(
  Type.String({ pattern: '^[^~"\\\\\\u0000-\\u001f]{1,100}$' }),
  Type.Union([Type.String({ maxLength: 5000 }), Type.Number(), Type.Boolean(), Type.Null()]),
  {
    additionalProperties: false,
    maxProperties: 200,
    description: 'Fields of your own: text, numbers, yes or no. Null takes one away.',
  },
)

const writable = {
  contact: optional(contact),
  property: optional(property),
  status: optional(status),
  campaignId: optional(nullable(id('The campaign it belongs to.'))),
  ownerUserId: optional(nullable(id('The user who looks after it.'))),
  tags: optional(tags),
  customFields: optional(customFields),
}

export const externalId = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]+$',
  description: 'The id that your own system gives it. One that another lead has is refused.',
})

export const NewLead = closed(
  {
    externalId: optional(nullable(externalId)),
    ...writable,
  },
  { title: 'NewLead', minProperties: 1 },
)
export type NewLead = Static<typeof NewLead>

export const LeadChanges = closed(
  { externalId: optional(nullable(externalId)), ...writable },
  {
    title: 'LeadChanges',
    minProperties: 1,
    description:
      'What is missing stays as it is; null takes away; lists are replaced, customFields field by field.',
  },
)
export type LeadChanges = Static<typeof LeadChanges>

/** By an external id, which is in the path. */
export const UpsertedLead = closed(writable, { title: 'UpsertedLead', minProperties: 1 })

export const batchMax = 500
const BatchLead = closed(
  {
    id: optional(id('The lead to change. Left out: the lead of `externalId`, or a new one.')),
    externalId: optional(nullable(externalId)),
    ...writable,
  },
  { title: 'BatchLead', minProperties: 1 },
)
export type BatchLead = Static<typeof BatchLead>

export const LeadBatch = closed(
  {
    leads: Type.Array(BatchLead, {
      minItems: 1,
      maxItems: batchMax,
      description: 'Each is written by itself.',
    }),
  },
  { title: 'LeadBatch' },
)

export const LeadBatchResult = closed(
  {
    data: Type.Array(
      closed({
        index: Type.Integer({ description: 'Its place in the batch, from 0.' }),
        result: oneOf(['created', 'updated', 'unchanged', 'failed']),
        lead: nullable(Lead),
        error: nullable(
          closed({
            code: Type.String({ description: 'As a refusal of the lead by itself would have it.' }),
            message: Type.String({ description: 'What is wrong, and what to do.' }),
            existingLeadId: nullable(id('Of `LEAD_EXISTS`: the lead that it is already.')),
            mergedIntoLeadId: nullable(id('Of `NOT_FOUND`: the lead that it was merged into.')),
            errors: Type.Array(
              closed({
                path: Type.String({ description: 'JSON pointer into the lead.' }),
                code: Type.String(),
                message: Type.String(),
              }),
              { description: 'What is wrong with its input.' },
            ),
          }),
        ),
      }),
      { description: 'In the order of the batch.' },
    ),
  },
  { title: 'LeadBatchResult' },
)

const { limit: _limit, cursor: _cursor, sort: _sort, count: _count, ...filters } = LeadFilter.properties

export const LeadSelection = {
  ids: optional(
    Type.Array(id('A lead.'), {
      minItems: 1,
      maxItems: 10_000,
      description: 'These leads; or give a filter.',
    }),
  ),
  filter: optional(
    closed(filters, { minProperties: 1, description: 'All leads that the list shows with these filters.' }),
  ),
}

export const BulkChange = closed(
  {
    ...LeadSelection,
    changes: closed(
      {
        status: optional(status),
        campaignId: writable.campaignId,
        ownerUserId: writable.ownerUserId,
        addTags: optional(tags),
        removeTags: optional(tags),
        customFields: writable.customFields,
        lawfulBasis: optional(NewLawfulBasis),
      },
      { minProperties: 1 },
    ),
  },
  { title: 'BulkChange' },
)
export type BulkChange = Static<typeof BulkChange>

export const BulkDeletion = closed(
  {
    ...LeadSelection,
    erase: optional(
      Type.Boolean({
        description: 'Whether to erase the persons everywhere, as `DELETE /leads/{id}?erase=true`.',
      }),
    ),
  },
  { title: 'BulkDeletion' },
)

export const operationStatuses = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const

export const LeadOperation = closed(
  {
    id: id('The operation.'),
    kind: oneOf(['update', 'delete', 'erase']),
    status: oneOf(operationStatuses, { description: 'Up to 1,000 leads are done at once; more by a job.' }),
    asked: nullable(
      Type.Integer({ description: 'Ids that were given, each once: those of no lead are not matched.' }),
    ),
    matched: nullable(Type.Integer({ description: 'Leads that it is about; null: not counted yet.' })),
    processed: Type.Integer({ description: 'Leads that were dealt with.' }),
    changed: Type.Integer({ description: 'Leads that are not as they were.' }),
    message: nullable(Type.String({ description: 'Why it failed.' })),
    createdAt: time('When it was asked for.'),
    finishedAt: nullable(time('When it ended.')),
  },
  { title: 'LeadOperation' },
)
export type LeadOperation = Static<typeof LeadOperation>

export const newLeadExample: NewLead = {
  externalId: 'crm-1042',
  contact: { name: 'Marta Soler', phone: '612 34 56 78', email: 'marta@example.com' },
  property: {
    operation: 'sale',
    propertyType: 'homes',
    price: 374000,
    address: 'Carrer de Mallorca, 214',
    municipality: 'Barcelona',
  },
  tags: ['eixample'],
}

export const operationExample: LeadOperation = {
  id: '01980a4e-5555-7c3e-9d7a-2f6b1c0d9e8f',
  kind: 'update',
  status: 'COMPLETED',
  asked: 2,
  matched: 2,
  processed: 2,
  changed: 1,
  message: null,
  createdAt: '2026-11-02T10:00:00.000Z',
  finishedAt: '2026-11-02T10:00:00.050Z',
}
