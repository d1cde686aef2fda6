/** Cuts lists and records that exceed the limits of their schema, so that validating them takes bounded time. */
import type { TSchema } from 'typebox'

/** The JSON schema keywords for nested schemas and for limits. */
interface Keywords {
  maxItems?: number
  items?: Keywords
  maxProperties?: number
  properties?: Record<string, Keywords>
  patternProperties?: Record<string, Keywords>
  anyOf?: Keywords[]
}

/** Cuts an invalid value in place. One excess item stays, so that it remains invalid. */
export type Clip = (value: unknown) => void

/** Compiles a schema into a function that cuts values. */
export function compileClip(schema: TSchema): Clip {
  return compileNode(schema) ?? (() => {})
}

/** Returns null if the schema has no limits. */
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
