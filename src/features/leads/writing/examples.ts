/** Examples of a new lead for the API reference. */
import { type Lead, leadExample } from '../schemas.ts'
import type { NewLead } from './input-schemas.ts'

const externalId = 'crm-1042'

export const newLeadExample: NewLead = {
  externalId,
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

/** The lead that `newLeadExample` creates. */
export const createdLeadExample: Lead = {
  ...leadExample,
  externalId,
  contact: { ...leadExample.contact, email: 'marta@example.com', advertiserType: null },
  property: {
    ...leadExample.property,
    title: null,
    description: null,
    squareMeters: null,
    rooms: null,
    bedrooms: null,
    bathrooms: null,
    floor: null,
    floorText: null,
    condition: null,
    features: [],
    province: null,
    postcode: null,
    latitude: null,
    longitude: null,
    images: [],
    url: null,
    publishedAt: null,
  },
  sources: [
    {
      platform: 'api',
      listingId: externalId,
      url: null,
      extractionId: null,
      importId: null,
      campaignId: null,
      firstSeenAt: leadExample.createdAt,
      lastSeenAt: leadExample.createdAt,
      withdrawnAt: null,
    },
  ],
}
