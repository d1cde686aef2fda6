/** What other features and subscribers hear about valuations. */
import { operations, priceBases, propertyTypes } from '../../domain/valuation/property.ts'
import { event } from '../../kit/event.ts'
import { closed, id, oneOf, Type } from '../../kit/schema.ts'

export const valuationCreated = event({
  type: 'valuation.created',
  object: ['valuationId'],
  summary: 'A property was valued',
  data: closed({
    valuationId: id('The valuation.'),
    operation: oneOf(operations),
    propertyType: oneOf(propertyTypes),
    priceBasis: oneOf(priceBases, { description: 'Whether the value is a price asked, or one paid.' }),
    currency: Type.String({ description: 'ISO 4217.' }),
    value: Type.Integer({ description: 'Whole units of the currency; for rent, per month.' }),
    low: Type.Integer({ description: 'The price lies between this …' }),
    high: Type.Integer({ description: '… and this in 80 % of cases.' }),
    comparablesUsed: Type.Integer(),
  }),
  example: {
    valuationId: '01980a4e-6666-7c3e-9d7a-2f6b1c0d9e8f',
    operation: 'sale',
    propertyType: 'homes',
    priceBasis: 'asking',
    currency: 'EUR',
    value: 312_400,
    low: 271_000,
    high: 360_100,
    comparablesUsed: 17,
  },
})

export const valuationEvents = [valuationCreated]
