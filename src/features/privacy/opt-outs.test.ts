/** An opt-out is final: it covers all identifiers of a person, whatever changes in their leads. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { makeLeads, makeListing } from '../../../test/make.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import type { Lead } from '../leads/schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

let made = 0
const phone = () => `+346120${String(10_000 + ++made)}`
const email = () => `p${++made}@example.com`

interface Contact {
  phone?: string | null
  email?: string | null
  identifiers?: string[]
  advertiserType?: 'private' | 'agency'
}

/** Creates a lead with a recorded consent. */
async function make(contact: Contact): Promise<string> {
  const property = { address: `Calle ${++made}`, price: made * 1000 }
  const { body } = await tenant.call<Lead>('POST', '/leads', { body: { contact, property } })
  const basis = { kind: 'consent', proof: 'signed' }
  await tenant.call('PUT', `/leads/${body.id}/lawful-basis`, { body: basis })
  return body.id
}

const edit = async (id: string, contact: Contact) => {
  const { status, text } = await tenant.call('PATCH', `/leads/${id}`, { body: { contact } })
  expect(status, text).toBe(200)
}
const getReason = async (id: string) =>
  (await tenant.call<Lead>('GET', `/leads/${id}`)).body.contactability.reason
const suppress = async (value: string, more: object = {}) => {
  const identifiers = [{ kind: value.includes('@') ? 'email' : 'phone', value }]
  const body = { identifiers, kind: 'opt_out', ...more }
  return (await tenant.call<{ data: { id: string }[] }>('POST', '/suppressions', { body })).body.data
}
interface Item {
  type: string
  data: { channel: string | null; keyId: string }
}
const listOptOuts = async (id: string) =>
  (await tenant.call<{ data: Item[] }>('GET', `/leads/${id}/timeline`)).body.data.filter(
    ({ type }) => type === 'lead.opted_out',
  )

test('opts out all identifiers of the person on all their leads, with one event per lead', async () => {
  const [p1, p2, mail, chat] = [phone(), phone(), email(), 'telegram:1234567']
  const one = await make({ phone: p1, email: mail, identifiers: [chat] })
  const two = await make({ phone: p2, email: mail })
  const other = await make({ phone: phone() })
  expect(await suppress(p1)).toHaveLength(4)
  expect(await Promise.all([one, two, other].map(getReason))).toEqual(['OPTED_OUT', 'OPTED_OUT', null])
  expect(await listOptOuts(one)).toMatchObject([{ data: { channel: null, keyId: expect.any(String) } }])
  expect([(await listOptOuts(two)).length, (await listOptOuts(other)).length]).toEqual([1, 0])
  await suppress(mail)
  expect([(await listOptOuts(one)).length, (await listOptOuts(two)).length]).toEqual([1, 1])
})

test('an opt-out of one channel covers that channel; a later one of all channels is emitted too', async () => {
  const mail = email()
  const id = await make({ phone: phone(), email: mail })
  await suppress(mail, { channel: 'email' })
  const { contactability } = (await tenant.call<Lead>('GET', `/leads/${id}`)).body
  expect(contactability.channels).toMatchObject({ email: { reason: 'OPTED_OUT' }, phone: { allowed: true } })
  await suppress(mail)
  expect((await listOptOuts(id)).map(({ data }) => data.channel)).toEqual([null, 'email'])
})

test.each<[string, (p1: string, p2: string) => Contact[]]>([
  ['the phone is removed', () => [{ phone: null }]],
  ['the phone is replaced', (_, p2) => [{ phone: p2 }]],
  [
    'both identifiers are removed, and another is added later',
    () => [{ phone: null, email: null }, { email: email() }],
  ],
  [
    'another phone is added, then the first is removed',
    (p1, p2) => [{ identifiers: [p2, p1] }, { phone: null, identifiers: [p2] }],
  ],
])('an edit does not remove it: %s', async (_what, edits) => {
  const [p1, p2] = [phone(), phone()]
  await suppress(p1)
  const id = await make({ phone: p1, email: email() })
  expect(await getReason(id)).toBe('OPTED_OUT')
  for (const contact of edits(p1, p2)) await edit(id, contact)
  expect(await getReason(id)).toBe('OPTED_OUT')
})

test('an opt-out with a number that a lead has lost does not cover the lead', async () => {
  const wrong = phone()
  const id = await make({ phone: wrong, email: email() })
  await edit(id, { phone: phone() })
  await suppress(wrong)
  await edit(id, { email: email() })
  expect(await getReason(id)).toBe(null)
})

const merge = async (id: string, leadId: string) =>
  (await tenant.call<{ mergeId: string }>('POST', `/leads/${id}/merge`, { body: { leadId } })).body.mergeId
const undo = async (id: string, mergeId: string) => {
  const { status, text } = await tenant.call('POST', `/leads/${id}/merges/${mergeId}/undo`)
  expect(status, text).toBe(200)
}

test('a lead that was merged by mistake with one that opted out is not opted out after the undo', async () => {
  const others = phone()
  const [id, other] = [await make({ phone: phone(), email: email() }), await make({ phone: others })]
  await suppress(others)
  await undo(id, await merge(id, other))
  expect(await Promise.all([id, other].map(getReason))).toEqual([null, 'OPTED_OUT'])
  for (const edited of [id, other]) await edit(edited, { phone: phone() })
  expect(await Promise.all([id, other].map(getReason))).toEqual([null, 'OPTED_OUT'])
})

test('a number from an undone merge counts again once it is edited by hand', async () => {
  const theirs = phone()
  const [id, other] = [await make({ email: email() }), await make({ phone: theirs })]
  await undo(id, await merge(id, other))
  await edit(id, { phone: theirs, email: null })
  await suppress(theirs)
  await edit(id, { phone: null })
  await edit(id, { phone: phone() })
  expect(await getReason(id)).toBe('OPTED_OUT')
})

test('a number that the lead had lost before still counts, although an undone merge added it again', async () => {
  const own = phone()
  const [id, other] = [await make({ phone: own }), await make({ email: email() })]
  await suppress(own)
  await edit(id, { phone: null })
  await edit(other, { phone: own })
  await undo(id, await merge(id, other))
  await edit(id, { phone: phone() })
  expect(await getReason(id)).toBe('OPTED_OUT')
})

test('other kinds of entries cover only their own identifiers', async () => {
  const p1 = phone()
  const id = await make({ phone: p1, email: email() })
  await suppress(p1, { kind: 'manual' })
  expect(await getReason(id)).toBe('SUPPRESSED')
  await edit(id, { phone: null })
  expect([await getReason(id), (await listOptOuts(id)).length]).toEqual([null, 0])
})

test('the phone of an agency does not lead to other identifiers, but a lead with it stays opted out without it', async () => {
  const [shared, own] = [phone(), email()]
  const agency = await make({ phone: shared, advertiserType: 'agency' })
  const owner = await make({ phone: phone(), email: own, identifiers: [shared] })
  expect(await suppress(shared)).toHaveLength(1)
  expect([(await listOptOuts(agency)).length, (await listOptOuts(owner)).length]).toEqual([1, 1])
  await edit(owner, { identifiers: [] })
  expect(await getReason(owner)).toBe('OPTED_OUT')
})

test('an identifier on many leads does not lead to other leads', async () => {
  const [shared, p1] = [email(), phone()]
  const leads = await makeLeads(
    app.database,
    tenant.tenantId,
    Array.from({ length: 21 }, () => ({ contact: { ...makeListing().contact, phone: null, email: shared } })),
  )
  const id = await make({ phone: p1, identifiers: [shared] })
  expect(await suppress(p1)).toHaveLength(1)
  await edit(id, { phone: null })
  expect(await listOptOuts(leads[0]!)).toEqual([])
})
