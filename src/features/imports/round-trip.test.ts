/** Exports and re-imports leads in both formats: every value that the API accepts comes back unchanged. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { importFile, listRows } from '../../../test/imports.ts'
import { makeTenant, seedListings, type TestTenant } from '../../../test/tenant.ts'
import { exportedFields, unusualLead } from '../../../test/unusual-leads.ts'
import type { Listing } from '../../domain/listing/listing.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})
afterAll(() => app.stop())

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
    fc.asyncProperty(fc.array(unusualLead, { minLength: 30, maxLength: 60 }), async leads => {
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
})

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
})

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
