/** API schemas of comparables and their adjustments. */
import { factors } from '../../domain/valuation/adjustments.ts'
import { exclusionReasons } from '../../domain/valuation/estimate.ts'
import { amenities, priceBases } from '../../domain/valuation/property.ts'
import { id, nullable, oneOf, strictObject, Type, time } from '../../kit/schema.ts'
import { condition, place } from './property-schemas.ts'

export const priceBasis = oneOf(priceBases, {
  description: '`asking`: the value is an asking price; `closed`: it is a sale price or an agreed rent.',
})
export const comparablesUsed = Type.Integer({ description: 'The number of comparables in the estimate.' })
export const modelVersion = Type.String({
  description:
    'The id of the market model; it changes with every training. It ends in `-usual` if default prices were used, because the market has no trained model or the model was not trained on prices of this place.',
})

const factorValue = Type.Union([Type.Number(), Type.String(), Type.Boolean(), Type.Null()])
export const money = (description: string) =>
  Type.Integer({ description: `${description} Whole units of the currency; for rent, per month.` })

const Adjustment = strictObject(
  {
    factor: oneOf(factors, { description: 'What differs between the comparable and the property.' }),
    from: {
      ...factorValue,
      description: 'The value of the comparable; null: unknown.',
    } as typeof factorValue,
    to: { ...factorValue, description: 'The value of the property; null: unknown.' } as typeof factorValue,
    amount: money('The amount added to the price of the comparable; may be negative.'),
  },
  { title: 'Adjustment' },
)

export const Comparable = strictObject(
  {
    id: id('The comparable.'),
    distanceMeters: Type.Integer({ description: 'The distance from the property, in meters.' }),
    ...place,
    price: money('The asking price or the sale price, see `priceBasis`.'),
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
    adjustedPrice: nullable(money('`price` plus all adjustments; null: it is not used in the estimate.')),
    weight: Type.Number({ description: 'Its share in the estimate, from 0 to 1; all weights add up to 1.' }),
    included: Type.Boolean({ description: 'true: it is used in the estimate.' }),
    exclusionReason: nullable(
      oneOf(exclusionReasons, { description: 'Why it is not used in the estimate; null: it is used.' }),
    ),
  },
  { title: 'Comparable' },
)
