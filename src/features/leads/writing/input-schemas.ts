/** The schemas for writing leads, one at a time or in a batch. */

import { floorLimits, floorTextLengthMax } from '../../../domain/listing/floor.ts'
import {
  id,
  nullable,
  oneOf,
  type Static,
  strictObject,
  type TSchema,
  Type,
  time,
  visible,
} from '../../../kit/schema.ts'
import { advertiserType, condition, featureNames, Lead, operation, propertyType, status } from '../schemas.ts'

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)
const text = (description: string, maxLength = 500) =>
  optional(nullable(Type.String({ maxLength, description })))
const count = (description: string) =>
  optional(nullable(Type.Integer({ minimum: 0, maximum: 10_000, description })))

const contact = strictObject(
  {
    name: text('The name of the person.'),
    phone: text(
      'The phone number in any notation; without a prefix, it is read as one of the country of the workspace.',
      100,
    ),
    email: text('The e-mail address.', 320),
    identifiers: optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 320 }), {
        maxItems: 20,
        description:
          'Further phone numbers, e-mail addresses and chats (`whatsapp:34612345678`). They replace the former list.',
      }),
    ),
    advertiserType: optional(nullable(advertiserType)),
  },
  { description: 'The person to contact.' },
)

const property = strictObject(
  {
    operation: optional(nullable(operation)),
    propertyType: optional(nullable(propertyType)),
    title: text('The title of the listing.'),
    description: text('The text of the listing.', 20_000),
    price: optional(
      nullable(
        Type.Number({
          minimum: 0,
          maximum: 999_999_999_999,
          description: 'The price in major units of `currency`; for rent, per month.',
        }),
      ),
    ),
    currency: optional(
      nullable(Type.String({ pattern: '^[A-Z]{3}$', description: 'The currency of the price, ISO 4217.' })),
    ),
    squareMeters: optional(
      nullable(Type.Number({ minimum: 0, maximum: 10_000_000, description: 'The floor area in m².' })),
    ),
    rooms: count('The number of rooms.'),
    bedrooms: count('The number of bedrooms.'),
    bathrooms: count('The number of bathrooms.'),
    floor: optional(
      nullable(
        Type.Number({
          minimum: floorLimits.min,
          maximum: floorLimits.max,
          multipleOf: 0.5,
          description:
            'The floor. 0: the ground floor; -1: the basement; 0.5: a mezzanine. If omitted, it is read from `floorText`.',
        }),
      ),
    ),
    floorText: text(
      'The floor in words: `Planta 3ª`, `Ático`. If omitted, it is `floor` as text.',
      floorTextLengthMax,
    ),
    condition: optional(nullable(condition)),
    features: optional(featureNames('The features of the property.')),
    address: text('The street and number.'),
    municipality: text('The town.', 200),
    province: text('The province.', 200),
    postcode: text('The postcode.', 20),
    latitude: optional(
      nullable(Type.Number({ minimum: -90, maximum: 90, description: 'The latitude in degrees, WGS 84.' })),
    ),
    longitude: optional(
      nullable(
        Type.Number({ minimum: -180, maximum: 180, description: 'The longitude in degrees, WGS 84.' }),
      ),
    ),
    images: optional(
      Type.Array(Type.String({ format: 'uri', maxLength: 2000 }), {
        maxItems: 200,
        description: 'The URLs of photos.',
      }),
    ),
    url: optional(
      nullable(Type.String({ format: 'uri', maxLength: 2000, description: 'The URL of the listing.' })),
    ),
    publishedAt: optional(nullable(time('When the listing was published.'))),
  },
  { description: 'The property to sell or let.' },
)

const tag = Type.String({ minLength: 1, maxLength: 100, pattern: visible })
/** Per lead. */
export const tagsMax = 100
export const tags = (description: string) => optional(Type.Array(tag, { maxItems: tagsMax, description }))
const customFields = Type.Record(
  Type.String({ pattern: '^[^~"\\\\\\u0000-\\u001f]{1,100}$' }),
  Type.Union([Type.String({ maxLength: 5000 }), Type.Number(), Type.Boolean(), Type.Null()]),
  {
    additionalProperties: false,
    maxProperties: 200,
    description: 'Your own fields: strings, numbers, booleans. Null removes a field.',
  },
)

export const writable = {
  contact: optional(contact),
  property: optional(property),
  status: optional(status),
  campaignId: optional(nullable(id('The campaign it belongs to; null: none.'))),
  ownerUserId: optional(nullable(id('The user who is responsible for it; null: nobody.'))),
  tags: tags('The tags of the lead. They replace the former tags.'),
  customFields: optional(customFields),
}

export const externalId = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: `^(?=.*${visible})[^\\u0000-\\u001f\\u007f]+$`,
  description: 'The id of the lead in your own system. No other lead of the environment may have it.',
})

export const NewLead = strictObject(
  {
    externalId: optional(nullable(externalId)),
    ...writable,
  },
  { title: 'NewLead', minProperties: 1 },
)
export type NewLead = Static<typeof NewLead>

export const LeadChanges = strictObject(
  { externalId: optional(nullable(externalId)), ...writable },
  {
    title: 'LeadChanges',
    minProperties: 1,
    description:
      'Omitted fields keep their value; null removes a value; lists are replaced, `customFields` field by field.',
  },
)
export type LeadChanges = Static<typeof LeadChanges>

/** The body of a PUT: the external id is in the path. */
export const UpsertedLead = strictObject(writable, { title: 'UpsertedLead', minProperties: 1 })

export const batchMax = 500
const BatchLead = strictObject(
  {
    id: optional(id('The lead to change. If omitted, the lead with this `externalId`, or a new one.')),
    externalId: optional(nullable(externalId)),
    ...writable,
  },
  { title: 'BatchLead', minProperties: 1 },
)
export type BatchLead = Static<typeof BatchLead>

export const LeadBatch = strictObject(
  {
    leads: Type.Array(BatchLead, {
      minItems: 1,
      maxItems: batchMax,
      description: 'The leads. Each is created or updated on its own.',
    }),
  },
  { title: 'LeadBatch' },
)

export const LeadBatchResult = strictObject(
  {
    data: Type.Array(
      strictObject({
        index: Type.Integer({ description: 'The index in the batch, from 0.' }),
        result: oneOf(['created', 'updated', 'unchanged', 'failed'], {
          description: 'The result for the lead.',
        }),
        lead: nullable(Lead),
        error: nullable(
          strictObject(
            {
              code: Type.String({
                description: 'The kind of error, as for a single lead. Stable, for programs.',
              }),
              message: Type.String({ description: 'The error and what to do about it, for people.' }),
              existingLeadId: nullable(id('The existing lead. Only on `LEAD_EXISTS`.')),
              mergedIntoLeadId: nullable(id('The lead that it was merged into. Only on `NOT_FOUND`.')),
              errors: Type.Array(
                strictObject({
                  path: Type.String({ description: 'A JSON pointer into the lead.' }),
                  code: Type.String({ description: 'The kind of error. Stable, for programs.' }),
                  message: Type.String({ description: 'The error in this value, for people.' }),
                }),
                { description: 'Everything that is wrong with the input of this lead.' },
              ),
            },
            { description: 'Why it failed; null: it has not.' },
          ),
        ),
      }),
      { description: 'One result for each lead, in the order of the batch.' },
    ),
  },
  { title: 'LeadBatchResult' },
)
