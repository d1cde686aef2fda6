/** API schemas of valuations. */
import type { ExclusionReason } from '../../domain/valuation/estimate.ts'
import { chosenComparablesMin, comparablesMax } from '../../domain/valuation/similarity.ts'
import { pageQuery } from '../../kit/page.ts'
import { id, nullable, oneOf, type Static, strictObject, type TSchema, Type, time } from '../../kit/schema.ts'
import { newShareSchema, shareSchema } from '../shares/schemas.ts'
import { Comparable, comparablesUsed, modelVersion, money, priceBasis } from './estimate-schemas.ts'
import {
  amenityNames,
  bathrooms,
  bedrooms,
  condition,
  flag,
  flagFields,
  floor,
  operation,
  place,
  plotSquareMeters,
  propertyType,
  Subject,
  squareMeters,
  yearBuilt,
} from './property-schemas.ts'
import { NewReportConfig, ReportConfig } from './report/schemas.ts'

/** The greatest distance of a polygon corner or an included comparable from the property. */
export const maxDistanceKm = 100
export const radiusKmDefault = 5

const optional = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema))
const ids = (maxItems: number, description: string) =>
  optional(Type.Array(id('The id of a comparable.'), { maxItems, description }))

const name = Type.String({
  maxLength: 255,
  description: 'What you call the valuation; the title of the report.',
})
const address = Type.String({ maxLength: 500, description: 'The address, for display only.' })
const radiusKm = (options: { default?: number; description: string }) =>
  Type.Number({ exclusiveMinimum: 0, maximum: 50, ...options })
const corner = strictObject(place, { title: 'Place', description: 'A point.' })
const included = ids(
  comparablesMax,
  `Use only these comparables, at least ${chosenComparablesMin}, up to ${maxDistanceKm} km away. If empty, the nearest are used.`,
)
const excluded = ids(200, 'Do not use these comparables.')

export const NewValuation = strictObject(
  {
    ...place,
    squareMeters,
    propertyType,
    operation,
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
    floor: optional(floor),
    yearBuilt: optional(yearBuilt),
    plotSquareMeters: optional(plotSquareMeters),
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

export const ValuationChanges = strictObject(
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

export const ValuationFilter = strictObject({
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

export const ValuationShare = shareSchema({
  title: 'ValuationShare',
  subject: 'the report',
  pdfPath: '/report.pdf',
})
export const NewValuationShare = newShareSchema('NewValuationShare')

const summary = {
  id: id('The valuation.'),
  name: nullable(name),
  address: nullable(address),
  operation,
  propertyType,
  subject: Subject,
  area: strictObject(
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
  estimate: strictObject(
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
  confidence: strictObject(
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
  links: strictObject(
    {
      report: Type.String({ description: 'The URL of the report as a page; it needs a key.' }),
      pdf: Type.String({ description: 'The URL of the report as a PDF; it needs a key.' }),
      share: nullable(
        Type.String({ description: 'The URL of the shared report, which needs no key; null: none.' }),
      ),
    },
    { description: 'The reports.' },
  ),
  share: nullable(ValuationShare),
  createdAt: time('When it was created.'),
  updatedAt: time('When it was last changed.'),
}

export const ValuationSummary = strictObject(summary, { title: 'ValuationSummary' })
export type ValuationSummary = Static<typeof ValuationSummary>

const { links: _links, share: _share, ...fieldsWithoutLinks } = summary
/** The valuation in webhook messages. It has no links, because a share link gives access to the report. */
export const ValuationWithoutLinks = strictObject(fieldsWithoutLinks, { title: 'ValuationWithoutLinks' })
export type ValuationWithoutLinks = Static<typeof ValuationWithoutLinks>

const count = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }))
const countByReason = {
  excluded_by_request: count('You excluded them.'),
  same_property: count('They seem to be the property itself.'),
  implausible_price: count('Their price is implausible.'),
  not_chosen: count('You chose others.'),
  less_similar: count('Others are more similar.'),
} satisfies Record<ExclusionReason, unknown>

export const Valuation = strictObject(
  {
    ...summary,
    comparables: Type.Array(Comparable, {
      description:
        'First the comparables used in the estimate, at most 20, by descending weight. Then those left out, by reason and similarity: all that you excluded, that are the property itself or that have an implausible price, and at least 20 others to choose from, if there are that many.',
    }),
    exclusionCounts: strictObject(countByReason, {
      description: 'The number of considered comparables left out for each reason, listed or not.',
    }),
  },
  { title: 'Valuation' },
)
export type Valuation = Static<typeof Valuation>
