/** The warnings about a file before it is imported, and names that only occur in its later lines. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { importFile, listRows, sendFile, waitUntilImported } from '../../../test/imports.ts'
import { makeTenant } from '../../../test/tenant.ts'
import type { Import } from './schemas.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})
afterAll(() => app.stop())

const toCodes = ({ warnings }: Import) => warnings.map(({ code }) => code)

describe('the reply to an upload', () => {
  test('warns that nobody in it can be contacted, before a row is read', async () => {
    const tenant = await makeTenant(app)
    const file = 'Nombre;Calle;Localizador\nAna;Calle Mayor 1;a 612 34 56 78\n'
    const sent = (await sendFile(tenant, file, { dryRun: true })).body
    expect(toCodes(sent)).toEqual(['NO_CONTACT_COLUMN'])
    expect(sent.warnings[0]!.message).toContain('add it to the mapping')
    expect(toCodes(await waitUntilImported(tenant, sent))).toEqual(['NO_CONTACT_COLUMN'])
    const { body } = await tenant.call<Import>('POST', `/leads/imports/${sent.id}/start`, {
      body: { mapping: { Localizador: 'contact.phone' } },
    })
    expect(toCodes(body)).toEqual([])
    expect(toCodes(await waitUntilImported(tenant, sent))).toEqual([])
  })

  test.each<[what: string, file: string, codes: string[]]>([
    ['a phone', 'Nombre;Móvil\nAna;612345678\n', []],
    ['an e-mail address', 'Nombre;Correo\nAna;ana@example.com\n', []],
    ['a phone recognised by its cells', 'Nombre;Localizador\nAna;612 34 56 78\n', []],
    [
      'a backslash before a separator',
      'Nombre,Calle,Móvil\nAna,Calle Mayor\\, 3,612345678\nEva,Calle Sol\\, 4,612345679\n',
      ['BACKSLASH_BEFORE_SEPARATOR'],
    ],
    ['a backslash within quotes', 'Nombre,Calle,Móvil\nAna,"Calle Mayor\\, 3",612345678\n', []],
    [
      'cells between other quotation characters',
      'Nombre,Calle,Móvil\n#Ana#,#Calle Mayor, 3#,#612345678#\n#Eva#,#Calle Sol, 4#,#612345679#\n',
      ['ODD_QUOTES'],
    ],
    [
      'cells between the quotation marks of a word processor',
      'Nombre;Calle;Móvil\n“Ana”;“Calle Mayor; 3”;612345678\n“Eva”;“Calle Sol; 4”;612345679\n',
      ['ODD_QUOTES'],
    ],
    [
      'Italian numbers',
      'Nome;Cellulare;Tel. fisso\nGiulia;347 1234567;02 6688990\nLuca;339/1112223;\n',
      ['PHONES_FROM_ANOTHER_COUNTRY'],
    ],
    ['a number that is valid nowhere', 'Nombre;Teléfono\nAna;612345678\nEva;12\n', []],
    ['no number yet', 'Nombre;Teléfono\nAna;\n', []],
    ['a number sign here and there', 'Nombre;Calle;Móvil\nAna #1;#2 Calle;612345678\n#3;x#;612345679\n', []],
  ])('has the expected warnings for a file with %s', async (_what, file, codes) => {
    const tenant = await makeTenant(app)
    expect(toCodes((await sendFile(tenant, file, { dryRun: true })).body)).toEqual(codes)
  })

  test('names the country where the numbers are valid', async () => {
    const tenant = await makeTenant(app)
    const file = 'Nome;Telemóvel\nRui;212 345 678\nInês;221 234 567\n'
    const ndjson = '{"nome":"Giulia","cellulare":"347 1234567"}\n'
    const send = async (content: string, query: object) =>
      (await sendFile(tenant, content, { dryRun: true, ...query })).body.warnings.map(
        ({ message }) => message,
      )
    expect(await send(file, {})).toEqual([expect.stringContaining('country=PT')])
    expect(await send(file, { country: 'PT' })).toEqual([])
    expect(await send('Nome;Telefon\nJan;1234\n', {})).toEqual([
      expect.stringContaining('with the parameter country'),
    ])
    expect(await send(ndjson, { contentType: 'application/x-ndjson' })).toEqual([
      expect.stringContaining('country=IT'),
    ])
  })

  test('a row below the head that is split at a backslash has a problem of its own', async () => {
    const tenant = await makeTenant(app)
    const lines = Array.from({ length: 3000 }, (_, n) => `Ana ${n},Calle Mayor ${n},${612_000_000 + n}`)
    const file = ['Nombre,Calle,Móvil,Nota', ...lines, 'Eva,Calle Sol\\, 4,612345679'].join('\n')
    const ended = await importFile(tenant, file, { dryRun: true })
    expect(toCodes(ended)).toEqual([])
    const rowsWithProblems = (await listRows(tenant, ended)).filter(({ problems }) => problems.length > 0)
    expect(rowsWithProblems).toMatchObject([
      { rowNumber: 3002, problems: [{ code: 'BACKSLASH_BEFORE_SEPARATOR' }, { code: 'PHONE_INVALID' }] },
    ])
  })
})

describe('field names of NDJSON that only later lines have', () => {
  const early = Array.from({ length: 150 }, (_, n) => ({ nombre: `Ana ${n}`, calle: `Calle ${n}` }))
  const late = Array.from({ length: 700 }, (_, n) => ({
    nombre: `Eva ${n}`,
    'Tfno. móvil': `6${12_000_000 + n}`,
    correo: `eva${n}@example.com`,
    color: 'rojo',
  }))
  const file = [...early, ...late].map(line => JSON.stringify(line)).join('\n')
  const contentType = 'application/x-ndjson'

  test('are mapped like those of the first lines, in a dry run and in an import', async () => {
    const tenant = await makeTenant(app)
    const dry = await importFile(tenant, file, { contentType, dryRun: true })
    const mapping = {
      nombre: 'contact.name',
      calle: 'property.address',
      color: 'customFields.color',
      'Tfno. móvil': 'contact.phone',
      correo: 'contact.email',
    }
    expect(dry).toMatchObject({ mapping, guessedMapping: { ...mapping, color: null }, warnings: [] })
    const dryRows = await listRows(tenant, dry)
    await tenant.call('POST', `/leads/imports/${dry.id}/start`, { body: {} })
    const ended = await waitUntilImported(tenant, dry)
    expect(ended.progress).toMatchObject({ created: 850, failed: 0 })
    const outcome = (rows: typeof dryRows) =>
      rows.map(({ rowNumber, result, problems }) => ({ rowNumber, result, problems }))
    expect(outcome(await listRows(tenant, ended))).toEqual(outcome(dryRows))
    const leads = await tenant.listAllLeads()
    expect(leads.filter(({ contact }) => contact.phone && contact.email)).toHaveLength(700)
    expect(leads.filter(({ customFields }) => customFields.color === 'rojo')).toHaveLength(700)
    expect(new Set(leads.flatMap(({ customFields }) => Object.keys(customFields)))).toEqual(
      new Set(['color']),
    )
  })

  test('are found after a first line of nearly one MiB', async () => {
    const tenant = await makeTenant(app)
    const first = JSON.stringify({ nombre: 'Ana', móvil: '612345678', largo: 'x'.repeat(900_000) })
    const ended = await importFile(tenant, `${first}\n${file}`, { contentType })
    expect(ended.progress).toMatchObject({ created: 851, failed: 0 })
  })

  test('are reported once if unknown columns are not kept', async () => {
    const tenant = await makeTenant(app)
    const ended = await importFile(tenant, file, { contentType, keepUnknown: false })
    const rowsWithProblems = (await listRows(tenant, ended)).filter(({ problems }) => problems.length > 0)
    expect(rowsWithProblems).toMatchObject([
      { rowNumber: 151, problems: [{ column: 'color', code: 'COLUMN_UNKNOWN' }] },
    ])
    expect(ended.mapping).toMatchObject({ 'Tfno. móvil': 'contact.phone' })
  })
})
