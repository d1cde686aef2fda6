/** Sample reports of synthetic price sets: the subject is one row, and the comparables are rows near it. */

import type { DocumentLanguage } from '../src/documents/languages.ts'
import { metersPerDegree } from '../src/domain/geo.ts'
import type { Adjustment } from '../src/domain/valuation/adjustments.ts'
import type { ComparedProperty } from '../src/domain/valuation/estimate.ts'
import {
  type Characteristics,
  type Comparable,
  type Condition,
  toAmenities,
  toAmenitySet,
} from '../src/domain/valuation/property.ts'
import { msPerDay } from '../src/domain/valuation/time.ts'
import type { ValuationReport } from '../src/features/valuations/report/report.ts'
import { reportSections } from '../src/features/valuations/report/schemas.ts'
import { makePriceRows, type SyntheticSet } from './synthetic-price-sets.ts'

export interface SampleOptions {
  set: SyntheticSet
  language: DocumentLanguage
  /** Number of used comparables; the same number is excluded. */
  used?: number
  /** Index of the subject's row. */
  row?: number
}

const asOf = { es: '2019-01-15', pl: '2024-06-20', us: '2015-06-01' }
const currencies = { es: 'EUR', pl: 'PLN', us: 'USD' }

/** Makes a report. Adjustments are generated, and add up to the adjusted prices; other values are those of the set. */
export function makeSampleReport({ set, language, used = 12, row = 0 }: SampleOptions): ValuationReport {
  const country = set.slice(0, 2) as keyof typeof asOf
  const moment = Temporal.Instant.from(`${asOf[country]}T10:00:00Z`)
  const rows = makeComparables(set)
  const subject = rows[row]!
  const nearby = rows
    .filter(other => other.id !== subject.id && other.seenAt.epochMilliseconds < moment.epochMilliseconds)
    .map(other => ({ other, distanceMeters: toDistanceMeters(subject, other) }))
    .sort((a, b) => a.distanceMeters - b.distanceMeters)
    .slice(0, 200)
  const similar = nearby
    .toSorted((a, b) => toDissimilarity(subject, a.other) - toDissimilarity(subject, b.other))
    .slice(0, used * 2)
  const weights = makeWeights(used)
  const compared = similar.map(({ other, distanceMeters }, index): ComparedProperty => {
    const common = {
      comparable: other,
      distanceMeters: Math.round(distanceMeters),
      ageDays: Math.floor((moment.epochMilliseconds - other.seenAt.epochMilliseconds) / msPerDay),
    }
    const exclusionReason = index === used ? 'implausible_price' : 'less_similar'
    if (index >= used)
      return { ...common, adjustments: [], adjustedPrice: null, weight: 0, included: false, exclusionReason }
    const adjustments = makeAdjustments(subject, other, distanceMeters, moment)
    const adjustedPrice = adjustments.reduce((price, { amount }) => price + amount, other.price)
    return {
      ...common,
      adjustments,
      adjustedPrice,
      weight: weights[index]!,
      included: true,
      exclusionReason: null,
    }
  })
  const value = Math.round(compared.reduce((sum, one) => sum + (one.adjustedPrice ?? 0) * one.weight, 0))
  return {
    name: null,
    address: 'Carrer de la Diputació 250, 2n 1a',
    subject,
    otherAmenities: [],
    operation: set.endsWith('rent') ? 'rent' : 'sale',
    propertyType: 'homes',
    currency: currencies[country],
    priceBasis: country === 'us' ? 'closed' : 'asking',
    estimate: {
      value,
      low: Math.round(value * 0.86),
      high: Math.round(value * 1.16),
      coverage: 0.8,
      fsd: 0.112,
      pricePerSquareMeter: value / subject.squareMeters,
      compared,
      modelVersion: '2026-11-22.1',
      confidence: { level: 'high', score: 78 },
      exclusionCounts: { implausible_price: 1, less_similar: nearby.length - used - 1 },
    },
    considered: nearby.length,
    asOf: moment,
    issuedAt: moment.add({ hours: 1 }),
    timezone: 'Europe/Madrid',
    branding: {
      name: 'Finques Aldaba',
      color: '#0f766e',
      logo: null,
      phone: '+34 930 000 000',
      email: 'hola@aldaba.example',
      website: 'aldaba.example',
    },
    config: { language, sections: [...reportSections], showAddress: true },
    streets: null,
    market: nearby.map(({ other }) => ({
      pricePerSquareMeter: other.price / other.squareMeters,
      seenAt: other.seenAt,
    })),
  }
}

function makeComparables(set: SyntheticSet): Comparable[] {
  return makePriceRows(set, 2000).map(record => {
    const number = (name: keyof typeof record) => (record[name] === '' ? null : Number(record[name]))
    return {
      id: record.id,
      latitude: Number(record.latitude),
      longitude: Number(record.longitude),
      price: Number(record.price),
      squareMeters: Number(record.squareMeters),
      plotSquareMeters: number('plotSquareMeters'),
      bedrooms: number('bedrooms'),
      bathrooms: number('bathrooms'),
      floor: number('floor'),
      condition: (record.condition || null) as Condition | null,
      yearBuilt: number('yearBuilt'),
      subtype: record.subtype || null,
      amenities: record.amenities === '' ? null : toAmenitySet(record.amenities.split(';')),
      seenAt: toLastDay(record.period).toZonedDateTime('UTC').toInstant(),
    }
  })
}

/** Parses a quarter, a month or a day. */
function toLastDay(period: string): Temporal.PlainDate {
  if (period.length === 10) return Temporal.PlainDate.from(period)
  const [year, part] = period.split('-')
  const month = part!.startsWith('Q') ? Number(part![1]) * 3 : Number(part)
  return Temporal.PlainDate.from({ year: Number(year), month, day: 1 })
    .add({ months: 1 })
    .subtract({ days: 1 })
}

/** Decreasing weights with four digits and a sum of 1. */
function makeWeights(count: number): number[] {
  const parts = Array.from({ length: count }, (_, index) => 1 / (index + 3))
  const whole = parts.reduce((sum, part) => sum + part, 0)
  const rest = parts.slice(1).map(part => Math.round((part / whole) * 10_000))
  return [10_000 - rest.reduce((sum, part) => sum + part, 0), ...rest].map(part => part / 10_000)
}

function toDissimilarity(subject: Comparable, other: Comparable): number {
  return (
    Math.abs(Math.log(other.squareMeters / subject.squareMeters)) * 4 +
    Math.abs((other.bedrooms ?? 0) - (subject.bedrooms ?? 0)) +
    toDistanceMeters(subject, other) / 500
  )
}

function toDistanceMeters(one: Characteristics, other: Characteristics): number {
  const east = (other.longitude - one.longitude) * Math.cos((one.latitude * Math.PI) / 180)
  return Math.hypot(east, other.latitude - one.latitude) * metersPerDegree
}

function makeAdjustments(
  subject: Comparable,
  other: Comparable,
  distanceMeters: number,
  moment: Temporal.Instant,
): Adjustment[] {
  const amount = (share: number) => Math.round(other.price * share)
  const bathrooms = (subject.bathrooms ?? 0) - (other.bathrooms ?? 0)
  const years = (moment.epochMilliseconds - other.seenAt.epochMilliseconds) / (365 * msPerDay)
  const number = (from: number | null, to: number | null, share: number) =>
    from === null || to === null ? 0 : amount((to - from) * share)
  const names = (set: number | null) => (set === null ? null : toAmenities(set).join(', '))
  const adjustments: Adjustment[] = [
    {
      factor: 'time',
      from: other.seenAt.toString().slice(0, 10),
      to: moment.toString().slice(0, 10),
      amount: amount(years * 0.04),
    },
    {
      factor: 'place',
      from: Math.round(distanceMeters),
      to: 0,
      amount: amount(((distanceMeters % 70) - 35) / 1000),
    },
    {
      factor: 'size',
      from: other.squareMeters,
      to: subject.squareMeters,
      amount: amount((subject.squareMeters / other.squareMeters - 1) * 0.7),
    },
    {
      factor: 'plot',
      from: other.plotSquareMeters,
      to: subject.plotSquareMeters,
      amount: number(other.plotSquareMeters, subject.plotSquareMeters, 0.00005),
    },
    {
      factor: 'bedrooms',
      from: other.bedrooms,
      to: subject.bedrooms,
      amount: number(other.bedrooms, subject.bedrooms, 0.01),
    },
    { factor: 'bathrooms', from: other.bathrooms, to: subject.bathrooms, amount: amount(bathrooms * 0.05) },
    {
      factor: 'condition',
      from: other.condition,
      to: subject.condition,
      amount: other.condition === subject.condition ? 0 : amount(0.06),
    },
    {
      factor: 'floor',
      from: other.floor,
      to: subject.floor,
      amount: number(other.floor, subject.floor, 0.005),
    },
    {
      factor: 'amenities',
      from: names(other.amenities),
      to: names(subject.amenities),
      amount: other.amenities === subject.amenities ? 0 : amount(-0.015),
    },
    {
      factor: 'yearBuilt',
      from: other.yearBuilt,
      to: subject.yearBuilt,
      amount: number(other.yearBuilt, subject.yearBuilt, 0.0008),
    },
    { factor: 'unexplained', from: 0.081, to: 0.052, amount: amount(-0.027) },
  ]
  return adjustments.filter(({ amount }) => amount !== 0)
}
