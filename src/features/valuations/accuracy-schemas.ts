/** API schemas of the accuracy of estimates. */
import { nullable, type Static, strictObject, Type, time } from '../../kit/schema.ts'
import { modelVersion, priceBasis } from './estimate-schemas.ts'
import { operation, propertyType } from './property-schemas.ts'

const percent = (description: string) => Type.Number({ description: `${description} In percent.` })

export const MarketAccuracy = strictObject(
  {
    operation,
    propertyType,
    currency: Type.String({ description: 'The currency of the market, ISO 4217.' }),
    priceBasis,
    properties: Type.Integer({
      description:
        'The number of properties that the model was trained with; before the first training, the number of known properties.',
    }),
    modelVersion,
    fittedAt: nullable(time('When the model was last trained; null: never.')),
    accuracy: nullable(
      strictObject(
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
