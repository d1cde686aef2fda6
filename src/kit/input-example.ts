/** An example of an input error for the documentation of a route. It names one of the route's own fields. */
import { notAllowed, wrongType } from './input-errors.ts'
import type { InputError } from './problem.ts'
import type { Route } from './route.ts'
import type { TSchema } from './schema.ts'

/** Returns an error that this route can report. If the route has no input, it is an unknown parameter. */
export function inputErrorExample({ body, query, params }: Route): InputError {
  const schemas = [body, query, params] as ({ properties?: Record<string, TSchema> } | undefined)[]
  for (const { properties = {} } of schemas.filter(schema => schema !== undefined)) {
    for (const [name, schema] of Object.entries(properties)) {
      const fault = toExampleFault(schema as unknown as Keywords)
      if (fault) return { path: `/${name}`, ...fault }
    }
  }
  return { path: '/limit', code: 'UNKNOWN_FIELD', message: 'is not a known field; check its spelling' }
}

/** Returns the error for a cursor that was made by another list. */
export function cursorErrorExample({ query }: Route): InputError {
  const name = query?.properties.cursor ? 'cursor' : 'after'
  return {
    path: `/${name}`,
    code: 'INVALID_CURSOR',
    message: 'was not made by this list with these filters',
  }
}

/** The JSON schema keywords that an example can violate. */
interface Keywords {
  type?: string
  enum?: string[]
  minimum?: number
  format?: string
  minItems?: number
  maxLength?: number
  anyOf?: Keywords[]
}

function toExampleFault(schema: Keywords): Omit<InputError, 'path'> | null {
  const { type, enum: allowed, minimum, format, minItems, maxLength, anyOf } = schema
  if (anyOf?.length === 2 && anyOf[1]!.type === 'null') return toExampleFault(anyOf[0]!)
  if (allowed) return { code: 'NOT_ALLOWED', message: notAllowed(allowed, null) }
  if (minimum !== undefined) return { code: 'TOO_SMALL', message: `must be >= ${minimum}` }
  if (format && format !== 'area') return { code: 'WRONG_FORMAT', message: `must match format "${format}"` }
  if (minItems) return { code: 'TOO_FEW', message: `must NOT have fewer than ${minItems} items` }
  if (maxLength) return { code: 'TOO_LONG', message: `must NOT have more than ${maxLength} characters` }
  if (type === 'object' || type === 'boolean' || type === 'integer' || type === 'number')
    return { code: 'WRONG_TYPE', message: wrongType(type) }
  return null
}
