/** Describes a portal's filters as fields of a form, derived from the JSON Schema that validates them. */
import { createHash } from 'node:crypto'
import type { TSchema } from '../../kit/schema.ts'
import type { PortalDefinition } from '../../plugins/portal.ts'
import type { FilterField, PlatformFilters } from './schemas.ts'

/** The keywords of JSON Schema that definitions use. */
interface Keywords {
  type?: FilterField['type']
  const?: Choice
  enum?: Choice[]
  anyOf?: Keywords[]
  items?: Keywords
  title?: string
  description?: string
  default?: unknown
  examples?: unknown[]
  minimum?: number
  maximum?: number
  maxItems?: number
  maxLength?: number
}

type Choice = string | number

/** Returns the schema and one field per filter. `version` is a hash of the schema. */
export function describeFilters({ id, name, filters }: PortalDefinition): PlatformFilters {
  const required = filters.required ?? []
  const version = createHash('sha256').update(JSON.stringify(filters)).digest('hex').slice(0, 12)
  const dialect = 'https://json-schema.org/draft/2020-12/schema'
  return {
    platform: id,
    version,
    required,
    schema: { $schema: dialect, title: `Filters of ${name}`, ...filters },
    filters: Object.entries(filters.properties).map(([key, schema]) =>
      describeFilter(key, schema, required.includes(key)),
    ),
  }
}

function describeFilter(key: string, schema: TSchema, required: boolean): FilterField {
  const keywords = schema as Keywords
  const { title = key, description = null, examples = [], items } = keywords
  return {
    key,
    label: title,
    type: keywords.type ?? keywords.anyOf?.[0]?.type ?? 'string',
    required,
    description,
    default: keywords.default ?? null,
    examples,
    options: toOptions(items ?? keywords),
    minimum: keywords.minimum ?? null,
    maximum: keywords.maximum ?? null,
    maxItems: keywords.maxItems ?? null,
    maxLength: keywords.maxLength ?? null,
  }
}

/** The allowed values; null: any value of the type. */
function toOptions(schema: Keywords): FilterField['options'] {
  const choices = schema.anyOf ?? schema.enum?.map((value): Keywords => ({ const: value }))
  return (
    choices?.map(choice => ({ value: choice.const!, label: choice.title ?? String(choice.const) })) ?? null
  )
}
