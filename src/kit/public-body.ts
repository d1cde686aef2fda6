/** Request bodies of public routes. Their size limit is checked before they are read. */
import { checkJsonBounds } from './json-limits.ts'
import { invalidInput, Problem, throwIfInvalid } from './problem.ts'
import { sanitizeJsonEscapes, sanitizeText } from './sanitize-text.ts'
import { compile, type Static, type TSchema } from './schema.ts'

export interface PublicBody<B> {
  maxBytes: number
  /**
   * Parses the body. `contentType`: in lower case, without parameters. `header`: the whole header. Throws a `Problem`
   * with 400 or 415.
   */
  read(bytes: Buffer, contentType: string, header: string): B | Promise<B>
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

const fileFormType = 'multipart/form-data'

/** An HTML form with files, in memory. The handler validates the fields, and sanitizes their text. */
export function fileFormBody({ maxBytes }: { maxBytes: number }): PublicBody<FormData> {
  return {
    maxBytes,
    async read(bytes, contentType, header) {
      checkContentType(contentType, fileFormType)
      checkPartCount(bytes)
      try {
        return await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': header } }).formData()
      } catch (cause) {
        throw Object.assign(invalidInput('', 'INVALID', 'The body is not a valid form.'), { cause })
      }
    },
  }
}

/** Each part has this header. */
const partHeader = 'content-disposition'

function checkPartCount(bytes: Buffer): void {
  // One byte per character keeps the length of the text.
  const parts =
    bytes
      .toString('latin1')
      .toLowerCase()
      .split(partHeader, formFieldsMax + 2).length - 1
  if (parts > formFieldsMax)
    throw invalidInput('', 'TOO_MANY', `A form may have ${formFieldsMax} fields at most.`)
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
