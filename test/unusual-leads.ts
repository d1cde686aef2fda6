/** Leads with every value that the API accepts, as unusual as possible: generated from the schema. */
import fc from 'fast-check'
import { propertyFeatures } from '../src/domain/listing/features.ts'
import { Lead } from '../src/features/leads/schemas.ts'
import { NewLead } from '../src/features/leads/writing/input-schemas.ts'
import { anyCharacter } from './characters.ts'

/** Fields about the origin and the history of a lead: they differ in another environment. */
const provenance = new Set([
  'id',
  'priceHistory',
  'sources',
  'campaignId',
  'ownerUserId',
  'contactability',
  'notesCount',
  'createdAt',
  'updatedAt',
  'lastContactedAt',
  'lastReplyAt',
])
export const exportedFields = Object.keys(Lead.properties).filter(name => !provenance.has(name))

interface Shape {
  type?: string
  anyOf?: Shape[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  multipleOf?: number
  maxItems?: number
  items?: Shape
  properties?: Record<string, Shape>
  patternProperties?: Record<string, Shape>
}

const unusualTexts = [
  '=1+1',
  '+34 612',
  '-',
  '--',
  '@home',
  "'",
  "'=x",
  '- garaje',
  'N/A',
  'null',
  '0012',
  '1e5',
  '1.000',
  '12,5',
  'true',
  'sí',
  ' a',
  'a ',
  '\u00a0a',
  '  ',
  '\u200b',
  '\u202eabc',
  '\ufeffx',
  'a\u0001b',
  '\u2028',
  'a\r\nb',
  '\r',
  '\n',
  '"',
  '""',
  '"a"',
  'a;b',
  'a,b',
  'a|b',
  'a | b',
  'a\tb',
  '[',
  '["a"]',
  '{"a":1}',
  '\\,',
  '\\',
  '#a#',
  ':::',
  'sep=;',
  '1000-001',
  '00-950',
  '1012 AB',
  'SW1A 1AA',
  '20121',
  '08001',
  'Ático',
  '3º 2ª',
  'Bajo',
  'T2',
  'https://x.example',
  '𝒳',
  'e\u0301',
  'x'.repeat(499),
  'ñ, "ñ"; ñ',
  'constructor',
  '__proto__',
  'contact.phone',
]
const phones = [
  '612 34 56 78',
  '+351 912 345 678',
  '+39 06 6982',
  '+44 7400 123456',
  '+48 512 345 678',
  '+1 212 555 2368',
]
const chats = ['whatsapp:34612345678', 'telegram:@ana', 'ana@example.com', '+34 699 11 22 33', 'b@example.pt']
const links = [
  'https://x.example',
  'http://x.example/a,b;c?d=1&e=%20#f',
  'https://x.example/foto.jpg',
  'https://X.example/%C3%B1',
  'ftp://x.example/a',
]

const text = ({ minLength = 0, maxLength = 500, pattern }: Shape): fc.Arbitrary<unknown> => {
  const any = fc
    .oneof(
      fc.constantFrom(...unusualTexts),
      fc.string({ unit: anyCharacter, maxLength: 30 }),
      fc.string({ maxLength: 10 }),
    )
    .map(odd => odd.replaceAll('\0', '').slice(0, maxLength).toWellFormed())
  const fits = (odd: string) => odd.length >= minLength && (!pattern || new RegExp(pattern, 'u').test(odd))
  return pattern?.startsWith('^[A-Z]') ? fc.constantFrom('EUR', 'GBP', 'PLN', 'XTS') : any.filter(fits)
}

/** Generates a value that is valid for the schema, and otherwise as unusual as possible. */
function valueFor(shape: Shape, path: string): fc.Arbitrary<unknown> {
  if (path === '.contact.phone') return fc.constantFrom(...phones)
  if (path === '.property.features[]') return fc.constantFrom(...propertyFeatures)
  if (path === '.contact.email')
    return fc.constantFrom('ana@example.com', "o'neil+x@example.co.uk", 'ñ@bücher.example')
  if (path === '.contact.identifiers') return fc.uniqueArray(fc.constantFrom(...chats), { maxLength: 4 })
  if (shape.anyOf) return fc.oneof(...shape.anyOf.map(each => valueFor(each, path)))
  if (shape.enum) return fc.constantFrom(...shape.enum)
  if (shape.const !== undefined) return fc.constant(shape.const)
  if (shape.format === 'uri') return fc.constantFrom(...links)
  if (shape.format === 'date-time')
    return fc
      .date({ min: new Date(0), max: new Date('2026-01-01'), noInvalidDate: true })
      .map(date => date.toISOString())
  const { minimum = -1e6, maximum = 1e6, multipleOf } = shape
  if (multipleOf)
    return fc
      .integer({ min: minimum / multipleOf, max: maximum / multipleOf })
      .map(times => times * multipleOf)
  switch (shape.type) {
    case 'string':
      return text(shape)
    case 'integer':
      return fc.oneof(
        fc.constantFrom(minimum, maximum),
        fc.integer({ min: minimum, max: maximum }),
        fc.integer({ min: 0, max: 5 }),
      )
    case 'number':
      return fc.oneof(
        fc.constantFrom(
          ...[0, minimum, maximum, 1.5, 0.25, 1.234, 41.3851234, 1e-7].filter(
            each => each >= minimum && each <= maximum,
          ),
        ),
        fc.integer({ min: minimum, max: maximum }),
        fc.integer({ min: minimum * 10, max: maximum * 10 }).map(tenths => tenths / 10),
        fc.integer({ min: minimum * 100, max: maximum * 100 }).map(hundredths => hundredths / 100),
      )
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.uniqueArray(valueFor(shape.items!, `${path}[]`), {
        maxLength: Math.min(shape.maxItems ?? 6, 6),
      })
    case 'object':
      return shape.properties ? toObject(shape.properties, path) : toRecord(shape, path)
  }
  throw new Error(`what is ${path}? ${JSON.stringify(shape)}`)
}

function toObject(properties: Record<string, Shape>, path: string): fc.Arbitrary<Record<string, unknown>> {
  const values = Object.entries(properties).filter(([name]) => path !== '' || exportedFields.includes(name))
  return fc.record(
    Object.fromEntries(values.map(([name, shape]) => [name, valueFor(shape, `${path}.${name}`)])),
    {
      requiredKeys: [],
    },
  )
}

function toRecord({ patternProperties }: Shape, path: string): fc.Arbitrary<Record<string, unknown>> {
  const [pattern, shape] = Object.entries(patternProperties!)[0]!
  const names = text({ minLength: 1, maxLength: 100, pattern }) as fc.Arbitrary<string>
  return fc.dictionary(
    names.filter(name => name !== '__proto__'),
    valueFor(shape, path),
    { maxKeys: 6 },
  )
}

/** Leads as `POST /leads` accepts them, without the fields that an export does not have. */
export const unusualLead = toObject(NewLead.properties as Record<string, Shape>, '')
