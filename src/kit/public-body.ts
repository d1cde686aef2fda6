/** Bodies that public routes accept, each with a limit of bytes that is checked before anything is read. */
import { checkJsonBounds } from './json-depth.ts'
import { invalidInput, Problem, throwIfInvalid } from './problem.ts'
import { sanitizeJsonEscapes, sanitizeText } from './sanitize-text.ts'
import { compile, type Static, type TSchema } from './schema.ts'

export interface PublicBody<B> {
  maxBytes: number
  /** `contentType`: without parameters, in lower case. Throws a `Problem` with 400 or 415. */
  read(bytes: Buffer, contentType: string): B
}

const formType = 'application/x-www-form-urlencoded'
const formFieldsMax = 200

/** A form as browsers send it without JavaScript. The handler checks the fields, so that it can show the form again. */
export function formBody({ maxBytes }: { maxBytes: number }): PublicBody<URLSearchParams> {
  return {
    maxBytes,
    read(bytes, contentType) {
      checkContentType(contentType, formType)
      const text = bytes.toString()
      if (text.split('&', formFieldsMax + 1).length > formFieldsMax)
        throw invalidInput('', 'TOO_MANY', `A form may have ${formFieldsMax} fields at most.`)
      const fields = [...new URLSearchParams(text)]
      return new URLSearchParams(fields.map(([name, value]) => [sanitizeText(name), sanitizeText(value)]))
    },
  }
}

/** JSON that fits a schema. */
export function jsonBody<S extends TSchema>(
  schema: S,
  { maxBytes }: { maxBytes: number },
): PublicBody<Static<S>> {
  const validate = compile(schema)
  return {
    maxBytes,
    read(bytes, contentType) {
      checkContentType(contentType, 'application/json')
      const value = parse(bytes.toString())
      throwIfInvalid(validate(value))
      return value as Static<S>
    },
  }
}

/** The exact bytes, of any type: a signature covers these, and not what they mean. */
export function rawBody({ maxBytes }: { maxBytes: number }): PublicBody<Buffer> {
  return { maxBytes, read: bytes => bytes }
}

function checkContentType(contentType: string, expected: string): void {
  if (contentType === expected) return
  throw new Problem('UNSUPPORTED_MEDIA_TYPE', `Send the body with the header Content-Type: ${expected}.`)
}

function parse(text: string): unknown {
  const excess = checkJsonBounds(text)
  if (excess) throw invalidInput('', excess.code, excess.message)
  try {
    return JSON.parse(sanitizeJsonEscapes(text))
  } catch (cause) {
    throw new Problem('MALFORMED_JSON', 'The body is not valid JSON.', { cause })
  }
}
