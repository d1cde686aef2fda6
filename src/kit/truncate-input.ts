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
type Truncate = (value: unknown) => void

/** Compiles a schema into a function that cuts values. */
export function compileTruncation(schema: TSchema): Truncate {
  return compileNode(schema) ?? (() => {})
}

/** Returns null if the schema has no limits. */
function compileNode(schema: Keywords): Truncate | null {
  const choices = schema.anyOf?.flatMap(choice => compileNode(choice) ?? []) ?? []
  const list = compileList(schema)
  const record = compileRecord(schema)
  if (choices.length === 0 && !list && !record) return null
  return value => {
    for (const choice of choices) choice(value)
    if (Array.isArray(value)) list?.(value)
    else if (typeof value === 'object' && value !== null) record?.(value as Record<string, unknown>)
  }
}

function compileList({ maxItems = Infinity, items }: Keywords): ((list: unknown[]) => void) | null {
  const item = items ? compileNode(items) : null
  if (maxItems === Infinity && !item) return null
  return list => {
    if (list.length > maxItems + 1) list.length = maxItems + 1
    if (item) for (const each of list) item(each)
  }
}

function compileRecord({
  maxProperties = Infinity,
  properties = {},
  patternProperties = {},
}: Keywords): ((record: Record<string, unknown>) => void) | null {
  const named = Object.entries(properties).flatMap(([name, schema]): [string, Truncate][] => {
    const truncate = compileNode(schema)
    return truncate ? [[name, truncate]] : []
  })
  const others = Object.values(patternProperties).flatMap(schema => compileNode(schema) ?? [])
  if (maxProperties === Infinity && named.length === 0 && others.length === 0) return null
  return record => {
    if (maxProperties < Infinity)
      for (const name of Object.keys(record).slice(maxProperties + 1)) delete record[name]
    for (const [name, truncate] of named) if (Object.hasOwn(record, name)) truncate(record[name])
    for (const truncate of others) for (const value of Object.values(record)) truncate(value)
  }
}
