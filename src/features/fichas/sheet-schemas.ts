/** The API schemas of the content of a sheet: property, privacy, energy, agent, photos. */
import { propertyFeatures } from '../../domain/listing/features.ts'
import { floorLimits } from '../../domain/listing/floor.ts'
import { listingOperations, listingPropertyTypes, propertyConditions } from '../../domain/listing/listing.ts'
import { energyRatings, pricePeriods, propertySubtypes } from '../../domain/listing/reader/page-listing.ts'
import { nullable, oneOf, type Static, strictObject, type TSchema, Type } from '../../kit/schema.ts'

export const addressPrivacies = ['full', 'street', 'hidden'] as const
export const coordinatePrivacies = ['exact', 'approximate', 'hidden'] as const

/** The largest number of photos of a sheet. */
export const photosMax = 40
export const titleLengthMax = 300
export const descriptionLengthMax = 20_000
export const textLengthMax = 300

const text = (description: string) => Type.String({ maxLength: textLengthMax, description })
const count = (description: string) => Type.Integer({ minimum: 0, maximum: 1000, description })
const area = (description: string) => Type.Number({ minimum: 0, maximum: 1e9, description })

const valueFields = {
  title: Type.String({ maxLength: titleLengthMax, description: 'The title of the sheet.' }),
  description: Type.String({
    maxLength: descriptionLengthMax,
    description:
      'The text of the sheet. Phone numbers, e-mail addresses and URLs of the listing are left out.',
  }),
  operation: oneOf(listingOperations, { description: 'For sale or for rent.' }),
  propertyType: oneOf(listingPropertyTypes, { description: 'The type of property.' }),
  subtype: oneOf(propertySubtypes, { description: 'The kind of property in more detail.' }),
  price: Type.Number({ minimum: 0, maximum: 1e12, description: 'In major units of `currency`.' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' }),
  pricePeriod: oneOf(pricePeriods, { description: 'For a rent; null: for a sale.' }),
  squareMeters: area('The built area in m².'),
  usableSquareMeters: area('The usable area in m².'),
  plotSquareMeters: area('The area of the land in m².'),
  rooms: count('The number of rooms.'),
  bedrooms: count('The number of bedrooms.'),
  bathrooms: count('The number of bathrooms.'),
  floor: Type.Number({
    minimum: floorLimits.min,
    maximum: floorLimits.max,
    multipleOf: 0.5,
    description: 'The floor. 0: the ground floor; -1: the basement; 0.5: a mezzanine.',
  }),
  floorText: text('The floor as the listing states it.'),
  yearBuilt: Type.Integer({ minimum: 1000, maximum: 2200, description: 'The year it was built.' }),
  condition: oneOf(propertyConditions, { description: 'The condition of the property.' }),
  address: text('The street and number.'),
  neighbourhood: text('The neighbourhood.'),
  municipality: text('The municipality.'),
  province: text('The province.'),
  postcode: Type.String({ maxLength: 20, description: 'The postcode.' }),
  country: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2.' }),
  latitude: Type.Number({ minimum: -90, maximum: 90, description: 'Degrees, WGS 84.' }),
  longitude: Type.Number({ minimum: -180, maximum: 180, description: 'Degrees, WGS 84.' }),
  reference: text("The advertiser's reference of the listing."),
}
const features = Type.Array(oneOf(propertyFeatures), {
  maxItems: propertyFeatures.length,
  uniqueItems: true,
  description: 'The features of the property.',
})

type ValueFields = typeof valueFields
const mapFields = <R extends { [K in keyof ValueFields]: TSchema }>(convert: (schema: TSchema) => TSchema) =>
  Object.fromEntries(Object.entries(valueFields).map(([name, schema]) => [name, convert(schema)])) as R

type Nullable = { [K in keyof ValueFields]: ReturnType<typeof nullable<ValueFields[K]>> }
type Optional = { [K in keyof Nullable]: ReturnType<typeof Type.Optional<Nullable[K]>> }

export const FichaProperty = strictObject(
  { ...mapFields<Nullable>(nullable), features },
  { title: 'FichaProperty', description: 'The property. null: the listing does not say it.' },
)
export type FichaProperty = Static<typeof FichaProperty>

export const FichaPropertyChanges = strictObject(
  {
    ...mapFields<Optional>(schema => Type.Optional(nullable(schema))),
    features: Type.Optional(features),
  },
  { title: 'FichaPropertyChanges', description: 'Omitted fields keep their value; null removes it.' },
)

const address = oneOf(addressPrivacies, {
  description:
    '`full`: street and number; `street`: without the number; `hidden`: no street and no postcode.',
})
const coordinates = oneOf(coordinatePrivacies, {
  description: '`exact`: the point; `approximate`: an area around it; `hidden`: no map.',
})
export const Privacy = strictObject(
  { address, coordinates },
  { title: 'FichaPrivacy', description: 'How much of the place the sheet shows.' },
)
export type Privacy = Static<typeof Privacy>
export const PrivacyChanges = strictObject(
  { address: Type.Optional(address), coordinates: Type.Optional(coordinates) },
  { title: 'FichaPrivacyChanges', description: 'Omitted fields keep their value.' },
)

const energyFields = {
  rating: nullable(
    oneOf(energyRatings, {
      description: 'The energy rating; `in_progress`: applied for; `exempt`: none is required.',
    }),
  ),
  emissions: nullable(oneOf(energyRatings, { description: 'The rating of the emissions.' })),
  consumptionKwhM2: nullable(
    Type.Number({
      minimum: -10_000,
      maximum: 10_000,
      description: 'The consumption in kWh per m² and year.',
    }),
  ),
  emissionsKgM2: nullable(
    Type.Number({
      minimum: -10_000,
      maximum: 10_000,
      description: 'The emissions in kg of CO2 per m² and year.',
    }),
  ),
}
export const Energy = strictObject(energyFields, {
  title: 'FichaEnergy',
  description: 'The energy certificate.',
})
export const EnergyChanges = strictObject(
  {
    rating: Type.Optional(energyFields.rating),
    emissions: Type.Optional(energyFields.emissions),
    consumptionKwhM2: Type.Optional(energyFields.consumptionKwhM2),
    emissionsKgM2: Type.Optional(energyFields.emissionsKgM2),
  },
  { title: 'FichaEnergyChanges', description: 'Omitted fields keep their value; null removes it.' },
)
export type EnergyChanges = Static<typeof EnergyChanges>

const agentFields = {
  name: Type.String({ minLength: 1, maxLength: 200, description: 'The name of the agent.' }),
  phone: Type.String({ maxLength: 50, description: 'The phone number, as printed.' }),
  email: Type.String({
    maxLength: 254,
    pattern: '^[^\\s@]{1,64}@[^\\s@]{1,190}$',
    description: 'The e-mail address, as printed.',
  }),
  licence: Type.String({ maxLength: 100, description: 'The licence number, such as `AICAT 1234`.' }),
}
export const Agent = strictObject(
  {
    name: agentFields.name,
    phone: nullable(agentFields.phone),
    email: nullable(agentFields.email),
    licence: nullable(agentFields.licence),
    hasPhoto: Type.Boolean({ description: 'The sheet has a photo of the agent.' }),
  },
  { title: 'FichaAgent', description: 'The agent on the sheet.' },
)
/** 600 kB in base64 plus the prefix; a body may have 1 MB. */
const agentPhotoLengthMax = 800_100
export const NewAgent = strictObject(
  {
    name: agentFields.name,
    phone: Type.Optional(nullable(agentFields.phone)),
    email: Type.Optional(nullable(agentFields.email)),
    licence: Type.Optional(nullable(agentFields.licence)),
    photo: Type.Optional(
      nullable(
        Type.String({
          maxLength: agentPhotoLengthMax,
          pattern: '^data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/]+=*$',
          description:
            'A photo as a base64 data: URL, up to 600 kB. If omitted, the present photo stays; null removes it.',
        }),
      ),
    ),
  },
  { title: 'NewFichaAgent', description: 'The agent on the sheet. It replaces the present one.' },
)
export type NewAgent = Static<typeof NewAgent>

const photoNumber = Type.Integer({
  minimum: 1,
  maximum: photosMax,
  description: 'The position of the photo in the listing, from 1.',
})
const alt = nullable(
  Type.String({
    maxLength: textLengthMax,
    description: 'What the photo shows, for people who do not see it.',
  }),
)
export const FichaPhoto = strictObject(
  {
    number: photoNumber,
    alt,
    isIncluded: Type.Boolean({ description: 'The sheet shows it.' }),
    widthPx: Type.Integer({ description: 'The width of the largest size.' }),
    heightPx: Type.Integer({ description: 'The height of the largest size.' }),
    sourceUrl: Type.String({ description: 'Where it was copied from.' }),
  },
  { title: 'FichaPhoto', description: 'A photo that was copied from the listing.' },
)
export const PhotoChoice = strictObject(
  { number: photoNumber, alt: Type.Optional(alt) },
  { title: 'FichaPhotoChoice', description: 'A photo to show. If `alt` is omitted, it stays.' },
)
