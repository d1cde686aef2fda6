/** The fields of a lead that a column of an imported table may have. */

export const leadFields = [
  'aldabaId',
  'contact.name',
  'contact.firstName',
  'contact.lastName',
  'contact.phone',
  'contact.email',
  'contact.identifiers',
  'contact.advertiserType',
  'property.operation',
  'property.propertyType',
  'property.title',
  'property.description',
  'property.price',
  'property.salePrice',
  'property.rentPrice',
  'property.currency',
  'property.squareMeters',
  'property.rooms',
  'property.bedrooms',
  'property.bathrooms',
  'property.floor',
  'property.floorText',
  'property.condition',
  'property.features',
  'property.address',
  'property.streetNumber',
  'property.municipality',
  'property.province',
  'property.postcode',
  'property.latitude',
  'property.longitude',
  'property.images',
  'property.url',
  'property.publishedAt',
  'status',
  'tags',
  'note',
  'externalId',
  'customFields',
  'lawfulBasis.kind',
  'lawfulBasis.at',
  'lawfulBasis.proof',
  'lawfulBasis.channels',
  'lawfulBasis.expiresAt',
] as const

export type NamedLeadField = (typeof leadFields)[number]
/**
 * First and last names are joined to the name, and the house number to the address. If a row has a sale price and a
 * rent, its operation decides which one is the price. A custom field has any name; `customFields` is a JSON object
 * with several.
 */
export type LeadField = NamedLeadField | `customFields.${string}`

/** The field of each column by its heading; null: the column is skipped. */
export type Mapping = Record<string, LeadField | null>

const namedFields: ReadonlySet<string> = new Set(leadFields)
const customFieldPrefix = 'customFields.'

/** Returns true if the text is the name of a field. */
export function isLeadField(text: string): text is LeadField {
  return namedFields.has(text) || getCustomFieldName(text) !== null
}

/** Returns `colour` for `customFields.colour`; null if it is not a custom field. */
export function getCustomFieldName(field: string): string | null {
  return field.startsWith(customFieldPrefix) && field.length > customFieldPrefix.length
    ? field.slice(customFieldPrefix.length)
    : null
}
