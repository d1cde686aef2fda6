/** Which lead a row belongs to: ids in several files, repeated portfolios, re-imported exports, and the results of dry runs. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { importFile, listRows, waitUntilImported } from '../../../test/imports.ts'
import { makeTenant, seedListings, type TestTenant } from '../../../test/tenant.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const create = async (body: object) => (await tenant.call<{ id: string }>('POST', '/leads', { body })).body.id
const listNames = async () => (await tenant.listAllLeads()).map(lead => lead.contact.name).toSorted()

describe('an id', () => {
  const first = 'ID;Nombre;Teléfono\n1;Ana Ruiz;612000001\n2;Eva Gil;612000002\n'
  const other = 'ID;Nombre;Teléfono\n1;Pedro López;612000003\n2;Juan Paz;612000004\n'

  test('that another CRM gave to another person is not used, and each row reports it', async () => {
    await importFile(tenant, first)
    const ended = await importFile(tenant, other)
    expect(ended.progress).toMatchObject({ created: 2, updated: 0 })
    expect(await listNames()).toEqual(['Ana Ruiz', 'Eva Gil', 'Juan Paz', 'Pedro López'])
    expect(await listRows(tenant, ended)).toMatchObject([
      { result: 'created', problems: [{ column: 'ID', code: 'ID_CONFLICT' }] },
      { result: 'created', problems: [{ column: 'ID', code: 'ID_CONFLICT' }] },
    ])
    for (const file of [first, other])
      expect((await importFile(tenant, file)).progress).toMatchObject({ created: 0, unchanged: 2 })
  })

  test('shared by several leads identifies the one that matches the rest of the row', async () => {
    const file = (name: string, phone: string, price: string) =>
      `ID;Nombre;Teléfono;Precio\n1;${name};${phone};${price}\n`
    await importFile(tenant, file('Ana Ruiz', '612000001', '100'))
    await importFile(tenant, file('Pedro López', '612000003', '100'))
    expect((await importFile(tenant, file('López, Pedro', '612000009', '120'))).progress).toMatchObject({
      created: 0,
      updated: 1,
    })
    expect((await tenant.listAllLeads()).map(lead => lead.contact.phone).toSorted()).toEqual([
      '+34612000001',
      '+34612000009',
    ])
  })

  test('on many rows of one file identifies no lead, and does not fail the import', async () => {
    await create({ contact: { name: 'Ana', phone: '612000001' } })
    await create({ contact: { name: 'Eva', phone: '612000002' } })
    const rows =
      'WEB;Ana;612000001;Lugo\nWEB;Eva;612000002;Vigo\nWEB;Pau;612000003;Reus\nWEB;Pau;612000003;Reus\n'
    const ended = await importFile(tenant, `Referencia;Nombre;Teléfono;Ciudad\n${rows}`)
    expect(ended).toMatchObject({ error: null, progress: { updated: 2, created: 1, skipped: 1 } })
    expect(await listRows(tenant, ended, 'skipped')).toMatchObject([
      { rowNumber: 5, message: expect.stringContaining('row 4 ') },
    ])
  })

  test('of an erased person can be used by another', async () => {
    await importFile(tenant, first)
    const [eva] = await tenant.listAllLeads()
    await tenant.call('DELETE', `/leads/${eva!.id}?erase=true`)
    expect((await importFile(tenant, other)).progress).toMatchObject({ created: 2, skipped: 0 })
    const again = await importFile(tenant, first)
    expect(await listRows(tenant, again, 'skipped')).toMatchObject([
      { reason: 'SUPPRESSED', message: expect.stringContaining('erased') },
    ])
  })

  test('is removed when its import is undone', async () => {
    await importFile(tenant, first)
    const ended = await importFile(tenant, other)
    await tenant.call('POST', `/leads/imports/${ended.id}/undo`)
    expect((await waitUntilImported(tenant, ended)).progress).toMatchObject({ undone: 2, notReverted: 0 })
    expect(await listNames()).toEqual(['Ana Ruiz', 'Eva Gil'])
  })
})

test('a portfolio whose rows share one phone is unchanged when it is imported again', async () => {
  const rows = Array.from(
    { length: 300 },
    (_, n) => `Finques Pau;934123456;Carrer de Mallorca ${n + 1};${100_000 + n * 1000};${50 + (n % 60)}`,
  )
  const file = `Nombre;Teléfono;Dirección;Precio;Metros\n${rows.join('\n')}\n`
  expect((await importFile(tenant, file)).progress).toMatchObject({ created: 300 })
  expect((await importFile(tenant, file)).progress).toMatchObject({ created: 0, unchanged: 300 })
})

test('a row without contact data is repeated only by an identical row', async () => {
  const row = (name: string, price: number) => `${name};Piso con vistas;Calle Mayor 3;Lugo;${price};80`
  const rows = [row('Ana', 1000), row('Ana', 1000), row('Ana', 1001), row('Eva', 1000)]
  const file = `Nombre;Título anuncio;Dirección;Municipio;Precio;m2\n${rows.join('\n')}\n`
  const ended = await importFile(tenant, file)
  expect(ended.progress).toMatchObject({ created: 3, skipped: 1 })
  expect(await listRows(tenant, ended, 'skipped')).toMatchObject([
    { rowNumber: 3, message: expect.stringContaining('row 2 ') },
  ])
  expect((await importFile(tenant, file)).progress).toMatchObject({ unchanged: 3, skipped: 1 })
})

describe('a re-imported export', () => {
  beforeEach(async () => {
    await seedListings(tenant, {
      '1': { price: 250_000.5, images: ['https://x.example/1.png?a=1;b=2,3', 'https://x.example/2|3.png'] },
      '2': {
        title: 'Otro piso',
        price: 90_000,
        squareMeters: 40,
        address: 'Carrer de Pau, 3',
        latitude: 41.5,
      },
    })
    const id = await create({
      contact: {
        name: 'Núria',
        phone: '612 00 00 09',
        identifiers: ['telegram:nuria', '93 412 34 56', 'n@x.es'],
      },
      tags: ['llamar, mañana', 'a;b|c'],
      status: 'contacted',
      customFields: { vip: true, visits: 3.5, Origen: 'Web, anuncio' },
    })
    const basis = {
      kind: 'consent',
      proof: 'Signed.',
      channels: ['email'],
      expiresAt: '2030-01-01T00:00:00Z',
    }
    await tenant.call('PUT', `/leads/${id}/lawful-basis`, { body: basis })
  })

  test.each([
    ['text/csv', 'format=csv'],
    ['text/csv', 'format=csv&separator=;'],
    ['application/x-ndjson', 'format=ndjson'],
  ])('as %s, %s, changes nothing', async (contentType, query) => {
    const before = await tenant.listAllLeads()
    const ended = await importFile(tenant, (await tenant.call('GET', `/leads/export?${query}`)).text, {
      contentType,
    })
    expect(ended.progress).toMatchObject({ rowsRead: 3, unchanged: 3 })
    expect((await listRows(tenant, ended)).flatMap(row => row.problems)).toEqual([])
    const withoutSources = ({ sources: _sources, ...lead }: (typeof before)[number]) => lead
    expect((await tenant.listAllLeads()).map(withoutSources)).toEqual(before.map(withoutSources))
  })

  test('in another workspace creates leads with the writable fields, without a lawful basis', async () => {
    const file = (await tenant.call('GET', '/leads/export?status=contacted')).text
    const other = await makeTenant(app)
    await importFile(other, file)
    expect(await other.listAllLeads()).toMatchObject([
      {
        contact: { name: 'Núria', phone: '+34612000009' },
        status: 'contacted',
        tags: ['llamar, mañana', 'a;b|c'],
        customFields: { Origen: 'Web, anuncio' },
        contactability: { lawfulBasis: null },
      },
    ])
    const contact = (await other.listAllLeads())[0]!.contact as unknown as { identifiers: string[] }
    expect(contact.identifiers.toSorted()).toEqual(['+34934123456', 'n@x.es', 'telegram:nuria'])
  })
})

test('phones are parsed for the country of the file, if it is given', async () => {
  const file = 'Nome;Telemóvel\nInês;912 345 678\n'
  await importFile(tenant, file, { country: 'PT' })
  expect((await tenant.listAllLeads()).map(lead => lead.contact.phone)).toEqual(['+351912345678'])
  expect((await importFile(tenant, file, { country: 'PT' })).progress).toMatchObject({ unchanged: 1 })
})

test('a known lead is seen at the time of the import', async () => {
  await seedListings(tenant, { '1': {} })
  const [known] = await tenant.listAllLeads()
  const ended = await importFile(tenant, `Nombre;Teléfono\n${known!.contact.name};${known!.contact.phone}\n`)
  const source = (await tenant.listAllLeads())[0]!.sources.find(({ importId }) => importId === ended.id)
  expect(Date.parse(source!.firstSeenAt)).toBeGreaterThanOrEqual(Date.parse(ended.startedAt!))
})

describe('a dry run predicts the results', () => {
  const others = Array.from({ length: 510 }, (_, n) => `P${n};6130${String(n).padStart(5, '0')};;;`)
  test.each([
    ['a note for a known lead', ['Ana Ruiz;612000001;;Llamar;']],
    [
      'a person, and far below a property of the same person',
      ['Eva;612000002;;;', ...others, 'Eva;612000002;Calle 3;;'],
    ],
    ['a phone from a row far above', ['Ana;612000001 / 612000007;;;', ...others, 'X;612000007;;;']],
    [
      'similar and different flats, far apart',
      [
        'Eva;612000002;Calle 3;;',
        'Eva;612000002;Calle 5;;',
        ...others,
        'Eva;612000002;Calle 3;;',
        'Eva;612000002;Calle 9;;',
      ],
    ],
    [
      'repeated ids',
      ['Eva;612000002;Calle 3;;7', 'Pau;612000003;;;7', ...others, 'Eva;;Calle 3;;7', 'Pau;;;;7'],
    ],
  ])('for %s', async (_what, rows) => {
    await create({ contact: { name: 'Ana Ruiz', phone: '612000001' } })
    const file = `Nombre;Teléfono;Dirección;Notas;Referencia;Título anuncio;Precio;m2\n${rows.join('\n')}\n`
    const dry = await importFile(tenant, file, { dryRun: true })
    const rowsBefore = await listRows(tenant, dry)
    await tenant.call('POST', `/leads/imports/${dry.id}/start`, { body: {} })
    const { progress } = await waitUntilImported(tenant, dry)
    expect(dry.progress).toEqual(progress)
    const withoutLeadId = (row: (typeof rowsBefore)[number]) => ({ ...row, leadId: null })
    expect(rowsBefore.map(withoutLeadId)).toEqual((await listRows(tenant, dry)).map(withoutLeadId))
  })
})
