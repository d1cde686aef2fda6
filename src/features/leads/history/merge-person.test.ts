/** Merges and the person of a lead: withdrawals and status changes while leads are merged are still valid after the undo. */
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
const recordConsent = async (id: string, proof: string) => {
  const body = { kind: 'consent', proof }
  expect((await tenant.call('PUT', `/leads/${id}/lawful-basis`, { body })).status).toBe(200)
}
const withdraw = async (id: string) =>
  expect((await tenant.call('DELETE', `/leads/${id}/lawful-basis`)).status).toBe(204)

interface BasisState {
  proof: string | null
  consented: boolean
  withdrawn: boolean
}
const readBasis = async (id: string) => {
  const { rows } = await tenant.inTenant(tx =>
    sql<BasisState>`
      select lawful_basis_proof as proof, consent_at is not null as consented,
        lawful_basis_withdrawn_at is not null as withdrawn
      from leads where tenant_id = ${tenant.tenantId} and id = ${id} and (lawful_basis is null) = (lawful_basis_at is null)`.execute(
      tx,
    ),
  )
  return rows[0]
}

const withdrawn: BasisState = { proof: null, consented: false, withdrawn: true }
const consented = (proof: string, since: Partial<BasisState> = {}) => ({
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
  after: [one: BasisState, other: BasisState]
}
test.each<Case>([
  {
    what: 'a consent of the absorbed lead',
    consents: ['other'],
    steps: ['withdraw'],
    after: [withdrawn, withdrawn],
  },
  {
    what: 'the consents of both leads',
    consents: ['one', 'other'],
    steps: ['withdraw'],
    after: [withdrawn, withdrawn],
  },
  {
    what: 'a consent of the surviving lead',
    consents: ['one'],
    steps: ['withdraw'],
    after: [withdrawn, withdrawn],
  },
  {
    what: 'a consent that is then recorded again',
    consents: ['other'],
    steps: ['withdraw', 'consent'],
    after: [consented('again', { withdrawn: true }), withdrawn],
  },
  {
    what: 'a consent that has replaced an earlier one',
    consents: ['other'],
    steps: ['consent', 'withdraw'],
    after: [withdrawn, withdrawn],
  },
  {
    what: 'the consent of one of two people',
    phone: '+34612000002',
    consents: ['one', 'other'],
    steps: ['withdraw'],
    after: [withdrawn, consented('other')],
  },
  {
    what: 'none',
    consents: ['other'],
    steps: [],
    after: [{ ...withdrawn, withdrawn: false }, consented('other')],
  },
])('the undo of a merge keeps what was withdrawn since the merge: $what', async one => {
  const { phone = shared, consents, steps, after } = one
  const ids = {
    one: await make({ phone }, 'Calle 1'),
    other: await make({ email: 'a@example.com', identifiers: [shared] }, 'Calle 2'),
  }
  for (const whose of consents) await recordConsent(ids[whose], whose)
  const mergeId = await merge(ids.one, ids.other)
  for (const step of steps) await (step === 'withdraw' ? withdraw(ids.one) : recordConsent(ids.one, 'again'))
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
  ['the absorbed lead', ['other']],
  ['the surviving lead', ['one']],
  ['both, the absorbed lead last', ['one', 'other']],
  ['both, the surviving lead last', ['other', 'one']],
  ['neither', []],
] as const)(
  'a merge keeps the latest status change, and its undo restores both: %s was changed',
  async (_what, changed) => {
    const ids = { one: await make({ phone: shared }, 'Calle 1'), other: await make({}, 'Calle 2') }
    for (const whose of changed) await setStatus(ids[whose], 'contacted')
    const before = { one: await readStatusTime(ids.one), other: await readStatusTime(ids.other) }
    const mergeId = await merge(ids.one, ids.other)
    const last = changed.at(-1)
    expect(await readStatusTime(ids.one)).toBe(last ? before[last] : null)
    await undo(ids.one, mergeId)
    expect({ one: await readStatusTime(ids.one), other: await readStatusTime(ids.other) }).toEqual(before)
  },
)

test('a status change while the leads were merged belongs to the surviving lead', async () => {
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
