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
  optional(Type.Array(id('The id of a comparable.'), { maxItems, description }))

const place = {
  latitude: Type.Number({ minimum: -90, maximum: 90, description: 'The latitude in degrees, WGS 84.' }),
  longitude: Type.Number({ minimum: -180, maximum: 180, description: 'The longitude in degrees, WGS 84.' }),
}
export const operation = oneOf(operations, { description: 'A price to buy, or a rent per month.' })
export const propertyType = oneOf(propertyTypes, { description: 'The type of property.' })
export const priceBasis = oneOf(priceBases, {
  description: '`asking`: the value is an asking price; `closed`: it is a price paid.',
})
export const comparablesUsed = Type.Integer({ description: 'The number of comparables in the estimate.' })
const squareMeters = Type.Number({
  minimum: 5,
  maximum: 100_000,
  description: 'The usable floor area in m².',
})
const plotSquareMeters = Type.Number({
  minimum: 0,
  maximum: 10_000_000,
  description: 'The area of the land in m².',
})
const bedrooms = Type.Integer({
  minimum: 0,
  maximum: 50,
  description: 'The number of bedrooms; 0: a studio. Required for `homes`.',
})
const bathrooms = Type.Integer({
  minimum: 0,
  maximum: 50,
  description: 'The number of bathrooms. Required for `homes`.',
})
const condition = oneOf(conditions, { description: 'The condition of the property; null: unknown.' })
const floor = Type.Number({
  minimum: FLOORS.min,
  maximum: FLOORS.max,
  multipleOf: 0.5,
  description: 'The floor. 0: the ground floor; -1: the basement; 0.5: a mezzanine.',
})
const yearBuilt = Type.Integer({
  minimum: 1000,
  description: 'The year it was built, at most six years ahead.',
})
const amenityNames = featureNames(
  'All amenities of the property: those not in the list are absent. If omitted, they are unknown.',
)
const flag = (name: string) =>
  Type.Boolean({
    description: `true: the property has the amenity \`${name}\`; false: it has not; null: unknown.`,
  })

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

const name = Type.String({
  maxLength: 255,
  description: 'What you call the valuation; the title of the report.',
})
const address = Type.String({ maxLength: 500, description: 'The address, for display only.' })
const radiusKm = (options: { default?: number; description: string }) =>
  Type.Number({ exclusiveMinimum: 0, maximum: 50, ...options })
const corner = closed(place, { title: 'Place', description: 'A point.' })
const included = ids(
  comparablesMax,
  `Use only these comparables, at least ${chosenComparablesMin}, up to ${reachKm} km away. If empty, the nearest are used.`,
)
const excluded = ids(200, 'Do not use these comparables.')

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
        description: 'The greatest distance of a comparable, in km. `polygon` replaces it.',
      }),
    ),
    polygon: optional(
      Type.Array(corner, {
        minItems: 3,
        maxItems: 500,
        description:
          'The corners, in order, of the area to search for comparables; the property may lie outside.',
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
      Type.String({ maxLength: 100, description: 'The id of a location of a portal, for your own use.' }),
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
      description:
        'Only valuations with this text in the name or the address; accents and case do not matter.',
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
        description: 'The amenities; null: unknown. Valuations of earlier versions may hold other words.',
      }),
    ),
    ...flagFields(name => nullable(flag(name))),
  },
  { title: 'ValuedProperty', description: 'The property that was valued.' },
)
export type Subject = Static<typeof Subject>

const said = Type.Union([Type.Number(), Type.String(), Type.Boolean(), Type.Null()])
const money = (description: string) =>
  Type.Integer({ description: `${description} Whole units of the currency; for rent, per month.` })

const Adjustment = closed(
  {
    factor: oneOf(factors, { description: 'What differs between the comparable and the property.' }),
    from: { ...said, description: 'The value of the comparable; null: unknown.' } as typeof said,
    to: { ...said, description: 'The value of the property; null: unknown.' } as typeof said,
    amount: money('The amount added to the price of the comparable.'),
  },
  { title: 'Adjustment' },
)

const Compared = closed(
  {
    id: id('The comparable.'),
    distanceMeters: Type.Integer({ description: 'The distance from the property, in meters.' }),
    ...place,
    price: money('The price asked or paid.'),
    squareMeters: Type.Number({ description: 'The floor area in m².' }),
    plotSquareMeters: nullable(Type.Number({ description: 'The area of the land in m²; null: unknown.' })),
    bedrooms: nullable(Type.Integer({ description: 'The number of bedrooms; null: unknown.' })),
    bathrooms: nullable(Type.Number({ description: 'The number of bathrooms; null: unknown.' })),
    condition: nullable(condition),
    floor: nullable(Type.Number({ description: 'The floor, 0: the ground floor; null: unknown.' })),
    yearBuilt: nullable(Type.Integer({ description: 'The year it was built; null: unknown.' })),
    subtype: nullable(Type.String({ description: 'The kind of home, such as `flat`; null: unknown.' })),
    amenities: nullable(
      Type.Array(oneOf(amenities), { description: 'The amenities stated; null: unknown.' }),
    ),
    seenAt: time('When the price was last seen in a listing, or paid.'),
    ageDays: Type.Integer({ description: 'The days from `seenAt` to `asOf`.' }),
    adjustments: Type.Array(Adjustment, {
      description: 'The adjustments for each difference, in the order of the calculation.',
    }),
    adjustedPrice: nullable(money('`price` plus all adjustments; null: it is not in the estimate.')),
    weight: Type.Number({ description: 'Its share in the estimate, from 0 to 1; all weights add up to 1.' }),
    included: Type.Boolean({ description: 'It is in the estimate.' }),
    exclusionReason: nullable(
      oneOf(exclusionReasons, { description: 'Why it is not in the estimate; null: it is.' }),
    ),
  },
  { title: 'Comparable' },
)

const modelVersion = Type.String({
  description:
    'The id of the market model; it changes with every training. It ends in `-usual` if there is no model of this place, and usual prices are used.',
})

const summary = {
  id: id('The valuation.'),
  name: nullable(name),
  address: nullable(address),
  operation,
  propertyType,
  subject: Subject,
  area: closed(
    {
      radiusKm: nullable(
        radiusKm({ description: 'The greatest distance of a comparable, in km; null: see `polygon`.' }),
      ),
      polygon: nullable(
        Type.Array(corner, { description: 'The corners of the area, in order; null: see `radiusKm`.' }),
      ),
    },
    { description: 'The area searched for comparables.' },
  ),
  portalLocationId: nullable(
    Type.String({ description: 'The id of a location of a portal, as you sent it; null: none.' }),
  ),
  estimate: closed(
    {
      value: money('The estimated price: the sum of the adjusted prices, each times its weight.'),
      low: money('The lower end of the range.'),
      high: money('The upper end of the range.'),
      coverage: Type.Number({
        description: 'The share of prices that lie between `low` and `high`, from 0 to 1.',
      }),
      currency: Type.String({ description: 'The currency of most comparables, ISO 4217.' }),
      pricePerSquareMeter: Type.Number({ description: '`value` per m² of floor area.' }),
    },
    { description: 'The estimated value, with its range.' },
  ),
  confidence: closed(
    {
      level: oneOf(['high', 'medium', 'low'], { description: 'The confidence in a word.' }),
      score: Type.Integer({ description: '100 minus twice the `fsd` in percent; from 0 to 100.' }),
      fsd: Type.Number({ description: 'The forecast standard deviation, as a share of the value.' }),
    },
    { description: 'How certain the estimate is.' },
  ),
  asOf: time('The date of the value.'),
  priceBasis,
  comparablesUsed,
  comparablesConsidered: Type.Integer({
    description: 'The number of comparables considered: at most 200, and those you chose from elsewhere.',
  }),
  method: Type.String({ description: 'How the value was calculated, in words.' }),
  modelVersion,
  includedComparableIds: Type.Array(id('The id of a comparable.'), {
    description: 'The comparables that you chose; empty: the nearest are used.',
  }),
  excludedComparableIds: Type.Array(id('The id of a comparable.'), {
    description: 'The comparables that you excluded.',
  }),
  reportConfig: ReportConfig,
  links: closed(
    {
      report: Type.String({ description: 'The URL of the report as a page; it needs a key.' }),
      pdf: Type.String({ description: 'The URL of the report as a PDF; it needs a key.' }),
      share: nullable(
        Type.String({ description: 'The URL of the shared report, which needs no key; null: none.' }),
      ),
    },
    { description: 'The reports.' },
  ),
  share: nullable(Share),
  createdAt: time('When it was created.'),
  updatedAt: time('When it was last changed.'),
}

export const ValuationSummary = closed(summary, { title: 'ValuationSummary' })
export type ValuationSummary = Static<typeof ValuationSummary>

const { links: _links, share: _share, ...withoutLinks } = summary
/** What messages carry: a link to a report opens it to whoever has it. */
export const ValuationWithoutLinks = closed(withoutLinks, { title: 'ValuationWithoutLinks' })
export type ValuationWithoutLinks = Static<typeof ValuationWithoutLinks>

const count = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }))
const countByReason = {
  excluded_by_request: count('You excluded them.'),
  same_property: count('They seem to be the property itself.'),
  unlikely_price: count('Their price is hardly credible.'),
  not_chosen: count('You chose others.'),
  less_alike: count('Others are more similar.'),
} satisfies Record<ExclusionReason, unknown>

export const Valuation = closed(
  {
    ...summary,
    comparables: Type.Array(Compared, {
      description:
        'First the comparables in the estimate, at most 20, by descending weight. Then those left out, by reason and similarity: all that you excluded, that are the property itself or that have an unlikely price, and at least 20 others to choose from, if there are as many.',
    }),
    leftOutCounts: closed(countByReason, {
      description: 'The number of considered comparables left out for each reason, listed or not.',
    }),
  },
  { title: 'Valuation' },
)
export type Valuation = Static<typeof Valuation>

const percent = (description: string) => Type.Number({ description: `${description} In percent.` })

export const MarketAccuracy = closed(
  {
    ...{ operation, propertyType },
    currency: Type.String({ description: 'The currency of the market, ISO 4217.' }),
    priceBasis,
    properties: Type.Integer({
      description:
        'The number of properties that the model was trained with; before the first training, of known ones.',
    }),
    modelVersion,
    fittedAt: nullable(time('When the model was last trained; null: never.')),
    accuracy: nullable(
      closed(
        {
          count: Type.Integer({
            description: 'The number of properties valued as if their price were unknown.',
          }),
          medianRatio: Type.Number({
            description: 'The median ratio of estimate to price; 1: neither too high nor too low.',
          }),
          cod: percent('The coefficient of dispersion: the mean distance of the ratios from their median.'),
          prd: Type.Number({
            description: 'The price-related differential; above 1: expensive properties are valued too low.',
          }),
          mdape: percent('The median absolute percentage error.'),
          mdapeError: percent('The standard error of `mdape`, from a bootstrap.'),
          within5: percent('The share of estimates that differ from the price by at most 5 %.'),
          within10: percent('The share of estimates that differ from the price by at most 10 %.'),
          within20: percent('The share of estimates that differ from the price by at most 20 %.'),
          intervalCoverage: percent('The share of prices inside the 80 % range.'),
          medianHalfWidth: percent('The median of half the width of the range, relative to the value.'),
        },
        { description: 'How close estimates come to prices; null: there is no model yet.' },
      ),
    ),
    summary: Type.String({ description: 'The accuracy in words.' }),
  },
  { title: 'MarketAccuracy' },
)
export type MarketAccuracy = Static<typeof MarketAccuracy>
