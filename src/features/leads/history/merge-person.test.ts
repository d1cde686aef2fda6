/** Of the person of two leads that were made one: what is said and done meanwhile holds when they are parted. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import type { Lead } from '../schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app)
})

interface Contact {
  phone?: string
  email?: string
  identifiers?: string[]
}
const make = async (contact: Contact, address: string) =>
  (await tenant.call<Lead>('POST', '/leads', { body: { contact, property: { address } } })).body.id
const merge = async (id: string, leadId: string) =>
  (await tenant.call<{ mergeId: string }>('POST', `/leads/${id}/merge`, { body: { leadId } })).body.mergeId
const undo = async (id: string, mergeId: string) => {
  const { status, text } = await tenant.call('POST', `/leads/${id}/merges/${mergeId}/undo`)
  expect(status, text).toBe(200)
}
const consent = async (id: string, proof: string) => {
  const body = { kind: 'consent', proof }
  expect((await tenant.call('PUT', `/leads/${id}/lawful-basis`, { body })).status).toBe(200)
}
const withdraw = async (id: string) =>
  expect((await tenant.call('DELETE', `/leads/${id}/lawful-basis`)).status).toBe(204)

interface Stored {
  proof: string | null
  consented: boolean
  withdrawn: boolean
}
const readBasis = async (id: string) => {
  const { rows } = await tenant.inTenant(tx =>
    sql<Stored>`
      select lawful_basis_proof as proof, consent_at is not null as consented,
        lawful_basis_withdrawn_at is not null as withdrawn
      from leads where tenant_id = ${tenant.tenantId} and id = ${id} and (lawful_basis is null) = (lawful_basis_at is null)`.execute(
      tx,
    ),
  )
  return rows[0]
}

const withdrawn: Stored = { proof: null, consented: false, withdrawn: true }
const given = (proof: string, since: Partial<Stored> = {}) => ({
  proof,
  consented: true,
  withdrawn: false,
  ...since,
})
const shared = '+34612000001'
interface Case {
  what: string
  phone?: string
  consents: ('one' | 'other')[]
  steps: ('withdraw' | 'consent')[]
  after: [one: Stored, other: Stored]
}
test.each<Case>([
  { what: 'taken over', consents: ['other'], steps: ['withdraw'], after: [withdrawn, withdrawn] },
  { what: 'given to both', consents: ['one', 'other'], steps: ['withdraw'], after: [withdrawn, withdrawn] },
  { what: 'of the first', consents: ['one'], steps: ['withdraw'], after: [withdrawn, withdrawn] },
  {
    what: 'recorded anew',
    consents: ['other'],
    steps: ['withdraw', 'consent'],
    after: [given('anew', { withdrawn: true }), withdrawn],
  },
  {
    what: 'in place of another',
    consents: ['other'],
    steps: ['consent', 'withdraw'],
    after: [withdrawn, withdrawn],
  },
  {
    what: 'of another person',
    phone: '+34612000002',
    consents: ['one', 'other'],
    steps: ['withdraw'],
    after: [withdrawn, given('other')],
  },
  {
    what: 'not withdrawn',
    consents: ['other'],
    steps: [],
    after: [{ ...withdrawn, withdrawn: false }, given('other')],
  },
])('a consent that was withdrawn while they were one stays withdrawn: $what', async one => {
  const { phone = shared, consents, steps, after } = one
  const ids = {
    one: await make({ phone }, 'Calle 1'),
    other: await make({ email: 'a@example.com', identifiers: [shared] }, 'Calle 2'),
  }
  for (const whose of consents) await consent(ids[whose], whose)
  const mergeId = await merge(ids.one, ids.other)
  for (const step of steps) await (step === 'withdraw' ? withdraw(ids.one) : consent(ids.one, 'anew'))
  await undo(ids.one, mergeId)
  expect([await readBasis(ids.one), await readBasis(ids.other)]).toEqual(after)
})

const readStatusTime = async (id: string) => {
  const { rows } = await tenant.inTenant(tx =>
    sql<{
      at: string | null
    }>`select status_changed_at::text as at from leads where tenant_id = ${tenant.tenantId} and id = ${id}`.execute(
      tx,
    ),
  )
  return rows[0]!.at
}
const setStatus = (id: string, status: string) => tenant.call('PATCH', `/leads/${id}`, { body: { status } })

test.each([
  ['the one that went', ['other']],
  ['the one that stays', ['one']],
  ['both, the one that went last', ['one', 'other']],
  ['both, the one that stays last', ['other', 'one']],
  ['neither', []],
] as const)(
  'a lead is dealt with that was made one with another after %s was moved on',
  async (_what, moved) => {
    const ids = { one: await make({ phone: shared }, 'Calle 1'), other: await make({}, 'Calle 2') }
    for (const whose of moved) await setStatus(ids[whose], 'contacted')
    const before = { one: await readStatusTime(ids.one), other: await readStatusTime(ids.other) }
    const mergeId = await merge(ids.one, ids.other)
    const last = moved.at(-1)
    expect(await readStatusTime(ids.one)).toBe(last ? before[last] : null)
    await undo(ids.one, mergeId)
    expect({ one: await readStatusTime(ids.one), other: await readStatusTime(ids.other) }).toEqual(before)
  },
)

test('a lead that was moved on while it was one with another was moved on itself', async () => {
  const [one, other] = [await make({ phone: shared }, 'Calle 1'), await make({}, 'Calle 2')]
  await setStatus(other, 'contacted')
  const before = await readStatusTime(other)
  const mergeId = await merge(one, other)
  await setStatus(one, 'won')
  const after = await readStatusTime(one)
  expect(after).not.toBe(before)
  await undo(one, mergeId)
  expect([await readStatusTime(one), await readStatusTime(other)]).toEqual([after, before])
})
