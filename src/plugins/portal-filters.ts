/** The filters that portals share, each with a title, a description and examples. */
import Type, { type TSchemaOptions } from 'typebox'
import type { Feature } from '../domain/listing/features.ts'
import { type Operation, type PropertyType, propertyConditions } from '../domain/listing/listing.ts'

const filterTitles: Record<string, string> = {
  sale: 'For sale',
  rent: 'To rent',
  homes: 'Homes',
  offices: 'Offices',
  premises: 'Business premises',
  garages: 'Garages',
  new: 'New development',
  good: 'Good condition',
  to_renovate: 'To renovate',
  private: 'Private people',
  agency: 'Agencies',
  any: 'Everybody',
  lift: 'Lift',
  terrace: 'Terrace',
  balcony: 'Balcony',
  parking: 'Parking space',
  pool: 'Swimming pool',
  garden: 'Garden',
  air_conditioning: 'Air conditioning',
  storage_room: 'Storage room',
  fitted_wardrobes: 'Fitted wardrobes',
  concierge: 'Doorman',
  exterior: 'Facing the street',
  interior: 'Facing a courtyard',
  top_floor: 'Top floor',
}

/** One of several values; each has a title in the schema. */
function oneOfFilter<const Value extends string>(values: readonly Value[], options: TSchemaOptions = {}) {
  const literals = values.map(value => Type.Literal(value, { title: filterTitles[value] ?? value }))
  return Type.Unsafe<Value>(Type.Union(literals, options))
}

/**
 * The filters that portals share. A definition uses those that its portal can apply. Filters whose values differ
 * between portals are functions of those values; `location` has the portal's own id of a place.
 */
export const sharedFilters = {
  operation: <const Value extends Operation>(values: readonly Value[]) =>
    oneOfFilter(values, { title: 'Operation', description: 'To buy or to rent.', examples: [values[0]] }),
  location: (example: { id: string; label: string }) =>
    Type.Object(
      {
        id: Type.String({
          title: 'Id',
          description: 'As given by the locations of this platform.',
          minLength: 1,
          maxLength: 100,
          pattern: '^[A-Za-z0-9][A-Za-z0-9_-]*$',
          examples: [example.id],
        }),
        label: Type.String({
          title: 'Name',
          description: 'The name that people see; it does not affect the search.',
          maxLength: 200,
          examples: [example.label],
        }),
      },
      {
        additionalProperties: false,
        title: 'Location',
        description: 'Where to search: one of the locations of this platform.',
        examples: [example],
      },
    ),
  propertyType: <const Value extends PropertyType>(values: readonly Value[]) =>
    Type.Optional(
      oneOfFilter(values, {
        title: 'Property type',
        description: 'What kind of property.',
        default: values[0],
        examples: [values[0]],
      }),
    ),
  minPrice: boundFilter('Lowest price', "In the portal's currency; per month for rents.", 100_000),
  maxPrice: boundFilter('Highest price', "In the portal's currency; per month for rents.", 400_000),
  minRooms: countFilter('Fewest rooms', 'As the portal counts rooms; 0 includes studios.', 2),
  maxRooms: countFilter('Most rooms', 'As the portal counts rooms.', 4),
  minBathrooms: countFilter('Fewest bathrooms', 'At least this many bathrooms.', 1),
  minSquareMeters: boundFilter('Smallest area', 'Built area in square metres.', 60),
  maxSquareMeters: boundFilter('Largest area', 'Built area in square metres.', 120),
  condition: Type.Optional(
    oneOfFilter(propertyConditions, {
      title: 'Condition',
      description: 'State of the property.',
      examples: ['good'],
    }),
  ),
  features: <const Value extends Feature>(values: readonly Value[]) =>
    Type.Optional(
      Type.Array(oneOfFilter(values), {
        title: 'Features',
        description: 'Features that the listing must state, all of them.',
        uniqueItems: true,
        maxItems: values.length,
        examples: [values.slice(0, 2)],
      }),
    ),
  advertiserType: Type.Optional(
    oneOfFilter(['private', 'agency', 'any'], {
      title: 'Advertiser',
      description: 'Who advertises.',
      default: 'any',
      examples: ['private'],
    }),
  ),
  publishedWithinDays: Type.Optional(
    Type.Integer({
      title: 'Published within',
      description: 'Maximum days since the listing was published.',
      minimum: 1,
      maximum: 365,
      examples: [7],
    }),
  ),
}

function boundFilter(title: string, description: string, example: number) {
  return Type.Optional(Type.Number({ title, description, minimum: 0, maximum: 1e9, examples: [example] }))
}

function countFilter(title: string, description: string, example: number) {
  return Type.Optional(Type.Integer({ title, description, minimum: 0, maximum: 50, examples: [example] }))
}
