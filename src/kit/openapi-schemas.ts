/** Converts validation schemas to schemas for the OpenAPI document. */
import { isDeepStrictEqual } from 'node:util'
import type { TSchema } from './schema.ts'

export type Json = Record<string, unknown>

/** The use of a schema: in a request body (`sent`), in a reply (`received`), or as a `parameter`. */
type Use = 'sent' | 'received' | 'parameter'

/** Collects schemas with a title as components, which the document defines once and refers to. */
export class Components {
  readonly schemas: Record<string, Json> = {}
  /** By use: schemas that are part of many others are converted once. */
  readonly #converted = { sent: new WeakMap(), received: new WeakMap(), parameter: new WeakMap() }

  /**
   * Returns the schema for the document, or a reference to it if it has a title. Throws if two schemas with this title
   * differ. A schema with defaults differs between uses, so give each use its own title.
   */
  ref(schema: TSchema, use: Use): Json {
    return this.#convert(schema, use) as Json
  }

  #convert(node: unknown, use: Use): unknown {
    if (Array.isArray(node)) return node.map(item => this.#convert(item, use))
    if (typeof node !== 'object' || node === null) return node
    const known = this.#converted[use].get(node)
    if (known) return known
    const converted = this.#convertSchema(node as Json, use)
    this.#converted[use].set(node, converted)
    return converted
  }

  #convertSchema(node: Json, use: Use): Json {
    const { title } = node
    const entries = Object.entries(omitInternal(node))
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, isLiteralKeyword(key) ? value : this.#convert(value, use)])
    const converted = withDefaults(mergeNullable(Object.fromEntries(entries)), use)
    if (typeof title !== 'string' || !/^[A-Z][A-Za-z]+$/.test(title) || !('type' in converted))
      return converted
    this.schemas[title] ??= converted
    if (!isDeepStrictEqual(this.schemas[title], converted))
      throw new Error(`Two schemas of OpenAPI have the title ${title}.`)
    return { $ref: `#/components/schemas/${title}` }
  }
}

const isLiteralKeyword = (key: string) =>
  key === 'default' || key === 'example' || key === 'examples' || key === 'enum' || key === 'const'

const internalKeywords = new Set(['commaSeparated', 'ranges', 'exactlyOneOf'])

/** Removes keywords that are only for validation. */
function omitInternal(schema: Json): Json {
  // A map of properties may have properties with these names.
  const isInternal = (key: string) =>
    (key === 'refusals' && Array.isArray(schema.enum)) ||
    (internalKeywords.has(key) && Array.isArray(schema[key]))
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !isInternal(key)))
}

/**
 * Makes fields with a default optional in requests and required in replies. In bodies, the description states the
 * default, because client generators treat fields with the keyword `default` as required.
 */
function withDefaults(schema: Json, use: Use): Json {
  if (schema.type !== 'object' || !schema.properties) return schema
  const properties = schema.properties as Record<string, Json>
  const isDefaulted = (name: string) => 'default' in (properties[name] ?? {})
  const all = (schema.required ?? []) as string[]
  const required = use === 'received' ? all : all.filter(name => !isDefaulted(name))
  const { required: _required, ...rest } = schema
  const described = Object.entries(properties).map(([name, property]) => [
    name,
    describeDefault(property, use),
  ])
  return {
    ...rest,
    properties: Object.fromEntries(described),
    ...(required.length > 0 ? { required } : {}),
  }
}

function describeDefault(property: Json, use: Use): Json {
  if (use === 'parameter' || !('default' in property)) return property
  const { default: value, ...rest } = property
  if (use === 'received') return rest
  const words = `Default: \`${JSON.stringify(value)}\`.`
  return { ...rest, description: [rest.description, words].filter(Boolean).join(' ') }
}

/**
 * Simplifies `anyOf: [string, null]` to `type: [string, null]`; other schemas keep `anyOf`, with the description beside
 * it.
 */
function mergeNullable(schema: Json): Json {
  const options = schema.anyOf
  if (!Array.isArray(options) || options.length !== 2) return schema
  const [value, nothing] = options as [Json, Json]
  if (nothing?.type !== 'null') return schema
  const { anyOf: _anyOf, ...rest } = schema
  if (typeof value?.type === 'string' && !('enum' in value))
    return { ...value, ...rest, type: [value.type, 'null'] }
  const { description, ...plain } = value
  return description === undefined ? schema : { description, ...rest, anyOf: [plain, nothing] }
}
