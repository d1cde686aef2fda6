/** Limits the depth and width of untrusted JSON, because later code visits it recursively, and field by field. */

import { sanitizeJsonEscapes } from './sanitize-text.ts'

/** The largest number of nested objects and arrays. */
export const jsonDepthMax = 64

export const jsonTooDeep = `JSON may be nested ${jsonDepthMax} levels deep at most.`

/** The largest number of fields of one object. A megabyte can hold 90,000, and each pass over them takes 50 ms. */
export const jsonFieldsMax = 1000

const [quote, backslash, openList, closeList, openObject, closeObject, colon] = Array.from('"\\[]{}:', char =>
  char.charCodeAt(0),
)

/** Returns whether a text, valid JSON or not, exceeds `jsonDepthMax`. Scans it once, without parsing. */
export function isTooDeep(json: string): boolean {
  return findExcess(json, Infinity) === 'depth'
}

/** Returns an error if the JSON of a request exceeds a limit; null if it does not. */
export function checkJsonBounds(json: string): { code: string; message: string } | null {
  const excess = findExcess(json, jsonFieldsMax)
  if (excess === 'depth') return { code: 'TOO_DEEP', message: jsonTooDeep }
  if (excess === 'fields')
    return { code: 'TOO_MANY', message: `A JSON object may have ${jsonFieldsMax} fields at most.` }
  return null
}

function findExcess(json: string, fieldsMax: number): 'depth' | 'fields' | null {
  if (json.length <= jsonDepthMax) return null
  let depth = 0
  let isText = false
  /** The number of fields of the open object at each depth. */
  const fields = new Uint32Array(jsonDepthMax + 1)
  for (let index = 0; index < json.length; index += 1) {
    const char = json.charCodeAt(index)
    if (isText) {
      if (char === backslash) index += 1
      else if (char === quote) isText = false
    } else if (char === quote) isText = true
    else if (char === openList || char === openObject) {
      depth += 1
      if (depth > jsonDepthMax) return 'depth'
      if (depth > 0) fields[depth] = 0
    } else if (char === closeList || char === closeObject) depth -= 1
    else if (char === colon && depth > 0) {
      const count = fields[depth]! + 1
      if (count > fieldsMax) return 'fields'
      fields[depth] = count
    }
  }
  return null
}

/**
 * Parses untrusted JSON, without characters that the database cannot store. Throws a SyntaxError if it is invalid, and
 * a RangeError with a public message if it is too deep.
 */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new RangeError(jsonTooDeep)
  return JSON.parse(sanitizeJsonEscapes(text))
}
