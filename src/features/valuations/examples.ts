/** Examples of requests and replies for the API documentation. */

import type { Factor } from '../../domain/valuation/adjustments.ts'
import { modelForm } from '../../domain/valuation/market-model.ts'
import type { Share } from '../shares/schemas.ts'
import type { MarketAccuracy } from './accuracy-schemas.ts'
import type { NewValuation, Valuation, ValuationSummary, ValuationWithoutLinks } from './schemas.ts'

export const newValuationExample: NewValuation = {
  name: 'Mallorca 214, 3-1',
  address: 'Carrer de Mallorca, 214, 3r 1a, Barcelona',
  latitude: 41.3917,
  longitude: 2.1611,
  squareMeters: 80,
  bedrooms: 3,
  bathrooms: 2,
  propertyType: 'homes',
  operation: 'sale',
  condition: 'good',
  floor: 3,
  hasLift: true,
  yearBuilt: 1965,
  amenities: ['balcony', 'air_conditioning'],
  radiusKm: 2,
  reportConfig: { language: 'es' },
}

const valuationId = '01980a4e-6666-7c3e-9d7a-2f6b1c0d9e8f'
const base = `https://aldaba.example/public/v1/valuations/${valuationId}`

export const shareExample: Share = {
  url: 'https://aldaba.example/share/valuations/Vq3f8Zt0cXyR1mB2kLw9NaPdEhGuJsTo',
  createdAt: '2026-11-02T10:05:00.000Z',
  expiresAt: '2099-12-31T23:00:00.000Z',
  views: 0,
  lastViewedAt: null,
}

export const payloadExample: ValuationWithoutLinks = {
  id: valuationId,
  name: newValuationExample.name!,
  address: newValuationExample.address!,
  operation: 'sale',
  propertyType: 'homes',
  subject: {
    latitude: 41.3917,
    longitude: 2.1611,
    squareMeters: 80,
    plotSquareMeters: null,
    bedrooms: 3,
    bathrooms: 2,
    condition: 'good',
    floor: 3,
    yearBuilt: 1965,
    amenities: newValuationExample.amenities!,
    hasLift: true,
    hasParking: null,
    hasTerrace: null,
    hasPool: null,
    hasGarden: null,
    hasStorage: null,
    hasAirConditioning: null,
    isExterior: null,
  },
  area: { radiusKm: 2, polygon: null },
  portalLocationId: null,
  estimate: {
    value: 312_400,
    low: 271_000,
    high: 360_100,
    coverage: 0.8,
    currency: 'EUR',
    pricePerSquareMeter: 3905,
  },
  confidence: { level: 'high', score: 78, fsd: 0.111 },
  asOf: '2026-11-02T10:00:00.000Z',
  priceBasis: 'asking',
  comparablesUsed: 17,
  comparablesConsidered: 200,
  method:
    'The weighted sum of the adjusted prices of 17 comparables, the most similar of 200 within 2 km. The prices are asking prices of listings, not sale prices.',
  modelVersion: `${modelForm}-01980a4e-8888-7c3e-9d7a-2f6b1c0d9e8f`,
  includedComparableIds: [],
  excludedComparableIds: [],
  reportConfig: {
    language: 'es',
    sections: ['summary', 'map', 'comparables', 'adjustments', 'distribution', 'trend', 'method'],
    showAddress: true,
  },
  createdAt: '2026-11-02T10:00:00.000Z',
  updatedAt: '2026-11-02T10:00:00.000Z',
}

export const summaryExample: ValuationSummary = {
  ...payloadExample,
  links: { report: `${base}/report`, pdf: `${base}/report.pdf`, share: null },
  share: null,
}

const adjustment = (factor: Factor, from: number, to: number, amount: number) => ({
  factor,
  from,
  to,
  amount,
})

export const valuationExample: Valuation = {
  ...summaryExample,
  comparables: [
    {
      id: '01980a4e-7777-7c3e-9d7a-2f6b1c0d9e8f',
      distanceMeters: 140,
      latitude: 41.3921,
      longitude: 2.1627,
      price: 325_000,
      squareMeters: 86,
      plotSquareMeters: null,
      bedrooms: 3,
      bathrooms: 2,
      condition: 'good',
      floor: 2,
      yearBuilt: 1968,
      subtype: 'flat',
      amenities: ['lift', 'balcony'],
      seenAt: '2026-10-21T08:00:00.000Z',
      ageDays: 12,
      adjustments: [adjustment('size', 86, 80, -18_300), adjustment('floor', 2, 3, 3100)],
      adjustedPrice: 309_800,
      weight: 0.1132,
      included: true,
      exclusionReason: null,
    },
  ],
  exclusionCounts: { implausible_price: 2, less_similar: 181 },
}

export const accuracyExample: MarketAccuracy = {
  operation: 'sale',
  propertyType: 'homes',
  currency: 'EUR',
  priceBasis: 'asking',
  properties: 48_210,
  modelVersion: summaryExample.modelVersion,
  fittedAt: '2026-11-02T03:00:00.000Z',
  accuracy: {
    count: 3000,
    medianRatio: 1.003,
    cod: 13.1,
    prd: 1.012,
    mdape: 9.3,
    mdapeError: 0.2,
    within5: 29,
    within10: 53,
    within20: 81,
    intervalCoverage: 80,
    medianHalfWidth: 19.4,
  },
  summary:
    'Tested on 3,000 properties with their prices hidden: half of the estimates were off by at most 9.3 %, and 80 % of the prices lay in the range.',
}
