/** Exports and re-imports leads in both formats: every value that the API accepts comes back unchanged. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { importFile, listRows } from '../../../test/imports.ts'
import { makeTenant, seedListings, type TestTenant } from '../../../test/tenant.ts'
import { propertyFeatures } from '../../domain/listing/features.ts'
import type { Listing } from '../../domain/listing/listing.ts'
import { Lead } from '../leads/schemas.ts'
import { NewLead } from '../leads/writing/input-schemas.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})
afterAll(() => app.stop())

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
const exportedFields = Object.keys(Lead.properties).filter(name => !provenance.has(name))

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
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.string({ maxLength: 10 }),
    )
    .map(odd => odd.replaceAll('\0', '').slice(0, maxLength).toWellFormed())
  const fits = (odd: string) => odd.length >= minLength && (!pattern || new RegExp(pattern).test(odd))
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

const lead = toObject(NewLead.properties as Record<string, Shape>, '')

async function readExported(tenant: TestTenant): Promise<string[]> {
  const leads = await tenant.listAllLeads()
  return leads
    .map(lead => JSON.stringify(Object.entries(lead).filter(([name]) => exportedFields.includes(name))))
    .toSorted()
}

const formats: Record<string, string>[] = [
  { format: 'ndjson' },
  ...[',', ';', 'tab'].map(separator => ({ format: 'csv', separator })),
]

/** Imports an export of `source` into `target`. Returns the import and the problems of its rows. */
async function exportAndImport(source: TestTenant, target: TestTenant, query: Record<string, string>) {
  const { text } = await source.call('GET', `/leads/export?${new URLSearchParams(query)}`)
  const contentType = query.format === 'csv' ? 'text/csv' : 'application/x-ndjson'
  const { progress, id } = await importFile(target, text, { contentType })
  const rows = await listRows(target, { id })
  return { progress, problems: rows.flatMap(({ problems }) => problems) }
}

/** Checks that the export changes nothing in its own environment, and creates the same leads in another. */
async function expectRoundTrip(source: TestTenant): Promise<void> {
  const before = await readExported(source)
  const rowsRead = before.length
  for (const query of formats) {
    const what = JSON.stringify(query)
    const again = await exportAndImport(source, source, query)
    expect(again, what).toMatchObject({ progress: { unchanged: rowsRead, rowsRead }, problems: [] })
    const target = await makeTenant(app)
    const elsewhere = await exportAndImport(source, target, query)
    expect(elsewhere, what).toMatchObject({ progress: { created: rowsRead, rowsRead }, problems: [] })
    expect(await readExported(target), what).toEqual(before)
    const twice = await exportAndImport(source, target, query)
    expect(twice, what).toMatchObject({ progress: { unchanged: rowsRead, rowsRead }, problems: [] })
  }
}

test('unusual values written through the API come back unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(lead, { minLength: 30, maxLength: 60 }), async leads => {
      const source = await makeTenant(app)
      for (const body of leads) {
        const { status, text } = await source.call('POST', '/leads', { body })
        // 409: an earlier lead has the same person and property.
        expect([201, 409], text).toContain(status)
      }
      await expectRoundTrip(source)
    }),
    { numRuns: 1, endOnFailure: true },
  )
}, 120_000)

test('leads from portals and files come back unchanged', async () => {
  const source = await makeTenant(app)
  const contact: Listing['contact'] = {
    name: 'Ana',
    phone: '+34612345678',
    phoneRaw: 'Tel. 612.34.56.78 (tardes)',
    email: null,
    advertiserType: null,
  }
  await seedListings(source, {
    plain: {},
    raw: {
      title: 'Ático',
      floor: null,
      floorText: 'Ático',
      postcode: '1000-001',
      url: 'https://portal.example/2',
      contact,
    },
    unread: {
      title: 'Sótano',
      floor: -1,
      floorText: 'Sótano 1',
      url: 'https://portal.example/3',
      contact: { ...contact, name: null, phone: null, phoneRaw: 'ver anuncio' },
    },
  })
  const lines = Array.from(
    { length: 150 },
    (_, n) => `P${n};+44 7400 ${100_000 + n};SW1A 1AA;${n}.5;"a, b";Bajo`,
  )
  const file = ['Nombre;Teléfono;CP;m2;Etiquetas;Planta', ...lines].join('\n')
  expect((await importFile(source, file)).progress).toMatchObject({ created: 150 })
  await source.call('POST', '/leads', {
    body: { contact: { name: 'Eva' }, customFields: { late: 12, text: '12' } },
  })
  await expectRoundTrip(source)
}, 120_000)

test('an edited cell of an export is parsed like a cell written by people', async () => {
  const source = await makeTenant(app)
  await source.call('POST', '/leads', {
    body: { contact: { name: 'Eva', phone: '612345678' }, customFields: { n: 12 } },
  })
  const { text } = await source.call('GET', '/leads/export?separator=;')
  const [headings, row] = text
    .trim()
    .split('\r\n')
    .map(line => line.split(';'))
  const edit = (heading: string, cell: string) => row!.splice(headings!.indexOf(heading), 1, cell)
  edit('property.price', '250.000 €')
  edit('property.operation', 'Alquiler')
  edit('contact.email', ' EVA@example.com ')
  edit('customFields.n', '13')
  const ended = await importFile(source, [headings, row].map(cells => cells!.join(';')).join('\r\n'))
  expect(ended.progress).toMatchObject({ updated: 1 })
  expect(await source.listAllLeads()).toMatchObject([
    {
      contact: { name: 'Eva', email: 'eva@example.com', phone: '+34612345678' },
      property: { price: 250_000, operation: 'rent' },
      customFields: { n: '13' },
    },
  ])
})
