/** The most expensive values of a given size for a schema: long lists, long texts, many unknown fields. */
import type { TSchema } from '../src/kit/schema.ts'

interface Keywords {
  type?: string
  const?: unknown
  enum?: unknown[]
  maxItems?: number
  items?: Keywords
  properties?: Record<string, Keywords>
  patternProperties?: Record<string, Keywords>
  additionalProperties?: boolean | Keywords
  anyOf?: Keywords[]
}

/** Puts a value at a place of the schema. */
type Put = (value: unknown) => unknown

const characters = ['a', '%', '@', '1,', ' ', 'T']

/** Every part of a schema that a caller can fill, with a function that fills it. */
export function* listParts(
  schema: TSchema,
  put: Put = value => value,
  path = '',
): Generator<{ path: string; keywords: Keywords; put: Put }> {
  const keywords = schema as Keywords
  yield { path, keywords, put }
  const { items, properties = {}, patternProperties = {}, anyOf = [] } = keywords
  for (const choice of anyOf) yield* listParts(choice, put, path)
  if (items) yield* listParts(items, value => put([value]), `${path}/0`)
  for (const [name, part] of Object.entries({ ...properties, ...patternProperties }))
    yield* listParts(part, value => put({ [name in properties ? name : 'name']: value }), `${path}/${name}`)
}

/** Named values of about this number of bytes. */
export function* listHostileValues(
  schema: TSchema,
  bytes: number,
): Generator<[name: string, value: unknown]> {
  for (const { path, keywords, put } of listParts(schema)) {
    if (keywords.type === 'array' || keywords.items) {
      for (const item of listItems(keywords.items ?? {}))
        yield [`${path}: a list of ${JSON.stringify(item)}`, put(repeatItem(item, bytes))]
    } else if (keywords.type === 'object' || keywords.properties) {
      yield [`${path}: unknown fields`, put(makeFields(0, bytes))]
      yield [`${path}: fields that are objects`, put(makeFields({}, bytes))]
      yield [`${path}: one long name`, put({ ['~/'.repeat(bytes / 2)]: 0 })]
    } else if (keywords.type === 'string')
      for (const character of characters)
        yield [
          `${path}: ${JSON.stringify(character)} repeated`,
          put(character.repeat(bytes / character.length)),
        ]
  }
}

/** Invalid items, and too many valid ones. */
function listItems({ anyOf = [], enum: values = [], properties = {} }: Keywords): unknown[] {
  const validValues = [...anyOf.map(choice => choice.const), ...values].filter(value => value !== undefined)
  const [name = 'a', second = 'b'] = Object.keys(properties)
  return [0, {}, '', 'aaaa', [], { [name]: 0, [second]: 0, a1: 0, a2: 0 }, ...validValues.slice(-1)]
}

/** Parsed as one text: cloning each item takes longer than all else. */
function repeatItem(item: unknown, bytes: number): unknown[] {
  const text = JSON.stringify(item)
  return JSON.parse(`[${Array(Math.floor(bytes / (text.length + 1))).fill(text)}]`)
}

function makeFields(value: unknown, bytes: number): Record<string, unknown> {
  const count = Math.floor(bytes / (JSON.stringify(value).length + 9))
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, value]))
}
