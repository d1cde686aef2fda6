/** From the schemas that validate to those that people read in the OpenAPI document. */
import { isDeepStrictEqual } from 'node:util'
import type { TSchema } from './schema.ts'

export type Json = Record<string, unknown>

/** Where a schema is used: `sent` by the client in a body, `received` from us, or as a `parameter`. */
type Use = 'sent' | 'received' | 'parameter'

/** Schemas with a title are components: described once and referred to. */
export class Components {
  readonly schemas: Record<string, Json> = {}

  /** Throws if two schemas have one title: each use has a shape of its own. */
  ref(schema: TSchema, use: Use): Json {
    return this.#walk(JSON.parse(JSON.stringify(schema)), use) as Json
  }

  #walk(node: unknown, use: Use): unknown {
    if (Array.isArray(node)) return node.map(item => this.#walk(item, use))
    if (typeof node !== 'object' || node === null) return node
    const { title } = node as { title?: unknown }
    const entries = Object.entries(omitInternal(node as Json)).map(([key, value]) => [
      key,
      isLiteralKeyword(key) ? value : this.#walk(value, use),
    ])
    const walked = withDefaults(mergeNullable(Object.fromEntries(entries)), use)
    if (typeof title !== 'string' || !/^[A-Z][A-Za-z]+$/.test(title) || !('type' in walked)) return walked
    this.schemas[title] ??= walked
    if (!isDeepStrictEqual(this.schemas[title], walked))
      throw new Error(`Two schemas of OpenAPI have the title ${title}.`)
    return { $ref: `#/components/schemas/${title}` }
  }
}

const isLiteralKeyword = (key: string) =>
  key === 'default' || key === 'example' || key === 'examples' || key === 'enum' || key === 'const'

const privateLists = new Set(['commaSeparated', 'ranges', 'exactlyOneOf'])

/** Without what is for the validation alone. */
function omitInternal(schema: Json): Json {
  // An object may have properties of these names.
  const isPrivate = (key: string) =>
    (key === 'refusals' && Array.isArray(schema.enum)) ||
    (privateLists.has(key) && Array.isArray(schema[key]))
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !isPrivate(key)))
}

/**
 * A field with a default need not be sent, and is always received. Generators of clients make whatever has the keyword `default`
 * required, so a body describes it in words instead.
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

/** `anyOf [string, null]` reads better as `type: [string, null]`; a choice that stays one has its description beside it. */
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
