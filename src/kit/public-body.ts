/** Request bodies of public routes. Their size limit is checked before they are read. */
import { checkJsonBounds } from './json-limits.ts'
import { invalidInput, Problem, throwIfInvalid } from './problem.ts'
import { sanitizeJsonEscapes, sanitizeText } from './sanitize-text.ts'
import { compile, type Static, type TSchema } from './schema.ts'

export interface PublicBody<B> {
  maxBytes: number
  /** Parses the body. `contentType`: in lower case, without parameters. Throws a `Problem` with 400 or 415. */
  read(bytes: Buffer, contentType: string): B
}

const formType = 'application/x-www-form-urlencoded'
const formFieldsMax = 200

/** An HTML form. The handler validates the fields, so that it can show the form again with errors. */
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

/** JSON that is validated against a schema. */
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

/** The raw bytes of any type, for example to verify a signature. */
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
