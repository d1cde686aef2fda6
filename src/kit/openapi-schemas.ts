/** From the schemas that validate to those that people read in the OpenAPI document. */
import type { TSchema } from './schema.ts'

export type Json = Record<string, unknown>

/** Schemas with a title are components, told once and referred to. */
export class Components {
  readonly schemas: Json = {}

  ref(schema: TSchema): unknown {
    return this.#walk(JSON.parse(JSON.stringify(schema)))
  }

  inline(schema: TSchema): Json {
    return this.ref(schema) as Json
  }

  #walk(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(item => this.#walk(item))
    if (typeof node !== 'object' || node === null) return node
    const { title } = node as { title?: unknown }
    const entries = Object.entries(told(node as Json)).map(([key, value]) => [
      key,
      isData(key) ? value : this.#walk(value),
    ])
    const walked = withoutDefaulted(mergeNullable(Object.fromEntries(entries)))
    if (typeof title !== 'string' || !/^[A-Z][A-Za-z]+$/.test(title) || !('type' in walked)) return walked
    this.schemas[title] ??= walked
    return { $ref: `#/components/schemas/${title}` }
  }
}

const isData = (key: string) =>
  key === 'default' || key === 'example' || key === 'examples' || key === 'enum' || key === 'const'

/** Without what is for the validation alone. */
function told(schema: Json): Json {
  if (!Array.isArray(schema.enum)) return schema
  const { refusals: _refusals, ...rest } = schema
  return rest
}

/** A field with a default need not be sent, whatever the library that made the schema says. */
function withoutDefaulted(schema: Json): Json {
  if (!Array.isArray(schema.required)) return schema
  const properties = (schema.properties ?? {}) as Record<string, Json>
  const required = schema.required.filter((name: string) => !('default' in (properties[name] ?? {})))
  const { required: _required, ...rest } = schema
  return required.length > 0 ? { ...rest, required } : rest
}

/** `anyOf [string, null]` reads better as `type: [string, null]`. */
function mergeNullable(schema: Json): Json {
  const options = schema.anyOf
  if (!Array.isArray(options) || options.length !== 2) return schema
  const [value, nothing] = options as [Json, Json]
  if (nothing?.type !== 'null' || typeof value?.type !== 'string' || 'enum' in value) return schema
  const { anyOf: _anyOf, ...rest } = schema
  return { ...value, ...rest, type: [value.type, 'null'] }
}
