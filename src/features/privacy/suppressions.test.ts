/** The suppression list over HTTP: add, list, check, import and remove, without revealing identifiers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { suppress } from './suppression-list.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

interface Entry {
  id: string
  kind: string
  identifierKind: string
  channel: string | null
  listName: string | null
}

const phone = (value: string) => ({ kind: 'phone', value })
const email = (value: string) => ({ kind: 'email', value })
const chat = (value: string) => ({ kind: 'chat', value })

async function add(owner: TestTenant, body: object): Promise<Entry[]> {
  const reply = await owner.call<{ data: Entry[] }>('POST', '/suppressions', { body })
  expect(reply.status).toBe(201)
  return reply.body.data
}

async function check(owner: TestTenant, identifiers: object[]): Promise<string[][]> {
  const { body } = await owner.call<{ data: { suppressed: boolean; suppressions: { source: string }[] }[] }>(
    'POST',
    '/suppressions/check',
    { body: { identifiers } },
  )
  return body.data.map(({ suppressed, suppressions }) => {
    expect(suppressed).toBe(suppressions.length > 0)
    return suppressions.map(({ source }) => source)
  })
}

const importList = (owner: TestTenant, body: object) =>
  owner.call<{ importedAt: string; added: number; existing: number; removed: number; invalid: object[] }>(
    'POST',
    '/suppressions/imports',
    { body },
  )

test('finds an identifier in any notation, in this workspace only', async () => {
  const own = await makeTenant(app)
  await add(own, { identifiers: [phone('612 34 56 78'), email('Marta@Bücher.es')], note: 'called' })
  const written = [phone('+34 612-345-678'), phone('0034612345678'), email('mailto:marta@xn--bcher-kva.es')]
  expect(await check(own, [...written, phone('612345679')])).toEqual([['called'], ['called'], ['called'], []])
  expect(await check(tenant, written)).toEqual([[], [], []])
})

test('a WhatsApp chat also adds its phone, as two entries', async () => {
  const own = await makeTenant(app)
  const entries = await add(own, { identifiers: [chat('whatsapp:34612345678')], kind: 'opt_out' })
  expect(entries.map(({ identifierKind }) => identifierKind).sort()).toEqual(['chat', 'phone'])
  expect(await check(own, [phone('612345678')])).toEqual([['opt-out']])
})

test('returns an existing entry, and adds one for another channel or kind', async () => {
  const own = await makeTenant(app)
  const identifiers = [phone('612345678')]
  const [first] = await add(own, { identifiers })
  expect(await add(own, { identifiers })).toEqual([first])
  const [other] = await add(own, { identifiers, channel: 'chat' })
  const [final] = await add(own, { identifiers, kind: 'opt_out' })
  expect(new Set([first!.id, other!.id, final!.id]).size).toBe(3)
})

test('lists entries newest first, page by page, without identifiers', async () => {
  const own = await makeTenant(app)
  const added: string[] = []
  for (const number of ['612345671', '612345672', '612345673'])
    added.unshift((await add(own, { identifiers: [phone(number)] }))[0]!.id)
  await importList(own, { listName: 'Robinson', identifiers: [phone('612345674')] })
  const page = (query: string) =>
    own.call<{ data: Entry[]; nextCursor: string | null }>('GET', `/suppressions?${query}`)
  const first = await page('kind=manual&limit=2')
  const rest = await page(`kind=manual&limit=2&cursor=${first.body.nextCursor}`)
  expect([...first.body.data, ...rest.body.data].map(({ id }) => id)).toEqual(added)
  expect(first.text + rest.text).not.toMatch(/6123456/)
  expect((await page('listName=Robinson')).body.data).toMatchObject([
    { kind: 'exclusion_list', listName: 'Robinson', identifierKind: 'phone' },
  ])
})

test('refuses an invalid identifier with its path, and adds nothing', async () => {
  const own = await makeTenant(app)
  const body = { identifiers: [phone('612345678'), phone('12'), email('nobody')] }
  const { status, body: refusal } = await own.call<{ errors: { path: string }[] }>('POST', '/suppressions', {
    body,
  })
  expect([status, refusal.errors.map(({ path }) => path)]).toEqual([
    400,
    ['/identifiers/1/value', '/identifiers/2/value'],
  ])
  expect(await check(own, body.identifiers)).toEqual([[], [], []])
})

describe('an exclusion list', () => {
  test('is imported; invalid identifiers are reported, existing ones not added again', async () => {
    const own = await makeTenant(app)
    const identifiers = [phone('612345678'), phone('nobody'), email('a@b.es'), phone('612 345 678')]
    const list = { listName: 'Lista Robinson', identifiers }
    expect((await importList(own, list)).body).toEqual({
      importedAt: expect.any(String),
      added: 2,
      existing: 0,
      removed: 0,
      invalid: [{ index: 1 }],
    })
    expect((await importList(own, list)).body).toMatchObject({ added: 0, existing: 2 })
    expect(await check(own, [email('A@B.es')])).toEqual([['Lista Robinson']])
  })

  test('is replaced by a new edition without a gap', async () => {
    const own = await makeTenant(app)
    const importNumbers = (numbers: string[], more = {}) =>
      importList(own, { listName: 'R', identifiers: numbers.map(phone), ...more })
    await importNumbers(['612345671', '612345672'])
    await importList(own, { listName: 'other', identifiers: [phone('612345671')] })
    const { importedAt } = (await importNumbers(['612345672'])).body
    const last = await importNumbers(['612345673'], { removeBefore: importedAt })
    expect(last.body).toMatchObject({ added: 1, removed: 1 })
    expect(await check(own, ['612345671', '612345672', '612345673'].map(phone))).toEqual([
      ['other'],
      ['R'],
      ['R'],
    ])
  })

  test('is not emptied by a client whose clock is ahead', async () => {
    const own = await makeTenant(app)
    const list = { listName: 'R', identifiers: [phone('612345671')] }
    const removeBefore = new Date(Date.now() + 5000).toISOString()
    const { status, body } = await own.call<{ errors: { path: string }[] }>('POST', '/suppressions/imports', {
      body: { ...list, removeBefore },
    })
    expect([status, body.errors[0]!.path]).toEqual([400, '/removeBefore'])
    const { importedAt } = (await importList(own, list)).body
    const last = await importList(own, { listName: 'R', identifiers: [], removeBefore: importedAt })
    expect(last.body).toMatchObject({ removed: 0 })
    expect(await check(own, list.identifiers)).toEqual([['R']])
  })

  test('accepts ten thousand identifiers per request, and no more', async () => {
    const own = await makeTenant(app)
    const identifiers = Array.from({ length: 10_001 }, (_, at) => email(`p${at}@example.com`))
    expect((await importList(own, { listName: 'L', identifiers })).status).toBe(400)
    const taken = await importList(own, { listName: 'L', identifiers: identifiers.slice(1) })
    expect(taken.body).toMatchObject({ added: 10_000, existing: 0, removed: 0, invalid: [] })
  })
})

test('gets an entry by id', async () => {
  const own = await makeTenant(app)
  const [entry] = await add(own, { identifiers: [phone('612345678')] })
  expect((await own.call('GET', `/suppressions/${entry!.id}`)).body).toEqual(entry)
  expect((await tenant.call('GET', `/suppressions/${entry!.id}`)).status).toBe(404)
})

test.each([
  ['manual', 204],
  ['exclusion_list', 204],
  ['opt_out', 409],
  ['erased', 409],
] as const)('an entry of the kind %s is removed with %s', async (kind, status) => {
  const own = await makeTenant(app)
  const identifier = { kind: 'phone' as const, value: '+34612345678' }
  const listName = kind === 'exclusion_list' ? 'L' : null
  const { added } = await own.inTenant(tx =>
    suppress(tx, [identifier], { kind, channel: null, listName, note: null, requester: null }),
  )
  const reply = await own.call<{ code?: string }>('DELETE', `/suppressions/${added[0]}`)
  expect(reply.status).toBe(status)
  if (status === 409) expect(reply.body.code).toBe('INVALID_TRANSITION')
  expect((await check(own, [identifier]))[0]!.length).toBe(status === 204 ? 0 : 1)
})
