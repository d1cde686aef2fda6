/** What a lead looks like from outside. */
import { FEATURES } from '../../domain/listing/features.ts'
import { CONDITIONS, OPERATIONS, PROPERTY_TYPES } from '../../domain/listing/listing.ts'
import { pageQuery } from '../../kit/page.ts'
import { area, closed, id, nullable, oneOf, type Static, Type, time } from '../../kit/schema.ts'
import { Contactability, contactabilityExample } from './contact/contactability-schemas.ts'

const text = (description: string) => nullable(Type.String({ description }))
const count = (description: string) => nullable(Type.Integer({ description }))

const advertiserType = oneOf(['private', 'agency'], { description: 'Who advertises.' })
const operation = oneOf(OPERATIONS)
const propertyType = oneOf(PROPERTY_TYPES)

export const leadStatuses = ['new', 'contacted', 'replied', 'qualified', 'won', 'lost', 'discarded'] as const

const contact = closed({
  name: text('Name in the advert.'),
  phone: text('E.164; null if the advert shows none that is valid.'),
  phoneRaw: text('As written in the advert.'),
  email: text('Address in the advert.'),
  identifiers: Type.Array(Type.String(), {
    description:
      'Further telephones (E.164), e-mail addresses and chats (`whatsapp:34612345678`) of the person.',
  }),
  advertiserType: nullable(advertiserType),
})

const property = closed({
  operation: nullable(operation),
  propertyType: nullable(propertyType),
  title: text('Title of the advert.'),
  description: text('Text of the advert.'),
  price: nullable(Type.Number({ description: 'Major units of `currency`; per month for rent.' })),
  currency: text('ISO 4217.'),
  squareMeters: nullable(Type.Number({ description: 'Floor area.' })),
  rooms: count('Rooms.'),
  bedrooms: count('Bedrooms.'),
  bathrooms: count('Bathrooms.'),
  floor: nullable(Type.Number({ description: '0: the ground floor; -1: the basement; 0.5: a mezzanine.' })),
  floorText: text('The floor as it was stated.'),
  condition: nullable(oneOf(CONDITIONS)),
  features: Type.Array(oneOf(FEATURES), {
    description: 'What is stated to be there; a missing name means "not stated".',
  }),
  address: text('Street and number.'),
  municipality: text('Town.'),
  province: text('Province.'),
  postcode: text('Postcode.'),
  latitude: nullable(Type.Number({ description: 'Degrees, WGS 84.' })),
  longitude: nullable(Type.Number({ description: 'Degrees, WGS 84.' })),
  images: Type.Array(Type.String(), { description: 'Addresses of the photos.' }),
  url: text('Address of the advert.'),
  publishedAt: nullable(time('When it was advertised.')),
})

/** Features as people write them; `readFeatureNames` reads them. */
export const featureNames = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    maxItems: 50,
    description: `${description} ${FEATURES.map(name => `\`${name}\``).join(', ')}; each by this name or in Spanish, Catalan, Portuguese, Italian, French, German, Dutch, English or Polish (\`piscina\`, \`Aufzug\`). Anything else is refused by name, with the nearest.`,
    examples: [['lift', 'pool']],
  })

export const Lead = closed(
  {
    id: id('The lead.'),
    externalId: text('The id that your own system gave it; no other lead of the environment has it.'),
    status: oneOf(leadStatuses),
    contact,
    property,
    priceHistory: Type.Array(closed({ price: Type.Number(), at: time('When this price was first seen.') }), {
      description: 'Every price seen, oldest first.',
    }),
    sources: Type.Array(
      closed({
        platform: Type.String({ description: 'The portal.' }),
        listingId: Type.String({ description: "The portal's id of the advert." }),
        url: text('Address of the advert; null if it was written or imported.'),
        extractionId: nullable(id('The extraction that found it.')),
        importId: nullable(id('The import that brought it.')),
        campaignId: nullable(id('The campaign that found it.')),
        firstSeenAt: time('First seen.'),
        lastSeenAt: time('Last seen.'),
        withdrawnAt: nullable(time('When its portal no longer had it.')),
      }),
      { description: 'Where it was found: the provenance of what is known of a person.' },
    ),
    campaignId: nullable(id('The campaign it belongs to.')),
    ownerUserId: nullable(id('The user who looks after it.')),
    tags: Type.Array(Type.String()),
    customFields: Type.Record(Type.String(), Type.Unknown()),
    contactability: Contactability,
    notesCount: Type.Integer(),
    createdAt: time('Created.'),
    updatedAt: time('Last changed.'),
    lastContactedAt: nullable(time('Last written to.')),
    lastReplyAt: nullable(time('Last answer.')),
  },
  { title: 'Lead' },
)

export const leadSorts = ['-createdAt', '-updatedAt', 'updatedAt', 'price', '-price'] as const

const optional = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) => Type.Optional(schema)

/** Several values by commas; 20 at most. */
const severalOf = (description: string, example: string) =>
  Type.String({ pattern: '^[^,]{1,100}(,[^,]{1,100}){0,19}$', description, examples: [example] })

/** The query of `GET /leads`. */
export const LeadFilter = closed({
  q: optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Searches name, phone, address, title and description.',
    }),
  ),
  externalId: optional(Type.String({ minLength: 1, maxLength: 255, description: 'With this external id.' })),
  status: optional(
    Type.Unsafe<string>({
      type: 'string',
      pattern: `^(${leadStatuses.join('|')})(,(${leadStatuses.join('|')}))*$`,
      description: `In this status, or in one of several by commas: ${leadStatuses.join(', ')}.`,
      examples: ['new,contacted'],
    }),
  ),
  platform: optional(severalOf('Found on this portal, or on one of several by commas.', 'portal_a,portal_b')),
  campaignId: optional(id('Belongs to this campaign.')),
  extractionId: optional(id('Found by this extraction.')),
  tag: optional(severalOf('Carries this tag, or one of several by commas.', 'vip,autumn')),
  ownerUserId: optional(id('Looked after by this user.')),
  advertiserType: optional(advertiserType),
  operation: optional(operation),
  propertyType: optional(propertyType),
  minPrice: optional(Type.Number({ minimum: 0 })),
  maxPrice: optional(Type.Number({ minimum: 0 })),
  municipality: optional(Type.String({ maxLength: 200, description: 'Town, upper and lower case alike.' })),
  province: optional(Type.String({ maxLength: 200, description: 'Province, upper and lower case alike.' })),
  bbox: optional(area('Area as `west,south,east,north` in degrees.')),
  hasPhone: optional(Type.Boolean({ description: 'With a valid phone, or without.' })),
  withdrawn: optional(
    Type.Boolean({
      description:
        'Whether it was advertised and no portal has an advert of it any more; false: all others, those that never were among them.',
    }),
  ),
  createdAfter: optional(time('Created after.')),
  updatedAfter: optional(time('Changed after.')),
  sort: oneOf(leadSorts, { default: '-createdAt' }),
  count: optional(Type.Boolean({ description: 'Whether to count all leads that fit, up to 10,000.' })),
  ...pageQuery,
})

export const LeadCount = closed({
  value: Type.Integer({ description: 'How many leads fit, at most 10,000.' }),
  isExact: Type.Boolean({ description: 'False: there are more.' }),
})

const noteBody = Type.String({
  minLength: 1,
  maxLength: 10_000,
  pattern: '\\S',
  description: 'Its text; not blank.',
})

export const NewNote = closed({ body: noteBody }, { title: 'NewNote' })
export const Note = closed(
  {
    id: id('The note.'),
    body: noteBody,
    authorUserId: nullable(id('Who wrote it; null if it was a key of nobody in particular.')),
    createdAt: time('When it was written.'),
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
export type Lead = Static<typeof Lead>

export const leadExample: Lead = {
  id: '01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f',
  externalId: 'crm-1042',
  status: 'new',
  contact: {
    name: 'Marta Soler',
    phone: '+34612345678',
    phoneRaw: '612 34 56 78',
    email: null,
    identifiers: [],
    advertiserType: 'private',
  },
  property: {
    operation: 'sale',
    propertyType: 'homes',
    title: 'Piso en venta en carrer de Mallorca, Eixample',
    description: 'Piso luminoso con ascensor y balcón a la calle.',
    price: 374000,
    currency: 'EUR',
    squareMeters: 86,
    rooms: 3,
    bedrooms: 3,
    bathrooms: 2,
    floor: 3,
    floorText: 'Planta 3ª',
    condition: 'good',
    features: ['lift', 'balcony'],
    address: 'Carrer de Mallorca, 214',
    municipality: 'Barcelona',
    province: 'Barcelona',
    postcode: '08008',
    latitude: 41.3917,
    longitude: 2.1611,
    images: ['https://portal.example/fotos/90210/1.png'],
    url: 'https://portal.example/inmueble/90210/',
    publishedAt: '2026-10-28T09:00:00.000Z',
  },
  priceHistory: [{ price: 374000, at: '2026-11-02T10:00:00.000Z' }],
  sources: [
    {
      platform: 'portal_a',
      listingId: '90210',
      url: 'https://portal.example/inmueble/90210/',
      extractionId: '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f',
      importId: null,
      campaignId: null,
      firstSeenAt: '2026-11-02T10:00:00.000Z',
      lastSeenAt: '2026-11-02T10:00:00.000Z',
      withdrawnAt: null,
    },
  ],
  campaignId: null,
  ownerUserId: null,
  tags: ['eixample'],
  customFields: {},
  contactability: contactabilityExample,
  notesCount: 0,
  createdAt: '2026-11-02T10:00:00.000Z',
  updatedAt: '2026-11-02T10:00:00.000Z',
  lastContactedAt: null,
  lastReplyAt: null,
}
