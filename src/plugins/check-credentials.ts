/** Checks what a provider says of its credentials and its address, and builds credentials from the examples. */
import type { TObject, TSchema } from 'typebox'
import { compile } from '../kit/schema.ts'
import { isText, isTrue } from './rules.ts'

export function checkCredentials(credentials: TObject): string[] {
  const open = findOpenObject(credentials, 'credentials')
  if (open) return [`\`${open}\` must be an object that is closed (additionalProperties: false)`]
  const unnamed = listFields(credentials, 'credentials').filter(
    ([, field]) => !isText(field.title) || !Array.isArray(field.examples) || field.examples.length === 0,
  )
  if (unnamed.length > 0) return unnamed.map(([path]) => `\`${path}\` must have a title and examples`)
  const isValid = isTrue(() => compile(credentials)(buildExample(credentials)).length === 0)
  return isValid ? [] : ['the first examples of `credentials` must be valid together']
}

interface Field {
  type?: string
  title?: unknown
  examples?: unknown[]
  additionalProperties?: unknown
  properties?: Record<string, TSchema>
}

function findOpenObject(schema: Field, path: string): string | undefined {
  if (path === 'credentials' && schema?.type !== 'object') return path
  if (schema.type !== 'object') return undefined
  if (schema.additionalProperties !== false) return path
  return Object.entries(schema.properties ?? {})
    .map(([key, field]) => findOpenObject(field, `${path}.${key}`))
    .find(found => found !== undefined)
}

/** The fields that have a value of their own. */
function listFields(schema: Field, path: string): [path: string, field: Field][] {
  if (schema.type !== 'object') return [[path, schema]]
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) =>
    listFields(field, `${path}.${key}`),
  )
}

/** Credentials of the first example of every field. */
export function buildExample(schema: Field): Record<string, unknown> {
  const toValue = (field: Field) => (field.type === 'object' ? buildExample(field) : field.examples?.[0])
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([key, field]) => [key, toValue(field)]),
  )
}

/** Throws at what is no URL. */
export function isBaseUrl(text: string): boolean {
  const url = new URL(text)
  return /^https?:$/.test(url.protocol) && !text.endsWith('/') && !url.search && !url.hash && !url.username
}
