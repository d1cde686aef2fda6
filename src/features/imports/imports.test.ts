/** Files of leads as agencies have them, imported over HTTP. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { importFile, listRows, sendFile, toWindows1252, waitUntilImported } from '../../../test/imports.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import type { Import } from './schemas.ts'

const spanishFile = `Referencia;Nombre;Teléfono;Correo;Operación;Tipo;Precio;Superficie;Habitaciones;Dirección;Municipio;Código postal;Origen;Notas
A-1;Marta Soler Núñez;612 34 56 78;marta@example.com;Venta;Piso;"250.000,50 €";85,5;3;"Carrer de Mallorca, 214";Barcelona;8008;Escaparate;Llamar por la tarde
A-2;José Peña;3,46E+10;jose@example.com;Alquiler;Casa;1.200;120;4;Calle Mayor 3;Alcalá;28801;Web;
A-3;;;;;;;;;;;;Web;
A-4;Ana Gómez;+34 699 11 22 33;;Venta;Local;90000;40;;Calle Sol 1;Madrid;28013;Web;
A-5;Ana Gómez;699112233;;Venta;Local;90000;40;;Calle Sol 1;Madrid;28013;Web;
`
const portuguese = `Nome,Telemóvel,E-mail,Finalidade,Tipologia,Preço,Área,Morada,Concelho
Inês Conceição,912 345 678,ines@example.pt,Arrendar,Apartamento,"1.100,00",70,"Rua Augusta, 10",Lisboa
`
const italian = `Nome\tCognome\tCellulare\tContratto\tPrezzo\tIndirizzo\tComune
Giuseppe\tCittà\t+39 347 123 4567\tVendita\t€ 320.000\tVia Roma 1\tMilano
`
const english = `Name,Phone,Email,Listing type,Price,Address,City
Ann O'Neil,+44 7400 123456,ann@example.co.uk,Sale,"350,000","1 High Street",London
`

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const readLeadsByName = async (owner: TestTenant) =>
  Object.fromEntries((await owner.listAllLeads()).map(lead => [lead.contact.name ?? '', lead]))

test('a single import has its columns, an item of the list does not', async () => {
  const { body: sent } = await sendFile(tenant, spanishFile)
  expect(sent).toHaveProperty('mapping')
  const { body } = await tenant.call<{ data: Import[] }>('GET', '/leads/imports')
  expect(body.data).toMatchObject([{ id: sent.id, format: { kind: 'csv' } }])
  for (const name of ['headings', 'mapping', 'guessedMapping']) expect(body.data[0]).not.toHaveProperty(name)
})

test.each([
  ['text/csv', 'Nombre,'.repeat(501)],
  [
    'application/x-ndjson',
    JSON.stringify(Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`n${at}`, 1]))),
  ],
])('a file of type %s has at most 500 columns', async (contentType, rawBody) => {
  const { status, body } = await tenant.call<{ errors: object[] }>('POST', '/leads/imports', {
    rawBody,
    contentType,
  })
  expect({ status, errors: body.errors }).toMatchObject({
    status: 400,
    errors: [{ code: 'TOO_MANY_COLUMNS' }],
  })
})

describe('imports a file in', () => {
  test('Spanish, as Excel saves it', async () => {
    const sent = (await sendFile(tenant, toWindows1252(spanishFile), { name: 'clientes.csv' })).body
    expect(sent).toMatchObject({
      headings: expect.arrayContaining(['Origen']),
      mapping: { Origen: 'customFields.Origen' },
      guessedMapping: { Origen: null },
    })
    const ended = await waitUntilImported(tenant, sent)
    // Unknown headings are deleted with the file.
    expect([ended.headings, Object.keys(ended.mapping)].flat()).not.toContain('Origen')
    expect(ended).toMatchObject({
      status: 'COMPLETED',
      name: 'clientes.csv',
      dryRun: false,
      error: null,
      fileKeptUntil: null,
      format: { kind: 'csv', encoding: 'windows-1252', separator: ';', hasHeader: true, headerRow: 1 },
      mapping: {
        Referencia: 'externalId',
        Nombre: 'contact.name',
        Teléfono: 'contact.phone',
        Precio: 'property.price',
        Notas: 'note',
      },
      progress: {
        rowsTotal: 5,
        rowsRead: 5,
        created: 3,
        updated: 0,
        unchanged: 0,
        skipped: 1,
        failed: 1,
        percent: 100,
      },
    })
    const leads = await readLeadsByName(tenant)
    expect(leads['Marta Soler Núñez']).toMatchObject({
      contact: { phone: '+34612345678', email: 'marta@example.com' },
      property: {
        operation: 'sale',
        propertyType: 'homes',
        price: 250_000.5,
        currency: 'EUR',
        squareMeters: 85.5,
        rooms: 3,
        address: 'Carrer de Mallorca, 214',
        municipality: 'Barcelona',
        postcode: '08008',
      },
      customFields: { Origen: 'Escaparate' },
      notesCount: 1,
      sources: [{ platform: 'csv_import', listingId: 'A-1', url: null }],
    })
    expect(leads['José Peña']).toMatchObject({
      contact: { phone: null, email: 'jose@example.com' },
      property: { operation: 'rent', price: 1200 },
    })
    const notes = await tenant.call<{ data: { body: string }[] }>(
      'GET',
      `/leads/${leads['Marta Soler Núñez']!.id}/notes`,
    )
    expect(notes.body.data).toMatchObject([{ body: 'Llamar por la tarde' }])
  })

  test('any language: prices with € are in euros; prices with $ have no currency unless it is stated', async () => {
    const localTenant = await makeTenant(app)
    const file = 'Nombre;Precio;Moneda\nAna;250.000 €;\nEva;$250,000;\nIda;$250,000;USD\nUna;250000;\n'
    const ended = await importFile(localTenant, file)
    const leads = await readLeadsByName(localTenant)
    const currencies = ['Ana', 'Eva', 'Ida', 'Una'].map(name => leads[name]!.property.currency)
    expect(currencies).toEqual(['EUR', null, 'USD', 'EUR'])
    expect(await listRows(localTenant, ended)).toMatchObject([
      { problems: [] },
      { problems: [{ column: 'Precio', code: 'CURRENCY_UNKNOWN' }] },
      { problems: [] },
      { problems: [] },
    ])
  })

  test.each([
    ['Portuguese', 'PT', portuguese, 'Inês Conceição', '+351912345678', { operation: 'rent', price: 1100 }],
    ['Italian', 'IT', italian, 'Giuseppe Città', '+393471234567', { operation: 'sale', price: 320_000 }],
    ['English', 'GB', english, "Ann O'Neil", '+447400123456', { operation: 'sale', price: 350_000 }],
  ])('%s', async (_language, country, file, name, phone, property) => {
    const localTenant = await makeTenant(app)
    await app.database.ownerPool.query(
      `update aldaba.workspaces set country = $1 where id = (select workspace_id from aldaba.tenants where id = $2)`,
      [country, localTenant.tenantId],
    )
    expect(await importFile(localTenant, file)).toMatchObject({
      status: 'COMPLETED',
      progress: { created: 1 },
    })
    expect((await readLeadsByName(localTenant))[name]).toMatchObject({ contact: { phone }, property })
  })

  test('NDJSON, with typed values', async () => {
    const lines = [
      { contact: { name: 'Marta', phone: '612345678' }, property: { price: 250_000 }, vip: true, score: 7 },
      { contact: { name: 'José', email: 'jose@example.com' }, colour: 'red' },
    ]
    const file = `${lines.map(line => JSON.stringify(line)).join('\n')}\n[1]\n{"contact":\n`
    const ended = await importFile(tenant, file, { contentType: 'application/x-ndjson' })
    expect(ended).toMatchObject({
      format: { kind: 'ndjson', encoding: 'utf-8', separator: null, hasHeader: null, headerRow: null },
      progress: { created: 2, failed: 2 },
    })
    expect(await readLeadsByName(tenant)).toMatchObject({
      Marta: { property: { price: 250_000 }, customFields: { vip: true, score: 7 } },
      José: { contact: { email: 'jose@example.com' }, customFields: { colour: 'red' } },
    })
    expect(await listRows(tenant, ended, 'failed')).toMatchObject([
      {
        rowNumber: 3,
        reason: 'NOT_JSON',
        message: 'The line is not a JSON object, or has more than 64 levels.',
      },
      { rowNumber: 4, reason: 'NOT_JSON' },
    ])
  })
})

test('each row has its result and the values that could not be read', async () => {
  const ended = await importFile(tenant, toWindows1252(spanishFile))
  const leads = await readLeadsByName(tenant)
  expect(await listRows(tenant, ended)).toEqual([
    expect.objectContaining({
      rowNumber: 2,
      result: 'created',
      leadId: leads['Marta Soler Núñez']!.id,
      problems: [],
    }),
    {
      rowNumber: 3,
      result: 'created',
      reason: null,
      message: null,
      undone: null,
      problems: [
        { column: 'Teléfono', code: 'PHONE_ROUNDED', message: expect.stringContaining('lost its digits') },
      ],
      leadId: leads['José Peña']!.id,
    },
    expect.objectContaining({ rowNumber: 4, result: 'failed', reason: 'NOT_IDENTIFIABLE', leadId: null }),
    expect.objectContaining({ rowNumber: 5, result: 'created', leadId: leads['Ana Gómez']!.id }),
    expect.objectContaining({
      rowNumber: 6,
      result: 'skipped',
      reason: 'DUPLICATE_IN_FILE',
      leadId: leads['Ana Gómez']!.id,
      message: 'This repeats row 5 of the file: the same person and property.',
    }),
  ])
  expect(await listRows(tenant, ended, 'skipped')).toMatchObject([{ rowNumber: 6 }])
})
