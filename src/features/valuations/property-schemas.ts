/** API schemas of the valued property. */
import { floorLimits } from '../../domain/listing/floor.ts'
import { conditions, operations, propertyTypes } from '../../domain/valuation/property.ts'
import { nullable, oneOf, type Static, strictObject, type TSchema, Type } from '../../kit/schema.ts'
import { featureNames } from '../leads/schemas.ts'

export const place = {
  latitude: Type.Number({ minimum: -90, maximum: 90, description: 'The latitude in degrees, WGS 84.' }),
  longitude: Type.Number({ minimum: -180, maximum: 180, description: 'The longitude in degrees, WGS 84.' }),
}
export const operation = oneOf(operations, {
  description: '`sale`: a price to buy; `rent`: a rent per month.',
})
export const propertyType = oneOf(propertyTypes, { description: 'The type of property.' })
export const squareMeters = Type.Number({
  minimum: 5,
  maximum: 100_000,
  description:
    'The usable floor area in m². If listings there state another area, such as the built area in Spain, send that one: compared with built areas, a usable area makes the value too low.',
})
export const plotSquareMeters = Type.Number({
  minimum: 0,
  maximum: 10_000_000,
  description: 'The area of the land in m².',
})
export const bedrooms = Type.Integer({
  minimum: 0,
  maximum: 50,
  description: 'The number of bedrooms; 0: a studio. Required for `homes`.',
})
export const bathrooms = Type.Integer({
  minimum: 0,
  maximum: 50,
  description: 'The number of bathrooms. Required for `homes`.',
})
export const condition = oneOf(conditions, { description: 'The condition of the property; null: unknown.' })
export const floor = Type.Number({
  minimum: floorLimits.min,
  maximum: floorLimits.max,
  multipleOf: 0.5,
  description: 'The floor. 0: the ground floor; -1: the basement; 0.5: a mezzanine.',
})
export const yearBuilt = Type.Integer({
  minimum: 1000,
  description: 'The year it was built, at most six years ahead.',
})
export const amenityNames = featureNames(
  'All amenities of the property: any other amenity counts as absent. If omitted, all are unknown.',
)
export const flag = (name: string) =>
  Type.Boolean({
    description: `true: the property has the amenity \`${name}\`; false: it does not; null: unknown.`,
  })

/** The amenities that have a boolean field of their own, by field name. */
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
export const flagFields = <T extends TSchema>(makeField: (name: string) => T) =>
  Object.fromEntries(Object.entries(flags).map(([field, name]) => [field, makeField(name)])) as Record<
    Flag,
    T
  >

export const Subject = strictObject(
  {
    ...place,
    squareMeters,
    plotSquareMeters: nullable(plotSquareMeters),
    bedrooms: nullable(bedrooms),
    bathrooms: nullable(bathrooms),
    condition: nullable(condition),
    floor: nullable(floor),
    yearBuilt: nullable(yearBuilt),
    amenities: nullable(
      Type.Array(Type.String(), {
        description: 'The amenities; null: unknown. Valuations of earlier versions may contain other words.',
      }),
    ),
    ...flagFields(name => nullable(flag(name))),
  },
  { title: 'ValuedProperty', description: 'The property that was valued.' },
)
export type Subject = Static<typeof Subject>
