/** Cells of each kind: the parsed value, or the problem. */
import { describe, expect, test } from 'vitest'
import type { LeadField } from './lead-fields.ts'
import { type ParsedRow, parseRow } from './parse-row.ts'
import { parseCell } from './table-test-helpers.ts'

function getValue(row: ParsedRow, field: string): unknown {
  let value: unknown = row.lead
  for (const name of field.split('.')) value = (value as Record<string, unknown> | undefined)?.[name]
  return value
}

const rowOptions = { country: 'ES', currency: 'EUR' }

describe('phones', () => {
  const rows: [cell: string, country: string, phones: string[], problems: string[]][] = [
    ['612 345 678', 'ES', ['612 345 678'], []],
    ['+44 20 7946 0018', 'ES', ['+44 20 7946 0018'], []],
    ['34612345678.0', 'ES', ['34612345678'], []],
    ['612345678,00', 'ES', ['612345678'], []],
    ['3.46E+10', 'ES', [], ['PHONE_ROUNDED']],
    ['3,46E+11', 'ES', [], ['PHONE_ROUNDED']],
    ['3.4612345678E+10', 'ES', ['34612345678'], []],
    ['6,12345678E+8', 'ES', ['612345678'], []],
    ['="612345678"', 'ES', ['612345678'], []],
    ["'+34612345678", 'ES', ['+34612345678'], []],
    ["'612345678", 'ES', ['612345678'], []],
    ['tel:+34612345678', 'ES', ['+34612345678'], []],
    ['93 412 34 56 ext. 12', 'ES', ['93 412 34 56 ext. 12'], []],
    ['351912345678', 'ES', ['+351912345678'], []],
    ['612 345 678 / 93 412 34 56', 'ES', ['612 345 678', '93 412 34 56'], []],
    ['+34 612 345 678 ::: 934123456', 'ES', ['+34 612 345 678', '934123456'], []],
    ['612345678;934123456', 'ES', ['612345678', '934123456'], []],
    ['612345678, 934123456', 'ES', ['612345678', '934123456'], []],
    ['612345678 y 934123456', 'ES', ['612345678', '934123456'], []],
    ['612 345 678 - 934 123 456', 'ES', ['612 345 678', '934 123 456'], []],
    ['612345678 934123456', 'ES', ['612345678', '934123456'], []],
    ['612345678/+34 612 345 678', 'ES', ['612345678'], []],
    ['612-345-678', 'ES', ['612-345-678'], []],
    ['612345678 / 123', 'ES', [], ['PHONE_INVALID']],
    ['612345678 / 1234567', 'ES', ['612345678'], ['PHONE_INVALID']],
    ['0612345678', 'IT', ['0612345678'], []],
    ['612345678', 'IT', ['0612345678'], []],
    ['347 1234567', 'IT', ['347 1234567'], []],
    ['912 345 678', 'PT', ['912 345 678'], []],
    ['llamar tardes', 'ES', [], ['PHONE_INVALID']],
    ['12345', 'ES', [], ['PHONE_INVALID']],
  ]
  test.each(rows)('%s in %s', (cell, country, phones, problems) => {
    const { lead, problems: found } = parseCell('contact.phone', cell, country)
    expect({ phones: lead?.contact.phones, problems: found.map(({ code }) => code) }).toEqual({
      phones,
      problems,
    })
  })
})

describe('values', () => {
  const rows: [field: LeadField, cell: string, value: unknown, country?: string][] = [
    ['contact.name', '  Ana\n García ', 'Ana García'],
    ['contact.email', ' mailto:ana@x.es ', ['ana@x.es']],
    ['contact.email', 'Ana@Bücher.ES', ['ana@xn--bcher-kva.es']],
    ['contact.email', 'ana@x.es; Eva Ruiz <eva@y.com>', ['ana@x.es', 'eva@y.com']],
    ['contact.advertiserType', 'Particular', 'private'],
    ['contact.advertiserType', 'Agenzia immobiliare', 'agency'],
    ['property.operation', 'Venta', 'sale'],
    ['property.operation', 'Lloguer', 'rent'],
    ['property.operation', 'Arrendamento', 'rent'],
    ['property.operation', 'Affitto', 'rent'],
    ['property.operation', 'FOR SALE', 'sale'],
    ['property.propertyType', 'Ático', 'homes'],
    ['property.propertyType', 'Piso con garaje', 'homes'],
    ['property.propertyType', 'Despatx', 'offices'],
    ['property.propertyType', 'Plaza de garaje', 'garages'],
    ['property.propertyType', 'homes', 'homes'],
    ['property.price', '250.000 €', 250_000],
    ['property.price', '250,000.50', 250_000.5],
    ['property.price', '1.250,50 €/mes', 1250.5],
    ['property.price', '250000.0', 250_000],
    ['property.price', '250000 BRL', 250_000],
    ['property.price', '0', undefined],
    ['property.price', 'A consultar', undefined],
    ['property.currency', '€', 'EUR'],
    ['property.currency', 'euros', 'EUR'],
    ['property.squareMeters', '86,5', 86.5],
    ['property.squareMeters', '1.250 m² construidos', 1250],
    ['property.rooms', '3 hab.', 3],
    ['property.rooms', '3.0', 3],
    ['property.bedrooms', 'T2', 2],
    ['property.bedrooms', '2+1', 3],
    ['property.bathrooms', '2 baños', 2],
    ['property.floor', '3ª', 3],
    ['property.floor', 'Bajo', 0],
    ['property.floor', 'Entresuelo', 0.5],
    ['property.floor', 'Principal', undefined],
    ['property.floorText', 'Principal', 'Principal'],
    ['property.condition', 'Buen estado', 'good'],
    ['property.condition', 'da ristrutturare', 'to_renovate'],
    ['property.condition', 'Obra nova', 'new'],
    ['property.features', 'Ascensor, Terraza; piscina', ['lift', 'terrace', 'pool']],
    ['property.features', 'lift|airConditioning', ['lift', 'air_conditioning']],
    ['property.features', 'Aufzug, Schwimmbad, zwembad', ['lift', 'pool']],
    ['property.features', 'sin ascensor', []],
    ['property.postcode', '8001', '08001'],
    ['property.postcode', '8001.0', '08001'],
    ['property.postcode', '="08001"', '08001'],
    ['property.postcode', '08001 Barcelona', '08001'],
    ['property.postcode', '187', '00187', 'IT'],
    ['property.postcode', '1000001', '1000-001', 'PT'],
    ['property.postcode', 'SW1A 1AA', 'SW1A 1AA', 'GB'],
    [
      'property.images',
      'https://x.es/1.jpg, https://x.es/2.jpg',
      ['https://x.es/1.jpg', 'https://x.es/2.jpg'],
    ],
    ['property.url', 'www.x.es/piso/1', 'https://www.x.es/piso/1'],
    ['property.publishedAt', '03/11/2026', '2026-11-03T00:00:00.000Z'],
    ['property.publishedAt', '3-11-26 10:32', '2026-11-03T10:32:00.000Z'],
    ['property.publishedAt', '2018/3/31', '2018-03-31T00:00:00.000Z'],
    ['property.publishedAt', '2026-11-03T10:32:00+01:00', '2026-11-03T09:32:00.000Z'],
    ['property.publishedAt', '3 de noviembre de 2026', '2026-11-03T00:00:00.000Z'],
    ['property.publishedAt', '15 Aug 2026', '2026-08-15T00:00:00.000Z'],
    ['property.publishedAt', '46329', '2026-11-03T00:00:00.000Z'],
    ['property.publishedAt', '46329,4375', '2026-11-03T10:30:00.000Z'],
    ['property.publishedAt', '03/11/2026 9:05 PM', '2026-11-03T21:05:00.000Z'],
    ['status', 'Contactado', 'contacted'],
    ['status', 'Closed Won', 'won'],
    ['tags', 'vip; Zona norte,vip', ['vip', 'Zona norte']],
    ['externalId', 'R-0012', 'R-0012'],
    ['lawfulBasis.kind', 'Consentimiento', 'consent'],
    ['lawfulBasis.kind', 'Interés legítimo', 'legitimate_interest'],
    ['lawfulBasis.kind', 'No', undefined],
    ['lawfulBasis.at', '03/11/2026', '2026-11-03T00:00:00.000Z'],
    ['lawfulBasis.channels', 'Correo electrónico y WhatsApp', ['email', 'chat']],
    ['lawfulBasis.expiresAt', '03/11/2030', '2030-11-03T00:00:00.000Z'],
    ['customFields.colour', ' rojo ', 'rojo'],
  ]
  /** Fields that a lead has under another path. */
  const leadPaths: Partial<Record<LeadField, string>> = { 'contact.email': 'contact.emails' }

  test.each(rows)('%s "%s"', (field, cell, value, country) => {
    // `parseCell` gives every row a name, so a name is parsed alone.
    const row =
      field === 'contact.name'
        ? parseRow([cell], { x: field }, { ...rowOptions, headings: ['x'] })
        : parseCell(field, cell, country)
    expect(row.problems).toEqual([])
    expect(getValue(row, leadPaths[field] ?? field)).toEqual(value)
  })
})

describe('an unreadable cell is a problem, and the rest of the row is kept', () => {
  const rows: [field: LeadField, cell: string, code: string][] = [
    ['contact.email', 'ana(at)x.es', 'EMAIL_INVALID'],
    ['contact.email', 'no tiene', 'EMAIL_INVALID'],
    ['contact.email', 'ana..ruiz@x.es', 'EMAIL_INVALID'],
    ['contact.advertiserType', 'amigo', 'ADVERTISER_TYPE_UNKNOWN'],
    ['property.operation', 'Venta y alquiler', 'OPERATION_UNKNOWN'],
    ['property.operation', 'permuta', 'OPERATION_UNKNOWN'],
    ['property.propertyType', 'Terreno', 'PROPERTY_TYPE_UNKNOWN'],
    ['property.price', '200.000 - 250.000 €', 'PRICE_INVALID'],
    ['property.price', '1.5E+05', 'PRICE_INVALID'],
    ['property.price', '-250000', 'PRICE_NEGATIVE'],
    ['property.currency', 'pesos', 'CURRENCY_INVALID'],
    ['property.squareMeters', 'grande', 'AREA_INVALID'],
    ['property.rooms', 'varias', 'COUNT_INVALID'],
    ['property.condition', 'quién sabe', 'CONDITION_UNKNOWN'],
    ['property.features', 'Ascensor, sauna', 'FEATURES_UNKNOWN'],
    ['property.postcode', 'Barcelona', 'POSTCODE_INVALID'],
    ['property.latitude', '41.385.063', 'COORDINATE_INVALID'],
    ['property.latitude', '41,385', 'COORDINATE_ALONE'],
    ['property.longitude', '200', 'COORDINATE_INVALID'],
    ['property.images', 'foto1.jpg', 'URL_INVALID'],
    ['property.url', 'javascript:alert(1)', 'URL_INVALID'],
    ['property.publishedAt', '03/25/2026', 'DATE_INVALID'],
    ['property.publishedAt', '31/02/2026', 'DATE_INVALID'],
    ['property.publishedAt', '03/11/2026 25:00', 'DATE_INVALID'],
    ['status', 'dormido', 'STATUS_UNKNOWN'],
    ['lawfulBasis.kind', 'porque sí', 'LAWFUL_BASIS_UNKNOWN'],
    ['lawfulBasis.channels', 'WhatsApp y palomas', 'CHANNEL_UNKNOWN'],
    ['property.price', '99999999999999999999', 'PRICE_INVALID'],
    ['property.squareMeters', '10000000001', 'AREA_INVALID'],
    ['property.address', 'x'.repeat(501), 'TOO_LONG'],
    ['property.title', 'x'.repeat(501), 'TEXT_CUT'],
    ['note', 'x'.repeat(10_001), 'TEXT_CUT'],
    ['property.description', 'x'.repeat(20_001), 'TEXT_CUT'],
    ['contact.identifiers', 'whatsapp:34612345678 | nobody', 'IDENTIFIER_UNKNOWN'],
    ['property.features', `sauna ${'no '.repeat(50_000)}`, 'FEATURES_UNKNOWN'],
  ]
  test.each(rows)('%s "%s"', (field, cell, code) => {
    const { lead, problems } = parseCell(field, cell)
    expect(problems.map(problem => problem.code)).toEqual([code])
    expect(problems[0]!.message).toMatch(/^[A-Z].{10,}[.]$/)
    if (code !== 'COORDINATE_ALONE') expect(problems[0]!.column).toBe('x')
    expect(lead?.contact.name).toBe('Ana')
  })
})
