/** The API schemas of what a sheet states because the law requires it. */
import { constructionStates, rentalUses } from '../../domain/advertising-rules/advertised-property.ts'
import { nullable, oneOf, type Static, strictObject, type TSchema, Type } from '../../kit/schema.ts'

const text = (description: string) => nullable(Type.String({ maxLength: 100, description }))
const yesOrNo = (description: string) => nullable(Type.Boolean({ description }))
const rent = (description: string) => nullable(Type.Number({ minimum: 0, maximum: 1e9, description }))

const fields = {
  construction: nullable(oneOf(constructionStates, { description: 'How far the building is.' })),
  buildingPermit: text('The number of the building permit, and when it expires.'),
  usePermit: text('The number of the permit of use (in Portugal: licença de utilização).'),
  priceIncludesTaxes: yesOrNo('The price includes the taxes that the buyer owes.'),
  rentalUse: nullable(
    oneOf(rentalUses, {
      description: 'null: by `pricePeriod`; a rent per day or week is for a short term.',
    }),
  ),
  shortTermRegistration: text(
    'The number in the register of short-term rentals (in Portugal: RNAL; in Italy: CIN).',
  ),
  isStressedArea: yesOrNo('The home is in a stressed residential market area.'),
  lastRent: rent('The rent per month in the last contract of the past five years.'),
  referenceRent: rent('The rent per month by the official reference index.'),
  isLargeHolder: yesOrNo('The owner is a large holder (gran tenedor).'),
}

export const Advertising = strictObject(fields, {
  title: 'FichaAdvertising',
  description: 'What the sheet states because the law requires it. It is printed. null: not stated.',
})

type Optional = { [K in keyof typeof fields]: ReturnType<typeof Type.Optional<(typeof fields)[K]>> }
export const AdvertisingChanges = strictObject(
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]: [string, TSchema]) => [name, Type.Optional(schema)]),
  ) as Optional,
  { title: 'FichaAdvertisingChanges', description: 'Omitted fields keep their value; null removes it.' },
)
export type AdvertisingChanges = Static<typeof AdvertisingChanges>
