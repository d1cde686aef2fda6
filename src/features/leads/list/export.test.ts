/**
 * GET /leads/export: all leads of the list, as files that programs, spreadsheets and the import
 * understand.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeTenant, seedListings, type TestTenant } from '../../../../test/tenant.ts'
import { propertyFeatures } from '../../../domain/listing/features.ts'
import { leadFieldNames } from '../../../domain/table/exported-headings.ts'
import { guessMapping } from '../../../domain/table/guess-mapping.ts'
import { openTable } from '../../../domain/table/open-table.ts'
import { parseRow } from '../../../domain/table/parse-row.ts'
import type { Caller } from '../../../kit/auth.ts'
import { hashKeyValue } from '../../../kit/key.ts'
import { Lead } from '../schemas.ts'
import { exportLines } from './export.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
  tenant = await makeTenant(app)
  await seedListings(tenant, {
    plain: {},
    awkward: {
      title: '=HYPERLINK("http://x.example";"gratis")',
      description: 'Dice "reformado"; con patio,\ny vistas.\r\n\r\n+info: ñandú 🏠',
      address: "Passeig de l'Exposició, 12",
      price: 1234.5,
      squareMeters: 86.25,
      latitude: -41.38512,
      longitude: -0.5,
      operation: 'rent',
      condition: 'to_renovate',
      features: [...propertyFeatures],
      images: ['https://portal.example/1.png', 'https://portal.example/2.png?a=1,2'],
      contact: {
        name: '@Núria',
        phone: '+34612345679',
        phoneRaw: '612 34 56 79',
        email: 'nuria@example.com',
        advertiserType: 'agency',
      },
    },
    empty: {
      description: null,
      price: null,
      currency: null,
      squareMeters: null,
      features: [],
      floor: null,
      contact: { name: null, phone: null, phoneRaw: null, email: null, advertiserType: null },
    },
  })
  await tenant.inTenant(tx =>
    sql`
      update leads set status = 'qualified', tags = '{eixample,llamar mañana}', lawful_basis = 'consent',
        consent_at = '2026-11-02T10:00:00Z', lawful_basis_at = '2026-11-02T10:00:00Z',
        custom_fields = '{"Comercial": "Núria", "2ª visita": "", "ruidoso": true, "a@b.example": 5}'
      where tenant_id = ${tenant.tenantId} and contact_name = '@Núria'`.execute(tx),
  )
})
afterAll(() => app.stop())

type Query = Record<string, string>

/** The bytes of the file. */
async function download(query: Query = {}, { key }: { key: string } = tenant): Promise<Buffer> {
  const reply = await fetch(`${app.url}/public/v1/leads/export?${new URLSearchParams(query)}`, {
    headers: { 'x-api-key': key },
  })
  expect(reply.status).toBe(200)
  return Buffer.from(await reply.arrayBuffer())
}

/** The table as the import reads it. */
async function readTable(bytes: Buffer) {
  const table = await openTable(
    (async function* () {
      yield bytes
    })(),
  )
  return { ...table, rows: (await Array.fromAsync(table.rows)).map(row => row.cells) }
}

const parseIds = (ndjson: Buffer) =>
  ndjson
    .toString()
    .split('\n')
    .filter(Boolean)
    .map(line => (JSON.parse(line) as Lead).id)

describe('as NDJSON', () => {
  it('each line is the JSON of its lead, in the order of the list', async () => {
    const lines = (await download({ format: 'ndjson' })).toString().split('\n')
    expect(lines.pop()).toBe('')
    const { data } = await tenant.listLeads()
    const leads = data.map(({ id }) => tenant.call('GET', `/leads/${id}`))
    expect(lines).toEqual((await Promise.all(leads)).map(({ text }) => text))
  })

  it('an export without leads is an empty file', async () => {
    expect((await download({ format: 'ndjson', q: 'nobody' })).length).toBe(0)
  })
})

/** The expected cell of each value of a lead, by its path. */
function toCells(value: unknown, separator: string, path: string[] = []): [path: string, cell: string][] {
  const heading = path.join('.')
  if (heading === 'customFields') return []
  if (typeof value === 'number' && separator === ';') return [[heading, String(value).replace('.', ',')]]
  if (typeof value !== 'object' || value === null) return [[heading, value === null ? '' : String(value)]]
  if (!Array.isArray(value))
    return Object.entries(value).flatMap(([name, inner]) => toCells(inner, separator, [...path, name]))
  const isWords = value.every(item => typeof item === 'string' && !/[,;]/.test(item))
  return [[heading, isWords ? value.join(' | ') : JSON.stringify(value)]]
}

describe.each([',', ';', 'tab'])('as a table separated by %s', separator => {
  it('is UTF-8 that Excel recognises, with the line ends of RFC 4180', async () => {
    const bytes = await download({ separator })
    expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf')
    expect(bytes.toString()).toMatch(/^\ufeffid(,|;|\t)externalId\1status\1contact\.name\1/)
    expect(bytes.toString()).toMatch(/\r\n$/)
  })

  it('has every value of each lead', async () => {
    const { headings, rows, format } = await readTable(await download({ separator }))
    expect(format.separator).toBe(separator === 'tab' ? '\t' : separator)
    const { data } = await tenant.listLeads()
    const records = rows.map(row => Object.fromEntries(row.map((cell, index) => [headings[index], cell])))
    expect(records).toHaveLength(3)
    for (const [at, lead] of data.entries())
      expect(records[at]).toMatchObject(Object.fromEntries(toCells(lead, separator)))
    expect(headings.slice(-4)).toEqual([
      'customFields.2ª visita',
      'customFields.Comercial',
      'customFields.ruidoso',
      'customFields',
    ])
    expect(
      rows
        .map(row => row.slice(-4))
        .toSorted()
        .at(-1),
    ).toEqual(['', 'Núria', 'true', '{ "ruidoso": true, "2ª visita": "", "a@b.example": 5 }'])
  })

  it('is imported again without changes', async () => {
    const { headings, rows } = await readTable(await download({ separator }))
    const mapping = { ...guessMapping(headings, rows), id: 'aldabaId' as const }
    const read = rows.map(row => parseRow(row, mapping, { country: 'ES', currency: 'EUR', headings }))
    const { data } = await tenant.listLeads()
    for (const [at, { lead, problems }] of read.entries()) {
      expect(problems).toEqual([])
      const { contact, property, ...record } = data[at]!
      const withoutNulls = <T extends object>(values: T) =>
        Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
      expect(lead!.property).toEqual(withoutNulls(property))
      expect(lead!.contact).toEqual({
        ...withoutNulls({ name: contact.name, advertiserType: contact.advertiserType }),
        phones: contact.phone ? [contact.phone] : [],
        emails: contact.email ? [contact.email] : [],
      })
      expect(lead).toMatchObject({ aldabaId: record.id, status: record.status, tags: record.tags })
    }
    expect(read.find(({ lead }) => lead!.contact.name === '@Núria')!.lead).toMatchObject({
      customFields: { Comercial: 'Núria', ruidoso: 'true' },
    })
  })
})

describe('a table', () => {
  it('has no cell that a spreadsheet would run', async () => {
    const text = (await download({ separator: ';' })).toString()
    expect(text).toContain(`"'=HYPERLINK(""http://x.example"";""gratis"")"`)
    expect(text).toContain(`"'@Núria"`)
    expect(text).toContain(`"'+34612345679"`)
    expect(text).not.toMatch(/[;"\n]=|[;"][+@]/)
    // A line within a text, which spreadsheets do not run.
    expect(text).toContain('\n+info')
  })

  it('has headings even without leads', async () => {
    const other = await makeTenant(app)
    expect((await download({}, other)).toString()).toMatch(
      /^\ufeffid,externalId,status,[\w.,]+,customFields\r\n$/,
    )
  })

  it('has at most a hundred columns of custom fields; the last column has the others', async () => {
    const other = await makeTenant(app)
    await seedListings(other, { one: {} })
    const fields = Object.fromEntries(
      Array.from({ length: 120 }, (_, at) => [`field ${String(at).padStart(3, '0')}`, `value ${at}`]),
    )
    await other.inTenant(tx =>
      sql`update leads set custom_fields = ${JSON.stringify(fields)}::jsonb where tenant_id = ${other.tenantId}`.execute(
        tx,
      ),
    )
    const { headings, rows } = await readTable(await download({}, other))
    expect(headings.filter(heading => heading.startsWith('customFields.'))).toHaveLength(100)
    expect(rows[0]![headings.indexOf('customFields.field 099')]).toBe('value 99')
    expect(Object.keys(JSON.parse(rows[0]!.at(-1)!))).toEqual(Object.keys(fields).slice(100))
  })
})

describe('the exported leads', () => {
  it.each<Query>([
    {},
    { q: 'nuria' },
    { q: 'piso' },
    { tag: 'eixample' },
    { status: 'qualified' },
    { platform: 'portal_a' },
    { operation: 'rent', maxPrice: '2000' },
    { hasPhone: 'false' },
    { createdAfter: '2100-01-01T00:00:00Z' },
  ])('are those of the list: %j', async query => {
    const listed = (await tenant.listLeads(query)).data.map(({ id }) => id)
    expect(parseIds(await download({ ...query, format: 'ndjson' }))).toEqual(listed)
    const { rows } = await readTable(await download(query))
    expect(rows.map(([id]) => id)).toEqual(listed)
  })

  it.each<Query>([
    { sort: 'price' },
    { limit: '5' },
    { cursor: 'x' },
    { format: 'xlsx' },
    { separator: '|' },
  ])('can not be selected with %j', async query => {
    const { status, body } = await tenant.call<{ errors: { path: string }[] }>(
      'GET',
      `/leads/export?${new URLSearchParams(query)}`,
    )
    expect([status, body.errors[0]!.path]).toEqual([400, `/${Object.keys(query)[0]}`])
  })
})

describe('an export of many leads', () => {
  let manyTenant: TestTenant
  let caller: Caller
  beforeAll(async () => {
    manyTenant = await makeTenant(app)
    await manyTenant.inTenant(tx =>
      sql`
        insert into leads (tenant_id, id, title, created_at, updated_at)
        select ${manyTenant.tenantId}::uuid, ('01980a4e-' || lpad(to_hex(n), 4, '0') || '-7c3e-9d7a-2f6b1c0d9e8f')::uuid, 'Piso ' || n, now(), now()
        from generate_series(1, 3500) n returning true`.execute(tx),
    )
    const { id: keyId, ...holder } = (await app.database.findApiKey(hashKeyValue(manyTenant.key)))!
    caller = { ...holder, keyId, userId: null, role: null, expiresAtMs: null }
  })

  const lines = (signal = new AbortController().signal) =>
    exportLines({ database: app.database, caller, filter: {}, signal })

  it('has each lead once, in the order of the list', async () => {
    const listed = (await manyTenant.listAllLeads()).map(({ id }) => id)
    expect(listed).toHaveLength(3500)
    expect(parseIds(await download({ format: 'ndjson' }, manyTenant))).toEqual(listed)
    const { rows } = await readTable(await download({}, manyTenant))
    expect(rows.map(([id]) => id)).toEqual(listed)
  })

  it('reads no further page after an abort', async () => {
    const controller = new AbortController()
    let count = 0
    for await (const piece of lines(controller.signal)) {
      controller.abort()
      count += piece.split('\n').length - 1
    }
    expect(count).toBe(1000)
  })

  it('ends with an error when its key is revoked meanwhile', async () => {
    const pieces = lines()
    await pieces.next()
    await app.database.owner
      .updateTable('api_keys')
      .set({ revoked_at: new Date() })
      .where('id', '=', caller.keyId)
      .execute()
    await expect(Array.fromAsync(pieces)).rejects.toMatchObject({ code: 'AL401' })
  })
})

it('the import knows every field name of an export', () => {
  expect(leadFieldNames).toEqual(Object.keys(Lead.properties))
})
