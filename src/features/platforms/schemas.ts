/** The API schemas of portals, their filters and their locations. */
import { listingOperations, listingPropertyTypes } from '../../domain/listing/listing.ts'
import { pageQuery } from '../../kit/page.ts'
import { nullable, oneOf, type Static, strictObject, Type } from '../../kit/schema.ts'

export const Platform = strictObject(
  {
    id: Type.String({ description: 'The id of the portal, as `platform` in paths and bodies.' }),
    name: Type.String({ description: 'The name of the portal, for people.' }),
    country: Type.String({ description: 'The country of the portal, ISO 3166-1 alpha-2.' }),
    language: Type.String({ description: 'The language of its listings, BCP 47.' }),
    capabilities: strictObject(
      {
        extract: Type.Boolean({ description: '`POST /extractions` can read it.' }),
        validate: Type.Boolean({ description: 'Its filters can be validated before an extraction.' }),
        campaign: Type.Boolean({ description: 'Campaigns can read it.' }),
        ficha: Type.Boolean({ description: 'Property sheets can be made from its listings.' }),
      },
      { description: 'What Aldaba can do with the portal.' },
    ),
    operations: Type.Array(oneOf(listingOperations), {
      description: 'The operations that the portal lists.',
    }),
    propertyTypes: Type.Array(oneOf(listingPropertyTypes), {
      description: 'The types of property that the portal lists.',
    }),
    filterKeys: Type.Array(Type.String(), { description: 'The filters that the portal supports.' }),
    status: oneOf(['available', 'degraded', 'unconfigured'], {
      description:
        "`available`: it can be read; `degraded`: the last run failed within the hour, or the portal has throttled us and is read slowly; `unconfigured`: its address or its credentials are missing in the key's environment.",
    }),
  },
  { title: 'Platform' },
)
export type Platform = Static<typeof Platform>

const filterTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const

const FilterField = strictObject(
  {
    key: Type.String({ description: 'The name of the field in `filters`.' }),
    label: Type.String({ description: 'The name of the filter, for people.' }),
    type: oneOf(filterTypes, { description: 'The JSON type of the value.' }),
    required: Type.Boolean({ description: 'The filter must be sent.' }),
    description: nullable(
      Type.String({ description: 'What the filter does, for people; null: see `label`.' }),
    ),
    default: Type.Unsafe<unknown>({
      type: ['string', 'number', 'boolean', 'array', 'object', 'null'],
      description: 'The value of an omitted filter; null: it does not narrow the search.',
    }),
    examples: Type.Array(Type.Unknown(), { description: 'Values that the filter accepts.' }),
    options: nullable(
      Type.Array(
        strictObject({
          value: Type.Union([Type.String(), Type.Number()], { description: 'The value to send.' }),
          label: Type.String({ description: 'The name of the value, for people.' }),
        }),
        {
          description: 'The allowed values; for an array, those of each item; null: any value of the type.',
        },
      ),
    ),
    minimum: nullable(Type.Number({ description: 'The lowest number allowed; null: no limit.' })),
    maximum: nullable(Type.Number({ description: 'The highest number allowed; null: no limit.' })),
    maxItems: nullable(
      Type.Integer({ description: 'The most items that an array may have; null: no limit.' }),
    ),
    maxLength: nullable(
      Type.Integer({ description: 'The most characters that a string may have; null: no limit.' }),
    ),
  },
  { title: 'FilterField' },
)
export type FilterField = Static<typeof FilterField>

export const PlatformFilters = strictObject(
  {
    platform: Type.String({ description: 'The portal.' }),
    version: Type.String({
      description: 'The version of the schema; it changes with every change of the schema.',
    }),
    required: Type.Array(Type.String(), { description: 'The filters that must be sent.' }),
    schema: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The schema that filters are validated with, JSON Schema 2020-12.',
    }),
    filters: Type.Array(FilterField, { description: 'The same filters as a list, for building a form.' }),
  },
  { title: 'PlatformFilters' },
)
export type PlatformFilters = Static<typeof PlatformFilters>

export const Location = strictObject(
  {
    id: Type.String({
      description: "The portal's own id of the location: send it as `filters.location.id`.",
    }),
    label: Type.String({ description: 'The name of the location: send it as `filters.location.label`.' }),
    type: oneOf(['country', 'region', 'province', 'municipality'], {
      description: 'The kind of location.',
    }),
    parentId: nullable(
      Type.String({ description: 'The smallest location of the portal that contains it; null: none does.' }),
    ),
    latitude: Type.Number({ description: 'The latitude in degrees, WGS 84.' }),
    longitude: Type.Number({ description: 'The longitude in degrees, WGS 84.' }),
  },
  { title: 'Location' },
)
export type Location = Static<typeof Location>

export const LocationSearch = strictObject({
  q: Type.String({
    default: '',
    maxLength: 100,
    description:
      'The text typed so far; accents and small typing errors do not matter. If it is omitted, the first locations are returned.',
  }),
  parentId: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only locations inside this location of the portal.' }),
  ),
  ...pageQuery,
})

const finding = strictObject({
  path: Type.String({ description: 'A JSON pointer into the filters; empty: the filters as a whole.' }),
  code: Type.String({ description: 'The kind of finding. Stable, for programs.' }),
  message: Type.String({ description: 'What was found and what to do, for people.' }),
})

export const FilterValidation = strictObject(
  {
    valid: Type.Boolean({ description: 'An extraction with these filters would be accepted.' }),
    errors: Type.Array(finding, { description: 'Everything that makes the filters invalid.' }),
    warnings: Type.Array(finding, {
      description: 'What is allowed but probably a mistake, and why the count is unknown.',
    }),
    normalizedFilters: nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The filters with defaults filled in; null: they are invalid.',
      }),
    ),
    searchUrl: nullable(
      Type.String({
        description:
          'The first page of the search; null: the filters are invalid or the portal is unconfigured.',
      }),
    ),
    expectedResults: nullable(
      Type.Integer({
        minimum: 0,
        description:
          'The number of listings that the portal reports now; null: unknown, and `warnings` says why.',
      }),
    ),
  },
  { title: 'FilterValidation' },
)
export type FilterValidation = Static<typeof FilterValidation>

const barcelona = { id: 'barcelona', label: 'Barcelona, Barcelona' }

export const platformExample: Platform = {
  id: 'portal_a',
  name: 'Portal A',
  country: 'ES',
  language: 'es',
  capabilities: { extract: true, validate: true, campaign: true, ficha: true },
  operations: ['sale', 'rent'],
  propertyTypes: ['homes', 'offices', 'premises', 'garages'],
  filterKeys: ['operation', 'location', 'propertyType', 'minPrice', 'maxPrice'],
  status: 'available',
}

const noLimits = { minimum: null, maximum: null, maxItems: null, maxLength: null }

export const platformFiltersExample: PlatformFilters = {
  platform: 'portal_a',
  version: '4b0c6f0f2a9e',
  required: ['operation'],
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Filters of Portal A',
    type: 'object',
    additionalProperties: false,
    required: ['operation'],
    properties: {
      operation: {
        title: 'Operation',
        description: 'To buy or to rent.',
        anyOf: [
          { type: 'string', const: 'sale', title: 'For sale' },
          { type: 'string', const: 'rent', title: 'To rent' },
        ],
        examples: ['sale'],
      },
      minPrice: { type: 'number', title: 'Lowest price', minimum: 0, maximum: 1e9, examples: [100_000] },
    },
  },
  filters: [
    {
      key: 'operation',
      label: 'Operation',
      type: 'string',
      required: true,
      description: 'To buy or to rent.',
      default: null,
      examples: ['sale'],
      ...noLimits,
      options: [
        { value: 'sale', label: 'For sale' },
        { value: 'rent', label: 'To rent' },
      ],
    },
    {
      key: 'minPrice',
      label: 'Lowest price',
      type: 'number',
      required: false,
      description: null,
      default: null,
      examples: [100_000],
      options: null,
      ...noLimits,
      minimum: 0,
      maximum: 1e9,
    },
  ],
}

export const locationExample: Location = {
  ...barcelona,
  type: 'municipality',
  parentId: 'barcelona-provincia',
  latitude: 41.3888,
  longitude: 2.159,
}

export const filtersExample = { operation: 'sale', location: barcelona, maxPrice: 400_000 }

export const filterValidationExample: FilterValidation = {
  valid: true,
  errors: [],
  warnings: [],
  normalizedFilters: { ...filtersExample, propertyType: 'homes', advertiserType: 'any' },
  searchUrl: 'https://portal-a.example/venta/viviendas/barcelona/?maxPrice=400000',
  expectedResults: 1243,
}
