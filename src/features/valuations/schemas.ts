/** What valuations look like from outside. */
import { FLOORS } from '../../domain/listing/floor.ts'
import { factors } from '../../domain/valuation/adjustments.ts'
import { type ExclusionReason, exclusionReasons } from '../../domain/valuation/estimate.ts'
import { chosenComparablesMin, comparablesMax } from '../../domain/valuation/likeness.ts'
import {
  amenities,
  conditions,
  operations,
  priceBases,
  propertyTypes,
} from '../../domain/valuation/property.ts'
import { pageQuery } from '../../kit/page.ts'
import { closed, id, nullable, oneOf, type Static, type TSchema, Type, time } from '../../kit/schema.ts'
import { featureNames } from '../leads/schemas.ts'
import { NewReportConfig, ReportConfig } from './report/schemas.ts'
import { Share } from './share-schemas.ts'

/** Of a corner or a chosen comparable, from the property: what is farther away says nothing of it. */
export const reachKm = 100
export const radiusKmDefault = 5

const optional = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema))
const ids = (maxItems: number, description: string) =>
  optional(Type.Array(id('A comparable.'), { maxItems, description }))

const place = {
  latitude: Type.Number({ minimum: -90, maximum: 90, description: 'Degrees, WGS 84.' }),
  longitude: Type.Number({ minimum: -180, maximum: 180, description: 'Degrees, WGS 84.' }),
}
const operation = oneOf(operations, { description: 'Rents are per month.' })
const propertyType = oneOf(propertyTypes)
const squareMeters = Type.Number({ minimum: 5, maximum: 100_000, description: 'Usable floor area.' })
const plotSquareMeters = Type.Number({ minimum: 0, maximum: 10_000_000, description: 'Of the land.' })
const bedrooms = Type.Integer({ minimum: 0, maximum: 50, description: '0: a studio. Required for `homes`.' })
const bathrooms = Type.Integer({ minimum: 0, maximum: 50, description: 'Required for `homes`.' })
const condition = oneOf(conditions)
const floor = Type.Number({
  minimum: FLOORS.min,
  maximum: FLOORS.max,
  multipleOf: 0.5,
  description: '0: the ground floor; -1: the basement; 0.5: a mezzanine.',
})
const yearBuilt = Type.Integer({ minimum: 1000, description: 'Up to six years ahead.' })
const amenityNames = featureNames('What is there, and nothing else; left out: unknown.')
const flag = (name: string) =>
  Type.Boolean({ description: `\`true\` is as the amenity \`${name}\`; \`false\`: there is none.` })

/** Amenities that have a field of their own. */
export const flags = {
  hasLift: 'lift',
  hasParking: 'parking',
  hasTerrace: 'terrace',
  hasPool: 'pool',
  hasGarden: 'garden',
  hasStorage: 'storage_room',
  hasAirConditioning: 'air_conditioning',
  isExterior: 'exterior',
} as const
export type Flag = keyof typeof flags
const flagFields = <T extends TSchema>(fieldOf: (name: string) => T) =>
  Object.fromEntries(Object.entries(flags).map(([field, name]) => [field, fieldOf(name)])) as Record<Flag, T>

const name = Type.String({ maxLength: 255, description: 'What you call it; the title of its report.' })
const address = Type.String({ maxLength: 500, description: 'For display.' })
const radiusKm = (options: { default?: number; description?: string } = {}) =>
  Type.Number({ exclusiveMinimum: 0, maximum: 50, ...options })
const corner = closed(place, { title: 'Place' })
const included = ids(
  comparablesMax,
  `If there are any, these alone are weighed, in the area or up to ${reachKm} km away: at least ${chosenComparablesMin}.`,
)
const excluded = ids(200, 'These are left out.')

export const NewValuation = closed(
  {
    ...place,
    squareMeters,
    ...{ propertyType, operation },
    bedrooms: optional(bedrooms),
    bathrooms: optional(bathrooms),
    name: optional(name),
    radiusKm: optional(
      radiusKm({
        default: radiusKmDefault,
        description: 'How far comparables may be. A polygon takes its place.',
      }),
    ),
    polygon: optional(
      Type.Array(corner, {
        minItems: 3,
        maxItems: 500,
        description:
          'Corners, in order, of the area in which comparables are looked for; the property may lie outside.',
      }),
    ),
    condition: optional(condition),
    address: optional(address),
    amenities: optional(amenityNames),
    ...flagFields(name => optional(flag(name))),
    ...{
      floor: optional(floor),
      yearBuilt: optional(yearBuilt),
      plotSquareMeters: optional(plotSquareMeters),
    },
    includedComparableIds: included,
    excludedComparableIds: excluded,
    portalLocationId: optional(
      Type.String({ maxLength: 100, description: 'Id of a location of a portal; kept as it is.' }),
    ),
    reportConfig: optional(NewReportConfig),
  },
  { title: 'NewValuation' },
)
export type NewValuation = Static<typeof NewValuation>

export const ValuationChanges = closed(
  {
    name: optional(name),
    address: optional(address),
    reportConfig: optional(NewReportConfig),
    includedComparableIds: included,
    excludedComparableIds: excluded,
  },
  { title: 'ValuationChanges' },
)
export type ValuationChanges = Static<typeof ValuationChanges>

export const ValuationFilter = closed({
  ...pageQuery,
  operation: Type.Optional(operation),
  propertyType: Type.Optional(propertyType),
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Part of the name or of the address, without regard to accents and case.',
    }),
  ),
})
export type ValuationFilter = Static<typeof ValuationFilter>

const Subject = closed(
  {
    ...place,
    squareMeters,
    plotSquareMeters: nullable(plotSquareMeters),
    ...{ bedrooms: nullable(bedrooms), bathrooms: nullable(bathrooms), condition: nullable(condition) },
    ...{ floor: nullable(floor), yearBuilt: nullable(yearBuilt) },
    amenities: nullable(
      Type.Array(Type.String(), {
        description: 'Names of features; words of your own in valuations of earlier versions.',
      }),
    ),
    ...flagFields(name => nullable(flag(name))),
  },
  { title: 'ValuedProperty' },
)
export type Subject = Static<typeof Subject>

const said = Type.Union([Type.Number(), Type.String(), Type.Boolean(), Type.Null()])
const money = (description: string) =>
  Type.Integer({ description: `${description} Whole units of the currency; for rent, per month.` })

const Adjustment = closed(
  {
    factor: oneOf(factors, { description: 'What sets the comparable apart.' }),
    from: { ...said, description: 'Of the comparable; null: unknown.' } as typeof said,
    to: { ...said, description: 'Of the property that is valued.' } as typeof said,
    amount: money('Added to the price of the comparable.'),
  },
  { title: 'Adjustment' },
)

const Compared = closed(
  {
    id: id('The comparable.'),
    distanceMeters: Type.Integer(),
    ...place,
    price: money('Asked or paid.'),
    squareMeters: Type.Number(),
    plotSquareMeters: nullable(Type.Number()),
    bedrooms: nullable(Type.Integer()),
    bathrooms: nullable(Type.Number()),
    condition: nullable(condition),
    floor: nullable(Type.Number()),
    yearBuilt: nullable(Type.Integer()),
    subtype: nullable(Type.String({ description: 'Kind of home, such as `flat`.' })),
    amenities: nullable(Type.Array(oneOf(amenities), { description: 'Null: nothing was said of any.' })),
    seenAt: time('When the price last stood: last advertised, or sold.'),
    ageDays: Type.Integer({ description: 'Days from then to `asOf`.' }),
    adjustments: Type.Array(Adjustment, { description: 'In the order in which they are made.' }),
    adjustedPrice: nullable(money('`price` and all amounts. Null for what is left out.')),
    weight: Type.Number({ description: 'Its share in the estimate, 0 to 1. All of them are 1.' }),
    included: Type.Boolean(),
    exclusionReason: nullable(oneOf(exclusionReasons)),
  },
  { title: 'Comparable' },
)

const modelVersion = Type.String({
  description:
    'Id of what was learnt of the market: another each time it is learnt anew. With `-usual` at its end: nothing was, or nothing of this place, and usual prices stand in.',
})

const summary = {
  id: id('The valuation.'),
  name: nullable(name),
  address: nullable(address),
  operation,
  propertyType,
  subject: Subject,
  area: closed({ radiusKm: nullable(radiusKm()), polygon: nullable(Type.Array(corner)) }),
  portalLocationId: nullable(Type.String()),
  estimate: closed({
    value: money('The sum of adjusted prices by their weights.'),
    low: money('The price lies between this …'),
    high: money('… and this in `coverage` of cases.'),
    coverage: Type.Number({ description: '0 to 1.' }),
    currency: Type.String({ description: 'ISO 4217: that of most comparables.' }),
    pricePerSquareMeter: Type.Number(),
  }),
  confidence: closed({
    level: oneOf(['high', 'medium', 'low']),
    score: Type.Integer({ description: '0 to 100: what is left of 100 after twice the fsd in percent.' }),
    fsd: Type.Number({ description: 'Forecast standard deviation, as a share of the value.' }),
  }),
  asOf: time('The moment that the value is for.'),
  priceBasis: oneOf(priceBases, { description: 'Whether the value is a price asked, or one paid.' }),
  comparablesUsed: Type.Integer(),
  comparablesConsidered: Type.Integer({
    description: 'How many were looked at: up to 200, and those chosen from elsewhere.',
  }),
  method: Type.String({ description: 'How the value came about, in words.' }),
  modelVersion,
  includedComparableIds: Type.Array(id('A comparable.')),
  excludedComparableIds: Type.Array(id('A comparable.')),
  reportConfig: ReportConfig,
  links: closed({
    report: Type.String({ description: 'As a page; it takes a key.' }),
    pdf: Type.String({ description: 'As a PDF; it takes a key.' }),
    share: nullable(Type.String({ description: 'The page for whoever has this address.' })),
  }),
  share: nullable(Share),
  createdAt: time('Created.'),
  updatedAt: time('Last changed.'),
}

export const ValuationSummary = closed(summary, { title: 'ValuationSummary' })
export type ValuationSummary = Static<typeof ValuationSummary>

const count = () => Type.Optional(Type.Integer({ minimum: 1 }))
const countByReason = Object.fromEntries(exclusionReasons.map(reason => [reason, count()])) as Record<
  ExclusionReason,
  ReturnType<typeof count>
>

export const Valuation = closed(
  {
    ...summary,
    comparables: Type.Array(Compared, {
      description:
        'Up to 20 that are weighed, by falling weight; then those left out, by reason and the likest first, 30 or more if there are as many: all that were excluded, are the property itself or of an unlikely price, and at least 20 of the others to choose from.',
    }),
    leftOutCounts: closed(countByReason, {
      description: 'How many of those considered were left out for each reason, shown or not.',
    }),
  },
  { title: 'Valuation' },
)
export type Valuation = Static<typeof Valuation>

const percent = (description: string) => Type.Number({ description: `${description} In percent.` })

export const MarketAccuracy = closed(
  {
    ...{ operation, propertyType },
    currency: Type.String({ description: 'ISO 4217.' }),
    priceBasis: oneOf(priceBases),
    properties: Type.Integer({
      description: 'From how many it was learnt; before that, how many are known.',
    }),
    modelVersion,
    fittedAt: nullable(time('When it was last learnt from; null: never yet.')),
    accuracy: nullable(
      closed({
        count: Type.Integer({ description: 'Properties that were valued without their price being known.' }),
        medianRatio: Type.Number({ description: 'Of estimate to price. 1: neither too high nor too low.' }),
        cod: percent('Coefficient of dispersion: mean distance of ratios from their median.'),
        prd: Type.Number({
          description: 'Price-related differential. Above 1: what is dear is valued too low.',
        }),
        mdape: percent('Median absolute percentage error.'),
        mdapeError: percent('Standard error of the former, from a bootstrap.'),
        within5: percent('Estimates that are off by at most 5 %.'),
        within10: percent('Estimates that are off by at most 10 %.'),
        within20: percent('Estimates that are off by at most 20 %.'),
        intervalCoverage: percent('Prices that lie in the range of 80 %.'),
        medianHalfWidth: percent('Median of half the range.'),
      }),
    ),
    summary: Type.String({ description: 'The same in words.' }),
  },
  { title: 'MarketAccuracy' },
)
export type MarketAccuracy = Static<typeof MarketAccuracy>
