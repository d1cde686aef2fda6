/** Files that are hard to read, too large or no tables: they are imported as far as possible, or refused. */
import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { importFile, listRows, sendFile, waitUntilImported } from '../../../test/imports.ts'
import { listShared, readSharedBytes } from '../../../test/shared.ts'
import { describeShared } from '../../../test/shared-tests.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { sql } from '../../kit/db/index.ts'
import type { Import } from './schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const file = `Name,Phone,Email,Listing type,Price,Address,City
Ann O'Neil,+44 7400 123456,ann@example.co.uk,Sale,"350,000","1 High Street",London
`

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

describe('a file that is hard to read is imported, or refused with a sentence:', () => {
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
    const { id } = await importFile(tenant, file, { dryRun: true })
    await tenant.inTenant(tx =>
      sql`update imports set bytes = 2147483640 where tenant_id = ${tenant.tenantId}`.execute(tx),
    )
    expect(await sendFile(tenant, file)).toMatchObject({ status: 429, body: { code: 'QUOTA_EXCEEDED' } })
    await tenant.call('DELETE', `/leads/imports/${id}`)
    expect((await sendFile(tenant, file)).status).toBe(202)
  })

  test('in a single row fails only that row, with a reason', async () => {
    const long = 'x'.repeat(1_100_000)
    const file = `Nombre,Email,Descripción\nAna,ana@example.com,${long}\nEva,eva@example.com,Piso\n`
    const ended = await importFile(tenant, file)
    expect(ended).toMatchObject({ status: 'COMPLETED', progress: { created: 1, failed: 1 } })
    expect(await listRows(tenant, ended, 'failed')).toMatchObject([
      { rowNumber: 2, reason: 'TOO_LARGE', message: 'The row is longer than 1 MiB.' },
    ])
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

  test('for lack of headings is accepted with a mapping', async () => {
    const file = 'Marta Soler;Ático;Barcelona\nEva Gil;Bajo;Vigo\n'
    const mapping = { 'column 1': 'contact.name', 'column 3': 'property.municipality' }
    const query = { hasHeadings: false, keepUnknown: false, mapping: JSON.stringify(mapping) }
    const ended = await importFile(tenant, file, query)
    expect(ended).toMatchObject({ mapping, progress: { created: 2 } })
    expect(
      (await tenant.listAllLeads()).map(lead => [lead.contact.name, lead.property.municipality]),
    ).toContainEqual(['Marta Soler', 'Barcelona'])
  })

  test('after many good rows fails there; the rows before are imported', async () => {
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
