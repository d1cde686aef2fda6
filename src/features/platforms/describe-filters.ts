/** A portal's filters for those who build a form of them, read off the very schema that validates. */
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

/** The schema, and each of its keys as a field. `version` is another as soon as anything of the schema is. */
export function describeFilters({ id, name, filters }: PortalDefinition): PlatformFilters {
  const required = filters.required ?? []
  const version = createHash('sha256').update(JSON.stringify(filters)).digest('hex').slice(0, 12)
  const Schema = 'https://json-schema.org/draft/2020-12/schema'
  return {
    platform: id,
    version,
    required,
    schema: { $schema: Schema, title: `Filters of ${name}`, ...filters },
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

/** The values to choose from; null if any may be given. */
function toOptions(schema: Keywords): FilterField['options'] {
  const choices = schema.anyOf ?? schema.enum?.map((value): Keywords => ({ const: value }))
  return (
    choices?.map(choice => ({ value: choice.const!, label: choice.title ?? String(choice.const) })) ?? null
  )
}
