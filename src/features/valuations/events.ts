/** The events of valuations. */
import { type EmbeddedObject, event } from '../../kit/events/event.ts'
import { id, strictObject, Type } from '../../kit/schema.ts'
import { comparablesUsed, priceBasis } from './estimate-schemas.ts'
import { payloadExample } from './examples.ts'
import { operation, propertyType } from './property-schemas.ts'
import { findSummaries } from './queries.ts'
import { toValuationWithoutLinks } from './reply.ts'
import { ValuationWithoutLinks } from './schemas.ts'

const embeds: EmbeddedObject = {
  name: 'valuation',
  schema: ValuationWithoutLinks,
  example: payloadExample,
  async read(tx, ids, maxBytes) {
    const texts = (await findSummaries(tx, ids)).map(
      row => [row.id, JSON.stringify(toValuationWithoutLinks(row))] as const,
    )
    return new Map(texts.map(([id, json]) => [id, Buffer.byteLength(json) <= maxBytes ? json : null]))
  },
}

export const valuationCreated = event({
  type: 'valuation.created',
  object: ['valuationId'],
  embeds,
  summary: 'A property was valued',
  data: strictObject({
    valuationId: id('The valuation.'),
    operation,
    propertyType,
    priceBasis,
    currency: Type.String({ description: 'The currency, ISO 4217.' }),
    value: Type.Integer({
      description: 'The estimated price in whole units of the currency; for rent, per month.',
    }),
    low: Type.Integer({ description: 'The lower end of the range, which holds 80 % of prices.' }),
    high: Type.Integer({ description: 'The upper end of the range, which holds 80 % of prices.' }),
    comparablesUsed,
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
