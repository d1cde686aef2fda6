/** The suppression list over HTTP: what is added, told, checked and removed, and never whom it is about. */
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

test('somebody is found however they are written, and in no other workspace', async () => {
  const own = await makeTenant(app)
  await add(own, { identifiers: [phone('612 34 56 78'), email('Marta@Bücher.es')], note: 'asked' })
  const written = [phone('+34 612-345-678'), phone('0034612345678'), email('mailto:marta@xn--bcher-kva.es')]
  expect(await check(own, [...written, phone('612345679')])).toEqual([['asked'], ['asked'], ['asked'], []])
  expect(await check(tenant, written)).toEqual([[], [], []])
})

test('a WhatsApp chat stands for its telephone, and is told as two entries', async () => {
  const own = await makeTenant(app)
  const entries = await add(own, { identifiers: [chat('whatsapp:34612345678')], kind: 'opt_out' })
  expect(entries.map(({ identifierKind }) => identifierKind).sort()).toEqual(['chat', 'phone'])
  expect(await check(own, [phone('612345678')])).toEqual([['opt-out']])
})

test('what stands there already is told and not added again; for another channel or reason it is', async () => {
  const own = await makeTenant(app)
  const identifiers = [phone('612345678')]
  const [first] = await add(own, { identifiers })
  expect(await add(own, { identifiers })).toEqual([first])
  const [other] = await add(own, { identifiers, channel: 'chat' })
  const [final] = await add(own, { identifiers, kind: 'opt_out' })
  expect(new Set([first!.id, other!.id, final!.id]).size).toBe(3)
})

test('entries are listed newest first, page by page, without a word of whom they are about', async () => {
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

test('an identifier that can not be read is refused with its place, and nothing is added', async () => {
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
  test('is imported row by row; what can not be read is told, what is known is not added again', async () => {
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

  test('gives way to a new edition without losing anybody for a moment', async () => {
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

  test('of ten thousand is taken in one call, and of one more is refused', async () => {
    const own = await makeTenant(app)
    const identifiers = Array.from({ length: 10_001 }, (_, at) => email(`p${at}@example.com`))
    expect((await importList(own, { listName: 'L', identifiers })).status).toBe(400)
    const taken = await importList(own, { listName: 'L', identifiers: identifiers.slice(1) })
    expect(taken.body).toMatchObject({ added: 10_000, existing: 0, removed: 0, invalid: [] })
  })
})

test('an entry is told by its id', async () => {
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
