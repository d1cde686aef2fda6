/** What portals, their filters and their locations look like from outside. */
import { OPERATIONS, PROPERTY_TYPES } from '../../domain/listing/listing.ts'
import { pageQuery } from '../../kit/page.ts'
import { closed, nullable, oneOf, type Static, Type } from '../../kit/schema.ts'

export const Platform = closed(
  {
    id: Type.String({ description: 'Names the portal in paths and bodies.' }),
    name: Type.String(),
    country: Type.String({ description: 'ISO 3166-1 alpha-2.' }),
    language: Type.String({ description: 'Of its adverts, BCP 47.' }),
    capabilities: closed({
      extract: Type.Boolean({ description: 'Whether `POST /extractions` reads it.' }),
      validate: Type.Boolean({ description: 'Whether its filters can be checked beforehand.' }),
      campaign: Type.Boolean({ description: 'Whether campaigns read it.' }),
      ficha: Type.Boolean({ description: 'Whether sheets are made of its adverts.' }),
    }),
    operations: Type.Array(oneOf(OPERATIONS)),
    propertyTypes: Type.Array(oneOf(PROPERTY_TYPES)),
    filterKeys: Type.Array(Type.String(), { description: 'The filters that it honours.' }),
    status: oneOf(['available', 'degraded', 'unconfigured'], {
      description:
        "`degraded`: its last run failed within the hour, or it has asked for rest and is read slowly; `unconfigured`: it has no address, or no credentials, in the key's environment.",
    }),
  },
  { title: 'Platform' },
)
export type Platform = Static<typeof Platform>

const filterTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const

const FilterField = closed(
  {
    key: Type.String(),
    label: Type.String({ description: 'For people.' }),
    type: oneOf(filterTypes, { description: 'JSON type of the value.' }),
    required: Type.Boolean(),
    description: nullable(Type.String()),
    default: Type.Unsafe<unknown>({
      type: ['string', 'number', 'boolean', 'array', 'object', 'null'],
      description: 'What holds if it is left out; null: nothing is narrowed.',
    }),
    examples: Type.Array(Type.Unknown()),
    options: nullable(
      Type.Array(closed({ value: Type.Union([Type.String(), Type.Number()]), label: Type.String() }), {
        description: 'The values to choose from, of an array for each of its items; null: any of the type.',
      }),
    ),
    minimum: nullable(Type.Number()),
    maximum: nullable(Type.Number()),
    maxItems: nullable(Type.Integer()),
    maxLength: nullable(Type.Integer()),
  },
  { title: 'FilterField' },
)
export type FilterField = Static<typeof FilterField>

export const PlatformFilters = closed(
  {
    platform: Type.String(),
    version: Type.String({ description: 'Another one as soon as anything of the schema is.' }),
    required: Type.Array(Type.String()),
    schema: Type.Record(Type.String(), Type.Unknown(), {
      description: 'JSON Schema 2020-12, the very one that filters are held against.',
    }),
    filters: Type.Array(FilterField),
  },
  { title: 'PlatformFilters' },
)
export type PlatformFilters = Static<typeof PlatformFilters>

export const Location = closed(
  {
    id: Type.String({ description: "The portal's own: goes into `filters.location.id`." }),
    label: Type.String({ description: 'For people: goes into `filters.location.label`.' }),
    type: oneOf(['country', 'region', 'province', 'municipality']),
    parentId: nullable(Type.String({ description: 'The nearest location around it that the portal has.' })),
    latitude: Type.Number({ description: 'Degrees, WGS 84.' }),
    longitude: Type.Number({ description: 'Degrees, WGS 84.' }),
  },
  { title: 'Location' },
)
export type Location = Static<typeof Location>

export const LocationSearch = closed({
  q: Type.String({
    default: '',
    maxLength: 100,
    description:
      'What was typed so far, accents and small mistakes forgiven. Without it, the first locations there are.',
  }),
  parentId: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only those inside this location of the portal.' }),
  ),
  ...pageQuery,
})

const finding = closed({
  path: Type.String({ description: 'JSON pointer into the filters; empty: all of them together.' }),
  code: Type.String(),
  message: Type.String(),
})

export const FilterValidation = closed(
  {
    valid: Type.Boolean({ description: 'Whether an extraction would be accepted with these filters.' }),
    errors: Type.Array(finding, { description: 'What makes them invalid, all at once.' }),
    warnings: Type.Array(finding, { description: 'What is allowed and hardly meant, or can not be told.' }),
    normalizedFilters: nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'With defaults filled in; null if they are invalid.',
      }),
    ),
    searchUrl: nullable(
      Type.String({
        description:
          'Where the portal is asked first; null if they are invalid or the portal is unconfigured.',
      }),
    ),
    expectedResults: nullable(
      Type.Integer({
        minimum: 0,
        description: "The portal's own count, as of now; null if it tells none: `warnings` say why.",
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
      ...{ key: 'operation', label: 'Operation', type: 'string', required: true },
      ...{ description: 'To buy or to rent.', default: null, examples: ['sale'], ...noLimits },
      options: [
        { value: 'sale', label: 'For sale' },
        { value: 'rent', label: 'To rent' },
      ],
    },
    {
      ...{ key: 'minPrice', label: 'Lowest price', type: 'number', required: false, description: null },
      ...{ default: null, examples: [100_000], options: null, ...noLimits, minimum: 0, maximum: 1e9 },
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
