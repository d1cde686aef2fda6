/** Files of leads as agencies have them, imported over HTTP. */
import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { importFile, listRows, sendFile, toWindows1252, waitUntilImported } from '../../../test/imports.ts'
import { listShared, readSharedBytes } from '../../../test/shared.ts'
import { describeShared } from '../../../test/shared-tests.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { sql } from '../../kit/db/index.ts'
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

const byName = async (owner: TestTenant) =>
  Object.fromEntries((await owner.allLeads()).map(lead => [lead.contact.name ?? '', lead]))

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

describe('a file in', () => {
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
    const leads = await byName(tenant)
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

  test('euros has prices in euros; prices in dollars have only a stated currency', async () => {
    const own = await makeTenant(app)
    const file = 'Nombre;Precio;Moneda\nAna;250.000 €;\nEva;$250,000;\nIda;$250,000;USD\nUna;250000;\n'
    const ended = await importFile(own, file)
    const leads = await byName(own)
    const currencies = ['Ana', 'Eva', 'Ida', 'Una'].map(name => leads[name]!.property.currency)
    expect(currencies).toEqual(['EUR', null, 'USD', 'EUR'])
    expect(await listRows(own, ended)).toMatchObject([
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
    const own = await makeTenant(app)
    await app.database.ownerPool.query(
      `update aldaba.workspaces set country = $1 where id = (select workspace_id from aldaba.tenants where id = $2)`,
      [country, own.tenantId],
    )
    expect(await importFile(own, file)).toMatchObject({ status: 'COMPLETED', progress: { created: 1 } })
    expect((await byName(own))[name]).toMatchObject({ contact: { phone }, property })
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
    expect(await byName(tenant)).toMatchObject({
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
  const leads = await byName(tenant)
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

/** Checks that the file is imported, or refused with a sentence. */
async function expectImportedOrRefused(
  file: string | Buffer<ArrayBuffer>,
  contentType = 'text/csv',
): Promise<void> {
  const { status, body } = await sendFile(tenant, file, { contentType })
  expect([202, 400]).toContain(status)
  if (status === 400) {
    const problem = body as unknown as { message: string; errors: { path: string; code: string }[] }
    expect(problem.message).toMatch(/^[A-Z].* .*[.]$/)
    expect(problem.errors).toMatchObject([{ path: '', code: expect.stringMatching(/^[A-Z_]+$/) }])
    return
  }
  const { status: end, error, progress } = await waitUntilImported(tenant, body)
  expect({ end, error }).toEqual({ end: 'COMPLETED', error: null })
  expect(progress.rowsRead).toBe(progress.rowsTotal)
}

describe('files that are hard to read', () => {
  test.each([
    ['without content', ''],
    ['with only a heading', 'Nombre;Teléfono\n'],
    [
      'with a blank heading, and rows too short and too long',
      'Nombre,,Email\nAna\nEva,x,eva@example.com,4\n',
    ],
    ['with breaks inside quotes', 'Name,Phone\n"Ann\nO\'Neil",612345678\n'],
    ['with a quote that is not closed', 'Name,Phone\n"Ann,612345678\nEva,699112233\n'],
    ['without a heading', 'Ana,612345678\nEva,699112233\n'],
    ['with a byte order mark', '\ufeffNombre;Teléfono\nAna;612345678\n'],
    ['of one column', 'Teléfono\n612345678\n'],
    ['of lines that are not a table', 'Una frase.\nOtra frase, más larga; y otra.\n'],
  ])('%s', (_what, file) => expectImportedOrRefused(file))
})

describeShared('every file that others have found hard to read', () => {
  const names = listShared('fixtures/csv').filter(name => !name.endsWith('.md'))

  test.each(names)('%s is imported, or refused with a sentence', name =>
    expectImportedOrRefused(
      readSharedBytes(`fixtures/csv/${name}`),
      name.endsWith('.json') ? 'application/x-ndjson' : 'text/csv',
    ),
  )
})

describe('a file that is too large', () => {
  test('by itself is refused before it is uploaded', async () => {
    const headers = {
      'x-api-key': tenant.key,
      'content-type': 'text/csv',
      'content-length': 300 * 1024 * 1024,
    }
    const outgoing = request(`${app.url}/public/v1/leads/imports`, { method: 'POST', headers })
    outgoing.on('error', () => {}).write('Nombre')
    const [reply] = await once(outgoing, 'response')
    outgoing.destroy()
    expect(reply.statusCode).toBe(413)
  })

  test('together with the waiting files is refused until one of them is done', async () => {
    const { id } = await importFile(tenant, english, { dryRun: true })
    await tenant.inTenant(tx =>
      sql`update imports set bytes = 2147483640 where tenant_id = ${tenant.tenantId}`.execute(tx),
    )
    expect(await sendFile(tenant, english)).toMatchObject({ status: 429, body: { code: 'QUOTA_EXCEEDED' } })
    await tenant.call('DELETE', `/leads/imports/${id}`)
    expect((await sendFile(tenant, english)).status).toBe(202)
  })
})

describe('a file that is not a table', () => {
  test.each([
    ['nothing', '', 'FILE_EMPTY'],
    ['a workbook', Buffer.from('504b0304140006000800786c2f776f726b626f6f6b', 'hex'), 'EXCEL_WORKBOOK'],
    ['a PDF', '%PDF-1.7\n', 'PDF'],
    ['a long page, whose head is parsed in a thread', `<html>${'<p>x</p>'.repeat(10_000)}`, 'HTML_PAGE'],
    ['an array of JSON', '[{"a": 1}]', 'JSON'],
    ['an unclosed quote', 'a,b\n1,"2\n3,4\n', 'QUOTE_NOT_CLOSED'],
    ['words without headings', 'Marta Soler;Ático;Barcelona\nEva Gil;Bajo;Vigo\n', 'HEADINGS_UNKNOWN'],
    [
      'a table that is sent as NDJSON',
      'Nombre,Email\nAna,ana@x.es\n',
      'NO_JSON_LINES',
      'application/x-ndjson',
    ],
  ])('%s is refused at once, and nothing is stored', async (_what, file, code, contentType = 'text/csv') => {
    const { status, body } = await sendFile(tenant, file as string, { contentType })
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', errors: [{ path: '', code }] },
    })
    expect((await tenant.call<{ data: Import[] }>('GET', '/leads/imports')).body.data).toEqual([])
  })

  test('because it lacks headings is accepted with a mapping', async () => {
    const file = 'Marta Soler;Ático;Barcelona\nEva Gil;Bajo;Vigo\n'
    const mapping = { 'column 1': 'contact.name', 'column 3': 'property.municipality' }
    const query = { hasHeadings: false, keepUnknown: false, mapping: JSON.stringify(mapping) }
    const ended = await importFile(tenant, file, query)
    expect(ended).toMatchObject({ mapping, progress: { created: 2 } })
    expect(await byName(tenant)).toMatchObject({ 'Marta Soler': { property: { municipality: 'Barcelona' } } })
  })

  test('in one row only fails that row, with a reason', async () => {
    const long = 'x'.repeat(1_100_000)
    const file = `Nombre,Email,Descripción\nAna,ana@example.com,${long}\nEva,eva@example.com,Piso\n`
    const ended = await importFile(tenant, file)
    expect(ended).toMatchObject({ status: 'COMPLETED', progress: { created: 1, failed: 1 } })
    expect(await listRows(tenant, ended, 'failed')).toMatchObject([
      { rowNumber: 2, reason: 'TOO_LARGE', message: 'The row is longer than 1 MiB.' },
    ])
  })

  test('further down fails there; the rows before are imported', async () => {
    const words = 'Piso luminoso con ascensor y balcón. '.repeat(14)
    const rows = Array.from({ length: 700 }, (_, n) => `Persona ${n},p${n}@example.com,Calle ${n},${words}`)
    const file = `Nombre,Email,Dirección,Descripción\n${rows.join('\n')}\nEva,"eva@example.com,Calle\n`
    const ended = await importFile(tenant, file)
    expect(ended).toMatchObject({
      status: 'FAILED',
      error: { code: 'QUOTE_NOT_CLOSED', message: expect.stringContaining('702') },
      progress: { created: 700, rowsTotal: null },
    })
  })
})
