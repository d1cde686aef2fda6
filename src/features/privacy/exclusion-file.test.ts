/** Exclusion lists from files. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { measureShortestBlockMs } from '../../../test/event-loop-block.ts'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp('api')
})
afterAll(() => app.stop())

interface Imported {
  rows: number
  added: number
  existing: number
  removed: number
  unreadable: number
  unreadableRows: number[]
  errors: { code: string }[]
}

const send = (tenant: TestTenant, rawBody: string, query = '') =>
  tenant.call<Imported>('POST', `/suppressions/imports/file?${query}`, { rawBody, contentType: 'text/csv' })

async function isSuppressed(tenant: TestTenant, value: string): Promise<boolean> {
  const identifiers = [{ kind: value.includes('@') ? 'email' : 'phone', value }]
  const { body } = await tenant.call<{ data: { suppressed: boolean }[] }>('POST', '/suppressions/check', {
    body: { identifiers },
  })
  return body.data[0]!.suppressed
}

test('adds the identifiers to the list and reports rows without any', async () => {
  const tenant = await makeTenant(app)
  const { status, body } = await send(
    tenant,
    'Teléfono;Correo\n612 345 671;Ana@x.es\nnobody;\n612345671;\n',
    'listName=Robinson',
  )
  expect(status).toBe(201)
  expect(body).toMatchObject({
    rows: 3,
    added: 2,
    existing: 0,
    removed: 0,
    unreadable: 1,
    unreadableRows: [3],
  })
  expect([await isSuppressed(tenant, '+34612345671'), await isSuppressed(tenant, 'ana@x.es')]).toEqual([
    true,
    true,
  ])
  const list = await tenant.call<{ data: object[] }>('GET', '/suppressions?listName=Robinson')
  expect(list.body.data).toHaveLength(2)
  expect(list.body.data[0]).toMatchObject({ kind: 'exclusion_list', channel: null })
})

test('with replace, a file replaces its list but no other list', async () => {
  const tenant = await makeTenant(app)
  await send(tenant, '612345671\n612345672\n', 'listName=R')
  await send(tenant, '612345671\n', 'listName=other')
  const added = await send(tenant, '612345673\n', 'listName=R&channel=phone')
  expect(added.body).toMatchObject({ added: 1, removed: 0 })
  const { body } = await send(tenant, '612345672\n612345674\n', 'listName=R&replace=true')
  expect(body).toMatchObject({ added: 1, existing: 1, removed: 2 })
  const numbers = [1, 2, 3, 4].map(last => `61234567${last}`)
  expect(await Promise.all(numbers.map(number => isSuppressed(tenant, number)))).toEqual([
    true,
    true,
    false,
    true,
  ])
})

test.each([
  ['contains no identifier', 'Nombre;Ciudad\nAna;Vigo\n', 'NO_IDENTIFIERS'],
  ['is empty', '\n', 'FILE_EMPTY'],
])('a file that %s is refused, and the list is kept', async (_what, file, code) => {
  const tenant = await makeTenant(app)
  await send(tenant, '612345671\n', 'listName=R')
  const { status, body } = await send(tenant, file, 'listName=R&replace=true')
  expect([status, body.errors[0]!.code]).toEqual([400, code])
  expect(await isSuppressed(tenant, '612345671')).toBe(true)
})

test('accepts thousands of rows in one file', async () => {
  const tenant = await makeTenant(app)
  const lines = Array.from({ length: 12_000 }, (_, at) => `p${at}@example.com`)
  expect((await send(tenant, lines.join('\n'))).body).toMatchObject({ rows: 12_000, added: 12_000 })
  expect(await isSuppressed(tenant, 'p11999@example.com')).toBe(true)
})

test('limits identifiers, not only rows', async () => {
  const tenant = await makeTenant(app)
  const rows = Array.from({ length: 1001 }, (_, row) =>
    Array.from({ length: 100 }, (_, at) => `p${row}-${at}@example.com`).join(';'),
  )
  const { status, body } = await send(tenant, rows.join('\n'))
  expect({ status, body }).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
})

test('a long file is parsed by a thread and does not block others', async () => {
  const tenant = await makeTenant(app)
  const blank = ';\n'.repeat(500_000)
  let status = 0
  const sendList = async () => {
    status = (await send(tenant, `Teléfono;Correo\n612345671;\n${blank}`)).status
  }
  expect(await measureShortestBlockMs(sendList, 200)).toBeLessThan(200)
  expect(status).toBe(201)
  expect(await isSuppressed(tenant, '+34612345671')).toBe(true)
})

test('refuses a file with a row over 1 MiB, because its identifiers would be lost', async () => {
  const tenant = await makeTenant(app)
  const { status, body } = await send(tenant, `Teléfono;Notas\n612345671;${'x'.repeat(1_100_000)}\n`)
  expect([status, body.errors[0]!.code]).toEqual([400, 'ROW_TOO_LARGE'])
})
