/** How deep and how wide JSON of strangers may be: what visits it later does so by recursion, and field by field. */

import { sanitizeJsonEscapes } from './sanitize-text.ts'

/** Objects and lists within each other. */
export const jsonDepthMax = 64

export const jsonTooDeep = `JSON may be nested ${jsonDepthMax} levels deep at most.`

/** Of one object. A megabyte holds 90,000 different names, and each step that looks at them takes 50 ms. */
export const jsonFieldsMax = 1000

const [quote, backslash, openList, closeList, openObject, closeObject, colon] = Array.from('"\\[]{}:', char =>
  char.charCodeAt(0),
)

/** Whether the text, valid JSON or not, is nested deeper than that. It is looked at once, and never parsed. */
export function isTooDeep(json: string): boolean {
  return findExcess(json, Infinity) === 'depth'
}

/** What is too much in the JSON of a request, as an error; null: nothing. */
export function checkJsonBounds(json: string): { code: string; message: string } | null {
  const excess = findExcess(json, jsonFieldsMax)
  if (excess === 'depth') return { code: 'TOO_DEEP', message: jsonTooDeep }
  if (excess === 'fields')
    return { code: 'TOO_MANY', message: `An object of JSON may have ${jsonFieldsMax} fields at most.` }
  return null
}

function findExcess(json: string, fieldsMax: number): 'depth' | 'fields' | null {
  if (json.length <= jsonDepthMax) return null
  let depth = 0
  let isText = false
  /** Of what is open at each depth. */
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
 * JSON of strangers as its value, without what the database would refuse to store. Throws a SyntaxError if it is not valid, and a
 * RangeError with a sentence for people if it is too deep.
 */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new RangeError(jsonTooDeep)
  return JSON.parse(sanitizeJsonEscapes(text))
}
