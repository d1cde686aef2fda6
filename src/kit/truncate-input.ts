/** Cuts lists and records that are longer than their schema allows, so that refusing them costs no more than their bound. */
import type { TSchema } from 'typebox'

/** The keywords of JSON Schema that hold schemas of parts, or say how many parts there may be. */
interface Keywords {
  maxItems?: number
  items?: Keywords
  maxProperties?: number
  properties?: Record<string, Keywords>
  patternProperties?: Record<string, Keywords>
  anyOf?: Keywords[]
}

/** Changes a value that is refused already; it stays too long by one. */
export type Clip = (value: unknown) => void

/** Compiles a schema into what cuts values for it. */
export function compileClip(schema: TSchema): Clip {
  return compileNode(schema) ?? (() => {})
}

/** Null: nothing in the schema is bounded. */
function compileNode(schema: Keywords): Clip | null {
  const choices = schema.anyOf?.flatMap(choice => compileNode(choice) ?? []) ?? []
  const list = listClip(schema)
  const record = recordClip(schema)
  if (choices.length === 0 && !list && !record) return null
  return value => {
    for (const choice of choices) choice(value)
    if (Array.isArray(value)) list?.(value)
    else if (typeof value === 'object' && value !== null) record?.(value as Record<string, unknown>)
  }
}

function listClip({ maxItems = Infinity, items }: Keywords): ((list: unknown[]) => void) | null {
  const item = items ? compileNode(items) : null
  if (maxItems === Infinity && !item) return null
  return list => {
    if (list.length > maxItems + 1) list.length = maxItems + 1
    if (item) for (const each of list) item(each)
  }
}

function recordClip({
  maxProperties = Infinity,
  properties = {},
  patternProperties = {},
}: Keywords): ((record: Record<string, unknown>) => void) | null {
  const named = Object.entries(properties).flatMap(([name, schema]): [string, Clip][] => {
    const clip = compileNode(schema)
    return clip ? [[name, clip]] : []
  })
  const others = Object.values(patternProperties).flatMap(schema => compileNode(schema) ?? [])
  if (maxProperties === Infinity && named.length === 0 && others.length === 0) return null
  return record => {
    if (maxProperties < Infinity)
      for (const name of Object.keys(record).slice(maxProperties + 1)) delete record[name]
    for (const [name, clip] of named) if (Object.hasOwn(record, name)) clip(record[name])
    for (const clip of others) for (const value of Object.values(record)) clip(value)
  }
}
