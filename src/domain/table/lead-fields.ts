/** What a column of an imported table may be: the fields of a lead that a file can bring. */

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
 * First and last names are joined into the name, the number of a house into the address, and of a price to buy and one to rent
 * that of the row's operation is the price; a custom field has any name, and `customFields` are many as a JSON object.
 */
export type LeadField = NamedLeadField | `customFields.${string}`

/** What each column is, by its heading; null: it is passed over. */
export type Mapping = Record<string, LeadField | null>

const namedFields: ReadonlySet<string> = new Set(leadFields)
const customFieldPrefix = 'customFields.'

/** Whether a word names a field. */
export function isLeadField(text: string): text is LeadField {
  return namedFields.has(text) || getCustomFieldName(text) !== null
}

/** `colour` of `customFields.colour`; null if the field is no custom field. */
export function getCustomFieldName(field: string): string | null {
  return field.startsWith(customFieldPrefix) && field.length > customFieldPrefix.length
    ? field.slice(customFieldPrefix.length)
    : null
}
