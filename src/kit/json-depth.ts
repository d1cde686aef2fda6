/** How deep JSON of strangers may be nested: what visits it later does so by recursion. */

import { storableEscapes } from './storable.ts'

/** Objects and lists within each other. */
export const jsonDepthMax = 64

export const jsonTooDeep = `JSON may be nested ${jsonDepthMax} levels deep at most.`

const [quote, backslash, openList, closeList, openObject, closeObject] = Array.from('"\\[]{}', sign =>
  sign.charCodeAt(0),
)

/** Whether the text, valid JSON or not, is nested deeper than that. It is looked at once, and never parsed. */
export function isTooDeep(json: string): boolean {
  if (json.length <= jsonDepthMax) return false
  let depth = 0
  let isText = false
  for (let at = 0; at < json.length; at += 1) {
    const sign = json.charCodeAt(at)
    if (isText) {
      if (sign === backslash) at += 1
      else if (sign === quote) isText = false
    } else if (sign === quote) isText = true
    else if (sign === openList || sign === openObject) {
      depth += 1
      if (depth > jsonDepthMax) return true
    } else if (sign === closeList || sign === closeObject) depth -= 1
  }
  return false
}

/**
 * JSON of strangers as its value, without what the database would refuse to store. Throws a SyntaxError if it is not valid, and a
 * RangeError with a sentence for people if it is too deep.
 */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new RangeError(jsonTooDeep)
  return JSON.parse(storableEscapes(text))
}
