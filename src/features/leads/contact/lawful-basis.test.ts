/** Recording and withdrawing a lawful basis. After a withdrawal, a file can record only a later one. */
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
  ['an earlier one', 'consent', old, null],
  ['one without a date', 'legitimate_interest', null, null],
  ['a later one', 'consent', '2099-01-01T00:00:00.000Z', 'consent'],
])(
  'after a withdrawal, an import records only a later basis: %s (%s of %s)',
  async (_what, kind, at, after) => {
    const leadId = await makeLead()
    await put(leadId, { kind: 'consent', proof: 'signed', recordedAt: old })
    expect((await withdraw(leadId)).status).toBe(204)
    const basis = { leadId, kind: kind as 'consent', at, proof: 'Row 2 says so.', by: null, isNew: false }
    const added = await tenant.inTenant(tx => recordImportedBases(tx, [basis]))
    expect([added.has(leadId), await getBasisKind(leadId)]).toEqual([after !== null, after])
  },
)

test('a withdrawn basis can be recorded again by hand', async () => {
  const leadId = await makeLead()
  const basis = { kind: 'consent', proof: 'signed', recordedAt: old }
  await put(leadId, basis)
  await withdraw(leadId)
  expect((await put(leadId, basis)).status).toBe(200)
  expect(await getBasisKind(leadId)).toBe('consent')
})

test.each(['9999-12-31T23:59:59-14:00', '0001-01-01T00:00:00+14:00', '2016-12-31T23:59:60Z'])(
  'the time %s, which can not be stored, is refused',
  async recordedAt => {
    const { status, body } = await put(await makeLead(), { kind: 'consent', recordedAt })
    expect([status, body.errors?.[0]?.path]).toEqual([400, '/recordedAt'])
  },
)

test('errors of its times are reported together with those of the schema, also nested', async () => {
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
