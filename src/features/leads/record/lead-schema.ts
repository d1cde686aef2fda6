/** The schema of `Lead` in the API. */
import { propertyFeatures } from '../../../domain/listing/features.ts'
import {
  listingOperations,
  listingPropertyTypes,
  propertyConditions,
} from '../../../domain/listing/listing.ts'
import { id, nullable, oneOf, type Static, strictObject, Type, time } from '../../../kit/schema.ts'
import { Contactability, contactabilityExample } from '../../privacy/schemas.ts'

const text = (description: string) => nullable(Type.String({ description }))
const count = (description: string) => nullable(Type.Integer({ description }))

export const advertiserType = oneOf(['private', 'agency'], { description: 'The kind of advertiser.' })
export const operation = oneOf(listingOperations, { description: 'The property is for sale, or to let.' })
export const propertyType = oneOf(listingPropertyTypes, { description: 'The type of property.' })
export const condition = oneOf(propertyConditions, { description: 'The condition of the property.' })

export const leadStatuses = ['new', 'contacted', 'replied', 'qualified', 'won', 'lost', 'discarded'] as const
export const status = oneOf(leadStatuses, {
  description:
    'How far the work on the lead has come. A new lead becomes `contacted` when a message is sent to the person, and `replied` when they write.',
})

const contact = strictObject(
  {
    name: text('The name of the person.'),
    phone: text('The phone number, E.164; null: no valid one is known.'),
    phoneRaw: text('The phone number in its original notation.'),
    email: text('The e-mail address.'),
    identifiers: Type.Array(Type.String(), {
      description:
        'Further phone numbers (E.164), e-mail addresses and chats (`whatsapp:34612345678`) of the person.',
    }),
    advertiserType: nullable(advertiserType),
  },
  { description: 'The person to contact.' },
)

const property = strictObject(
  {
    operation: nullable(operation),
    propertyType: nullable(propertyType),
    title: text('The title of the listing.'),
    description: text('The text of the listing.'),
    price: nullable(
      Type.Number({ description: 'The price in major units of `currency`; for rent, per month.' }),
    ),
    currency: text('The currency of the price, ISO 4217.'),
    squareMeters: nullable(Type.Number({ description: 'The floor area in m².' })),
    rooms: count('The number of rooms.'),
    bedrooms: count('The number of bedrooms.'),
    bathrooms: count('The number of bathrooms.'),
    floor: nullable(
      Type.Number({ description: 'The floor. 0: the ground floor; -1: the basement; 0.5: a mezzanine.' }),
    ),
    floorText: text('The floor in words, as stated.'),
    condition: nullable(condition),
    features: Type.Array(oneOf(propertyFeatures), {
      description: 'The stated features; a feature that is missing is not stated.',
    }),
    address: text('The street and number.'),
    municipality: text('The town.'),
    province: text('The province.'),
    postcode: text('The postcode.'),
    latitude: nullable(Type.Number({ description: 'The latitude in degrees, WGS 84.' })),
    longitude: nullable(Type.Number({ description: 'The longitude in degrees, WGS 84.' })),
    images: Type.Array(Type.String(), { description: 'The URLs of the photos.' }),
    url: text('The URL of the listing.'),
    publishedAt: nullable(time('When the listing was published.')),
  },
  { description: 'The property to sell or let.' },
)

/** Feature names as people write them; `parseFeatureNames` reads them. */
export const featureNames = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    maxItems: 50,
    description: `${description} ${propertyFeatures.map(name => `\`${name}\``).join(', ')}; each by this name or in Spanish, Catalan, Portuguese, Italian, French, German, Dutch, English or Polish (\`piscina\`, \`Aufzug\`). An unknown name is refused; the error suggests the nearest one.`,
    examples: [['lift', 'pool']],
  })

export const Lead = strictObject(
  {
    id: id('The lead.'),
    externalId: text('The id that your own system gave it; no other lead of the environment has it.'),
    status,
    contact,
    property,
    priceHistory: Type.Array(
      strictObject({
        price: Type.Number({ description: 'The price in major units of the currency.' }),
        at: time('When this price was first seen.'),
      }),
      { description: 'Every price seen, oldest first.' },
    ),
    sources: Type.Array(
      strictObject({
        platform: Type.String({
          description:
            'The portal; `api` for a lead that was created, `csv_import` for one that was imported, `inbound` for a person who wrote, `booking` for one who booked an appointment.',
        }),
        listingId: Type.String({ description: 'The id that the portal gives the listing.' }),
        url: text('The URL of the listing; null: the lead was created or imported.'),
        extractionId: nullable(id('The extraction that found it; null: none did.')),
        importId: nullable(id('The import that brought it; null: none did.')),
        campaignId: nullable(id('The campaign that found it; null: none did.')),
        firstSeenAt: time('When it was first seen.'),
        lastSeenAt: time('When it was last seen.'),
        withdrawnAt: nullable(
          time('When the listing was found to be gone from the portal; null: it is still listed.'),
        ),
      }),
      { description: 'Where the lead was found: the provenance of its data.' },
    ),
    campaignId: nullable(id('The campaign that found it; null: none.')),
    ownerUserId: nullable(id('The user who is responsible for it; null: nobody.')),
    tags: Type.Array(Type.String(), { description: 'The tags of the lead.' }),
    customFields: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Your own fields, by their names.',
    }),
    contactability: Contactability,
    notesCount: Type.Integer({ description: 'The number of notes on the lead.' }),
    createdAt: time('When it was created.'),
    updatedAt: time('When it was last changed.'),
    lastContactedAt: nullable(time('When the person was last contacted; null: never.')),
    lastReplyAt: nullable(time('When the person last replied; null: never.')),
  },
  { title: 'Lead', description: 'A person with a property to sell or let.' },
)
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
