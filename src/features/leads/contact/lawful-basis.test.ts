/** A lawful basis that is recorded and withdrawn: who did it is told, and no file brings it back. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import type { Lead } from '../schemas.ts'
import { recordImportedBases } from '../service.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

const makeLead = async () =>
  (await tenant.call<Lead>('POST', '/leads', { body: { contact: { name: 'Ana' } } })).body.id
const put = (leadId: string, body: object) =>
  tenant.call<{ errors: { path: string }[] }>('PUT', `/leads/${leadId}/lawful-basis`, { body })
const getBasisKind = async (leadId: string) =>
  (await tenant.call<Lead>('GET', `/leads/${leadId}`)).body.contactability.lawfulBasis
const withdraw = (leadId: string) => tenant.call('DELETE', `/leads/${leadId}/lawful-basis`)

const old = '2026-01-01T00:00:00.000Z'
test.each<[string, string, string | null, string | null]>([
  ['one of before that', 'consent', old, null],
  ['one of nobody knows when', 'legitimate_interest', null, null],
  ['one that was given since', 'consent', '2099-01-01T00:00:00.000Z', 'consent'],
])(
  'a file brings back, of a lead whose basis was withdrawn, %s: %s of %s',
  async (_what, kind, at, after) => {
    const leadId = await makeLead()
    await put(leadId, { kind: 'consent', proof: 'signed', recordedAt: old })
    expect((await withdraw(leadId)).status).toBe(204)
    const basis = { leadId, kind: kind as 'consent', at, proof: 'Row 2 says so.', by: null, isNew: false }
    const added = await tenant.inTenant(tx => recordImportedBases(tx, [basis]))
    expect([added.has(leadId), await getBasisKind(leadId)]).toEqual([after !== null, after])
  },
)

test('whoever withdraws it may have been wrong: it is recorded again by hand, as it was', async () => {
  const leadId = await makeLead()
  const basis = { kind: 'consent', proof: 'signed', recordedAt: old }
  await put(leadId, basis)
  await withdraw(leadId)
  expect((await put(leadId, basis)).status).toBe(200)
  expect(await getBasisKind(leadId)).toBe('consent')
})

test.each(['9999-12-31T23:59:59-14:00', '0001-01-01T00:00:00+14:00', '2016-12-31T23:59:60Z'])(
  'one that is recorded at %s, which no time can be kept as, is refused',
  async recordedAt => {
    const { status, body } = await put(await makeLead(), { kind: 'consent', recordedAt })
    expect([status, body.errors?.[0]?.path]).toEqual([400, '/recordedAt'])
  },
)

test('what is wrong with its times is reported together with the errors of the schema, nested as well', async () => {
  const lawfulBasis = {
    kind: 'friendship',
    recordedAt: '2099-01-01T00:00:00Z',
    noticeSentAt: '2099-01-01T00:00:00Z',
    expiresAt: old,
  }
  const errors = [
    '/expiresAt TOO_EARLY',
    '/kind NOT_ALLOWED',
    '/noticeSentAt TOO_LATE',
    '/recordedAt TOO_LATE',
  ]
  interface Refused {
    errors: { path: string; code: string }[]
  }
  const toErrorList = ({ errors }: Refused) => errors.map(({ path, code }) => `${path} ${code}`).sort()
  const leadId = await makeLead()
  const one = await tenant.call<Refused>('PUT', `/leads/${leadId}/lawful-basis`, { body: lawfulBasis })
  expect(toErrorList(one.body)).toEqual(errors)
  const body = { ids: [leadId, 'none'], changes: { status: 'odd', lawfulBasis } }
  const many = await tenant.call<Refused>('PATCH', '/leads', { body })
  expect(toErrorList(many.body)).toEqual([
    ...errors.map(error => `/changes/lawfulBasis${error}`),
    '/changes/status NOT_ALLOWED',
    '/ids/1 WRONG_FORMAT',
  ])
})
