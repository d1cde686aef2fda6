/** Examples of property sheets for the documentation. */
import { noStatements } from '../../domain/advertising-rules/advertised-property.ts'
import type { Static } from '../../kit/schema.ts'
import type { Ficha, FichaShare, FichaVersion, FichaWithoutLinks } from './schemas.ts'

const id = '01980a4e-3333-7c3e-9d7a-2f6b1c0d9e8f'
const own = `https://aldaba.example/public/v1/fichas/${id}`

export const shareExample: Static<typeof FichaShare> = {
  url: 'https://aldaba.example/share/fichas/0sT3VYk9QyWm4uXcZr7Ba2LfHd8Ne5Pg',
  createdAt: '2026-11-02T10:05:00.000Z',
  expiresAt: '2099-12-31T23:00:00.000Z',
  views: 12,
  lastViewedAt: '2026-11-03T08:14:00.000Z',
}

const jsonLd = { source: 'json-ld', where: null, confidence: null }

export const fichaExample: Ficha = {
  id,
  status: 'ready',
  platform: 'portal_a',
  sourceUrl: 'https://portal-a.example/inmueble/166310033/',
  leadId: null,
  property: {
    title: 'Piso en venta en Carrer de Mallorca',
    description: 'Piso luminoso de tres habitaciones, con balcón a la calle.',
    operation: 'sale',
    propertyType: 'homes',
    subtype: 'apartment',
    price: 315_000,
    currency: 'EUR',
    pricePeriod: null,
    squareMeters: 80,
    usableSquareMeters: 72,
    plotSquareMeters: null,
    rooms: 3,
    bedrooms: 3,
    bathrooms: 2,
    floor: 3,
    floorText: 'Planta 3ª exterior con ascensor',
    yearBuilt: 1965,
    condition: 'good',
    address: 'Carrer de Mallorca, 214',
    neighbourhood: "La Dreta de l'Eixample",
    municipality: 'Barcelona',
    province: 'Barcelona',
    postcode: '08008',
    country: 'ES',
    latitude: 41.3917,
    longitude: 2.1611,
    reference: 'EIX-214',
    features: ['lift', 'balcony'],
  },
  privacy: { address: 'street', coordinates: 'approximate' },
  energy: { rating: 'D', emissions: 'D', consumptionKwhM2: 142, emissionsKgM2: 25 },
  advertising: noStatements,
  agent: {
    name: 'Marta Soler',
    phone: '+34 600 000 000',
    email: null,
    licence: 'AICAT 1234',
    hasPhoto: false,
  },
  layout: 'classic',
  language: 'es',
  evidence: { title: jsonLd, price: jsonLd },
  branding: {
    name: 'Immobiliària Mallorca',
    color: '#1d4e79',
    phone: '+34 930 000 000',
    email: 'hola@immobiliaria.example',
    website: 'immobiliaria.example',
    legalText: null,
  },
  photos: [
    {
      number: 1,
      alt: 'Salón',
      isIncluded: true,
      widthPx: 1600,
      heightPx: 1200,
      sourceUrl: 'https://portal-a.example/fotos/166310033/1.jpg',
    },
  ],
  warnings: [],
  links: {
    html: `${own}/sheet`,
    pdf: `${own}/sheet.pdf`,
    share: shareExample.url,
    qr: `${own}/qr.svg`,
  },
  share: shareExample,
  version: 1,
  error: null,
  createdAt: '2026-11-02T10:00:00.000Z',
  updatedAt: '2026-11-02T10:00:06.000Z',
}

const { links: _links, share: _share, evidence: _evidence, ...withoutLinks } = fichaExample
export const payloadExample: FichaWithoutLinks = withoutLinks

const { property, privacy, energy, advertising, agent, layout, language, photos } = fichaExample

export const versionExample: FichaVersion = {
  version: 1,
  property,
  privacy,
  energy,
  advertising,
  agent,
  layout,
  language,
  photos,
  createdAt: '2026-11-02T10:00:06.000Z',
}
