/** `contactability` of leads, in the list and by id. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { changeLeadRows, makeListing } from '../../../test/make.ts'
import { makeTenant, seedListings, type TestTenant } from '../../../test/tenant.ts'
import type { Listing } from '../../domain/listing/listing.ts'
import { withdrawListings } from '../leads/listings/lead-sources.ts'
import type { Lead } from '../leads/schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

let made = 0
/** A lead with its own phone. */
async function makeLead(overrides: Partial<Listing> = {}): Promise<{ id: string; phone: string }> {
  const phone = `+346${String(10_000_000 + ++made)}`
  const contact = { ...makeListing().contact, phone, phoneRaw: phone }
  const [stored] = await seedListings(tenant, {
    [`listing ${made}`]: { contact, address: `Carrer ${made}`, price: 1000 * made, ...overrides },
  })
  return { id: stored!.leadId!, phone }
}

async function getContactability(leadId: string): Promise<Lead['contactability']> {
  return (await tenant.call<Lead>('GET', `/leads/${leadId}`)).body.contactability
}

async function record(leadId: string, body: object): Promise<void> {
  const { status, text } = await tenant.call('PUT', `/leads/${leadId}/lawful-basis`, { body })
  expect(status, text).toBe(200)
}

const suppressPhone = (value: string, more: object) =>
  tenant.call('POST', '/suppressions', { body: { identifiers: [{ kind: 'phone', value }], ...more } })

test('a lead from a portal may not be contacted until a basis is recorded, nor after it is withdrawn', async () => {
  const { id } = await makeLead()
  const none = { allowed: false, reason: 'NO_LAWFUL_BASIS' }
  expect(await getContactability(id)).toEqual({
    ...none,
    message: 'No lawful basis for contacting this person is recorded.',
    channels: { chat: none, phone: none, email: none },
    obligations: [],
    noAgencies: false,
    lawfulBasis: null,
    consentAt: null,
    noticeSentAt: null,
    answerUntil: null,
  })
  expect((await tenant.call('GET', `/leads/${id}/lawful-basis`)).status).toBe(404)
  const recordedAt = '2026-10-01T10:00:00.000Z'
  await record(id, { kind: 'consent', proof: 'signed', recordedAt })
  expect(await getContactability(id)).toMatchObject({
    allowed: true,
    reason: null,
    message: null,
    lawfulBasis: 'consent',
    consentAt: recordedAt,
    channels: { chat: { allowed: true }, phone: { allowed: true }, email: { reason: 'NO_CHANNEL' } },
    obligations: ['INCLUDE_NOTICE'],
  })
  expect((await tenant.call('GET', `/leads/${id}/lawful-basis`)).body).toMatchObject({
    kind: 'consent',
    proof: 'signed',
    recordedAt,
    channels: null,
    expiresAt: null,
    recordedBy: null,
  })
  expect((await tenant.call('DELETE', `/leads/${id}/lawful-basis`)).status).toBe(204)
  expect((await tenant.call('DELETE', `/leads/${id}/lawful-basis`)).status).toBe(404)
  expect(await getContactability(id)).toMatchObject({ ...none, consentAt: null })
})

test.each([
  [{ kind: 'consent' }, 'BASIS_NOT_PROVEN'],
  [{ kind: 'legitimate_interest', channels: ['email'] }, 'CHANNEL_NOT_COVERED'],
  [
    { kind: 'contract', recordedAt: '2026-01-01T00:00:00Z', expiresAt: '2026-01-02T00:00:00Z' },
    'BASIS_EXPIRED',
  ],
  [{ kind: 'legitimate_interest' }, null],
])('a basis %j for contact by phone: %s', async (basis, reason) => {
  const { id } = await makeLead()
  await record(id, basis)
  expect((await getContactability(id)).channels.phone).toEqual({ allowed: reason === null, reason })
})

test('keeps the time of the notice if the basis changes', async () => {
  const { id } = await makeLead()
  const noticeSentAt = '2026-10-01T10:00:00.000Z'
  await record(id, { kind: 'contract', noticeSentAt })
  await record(id, { kind: 'legitimate_interest' })
  expect(await getContactability(id)).toMatchObject({ allowed: true, noticeSentAt, obligations: [] })
})

test.each([
  [{ recordedAt: '2026-01-02T00:00:00Z', expiresAt: '2026-01-01T00:00:00Z' }, '/expiresAt'],
  [{ recordedAt: '2026-01-02T00:00:60Z' }, '/recordedAt'],
  [{ recordedAt: '2999-01-01T00:00:00Z' }, '/recordedAt'],
  [{ noticeSentAt: '2999-01-01T00:00:00Z' }, '/noticeSentAt'],
  [{ channels: ['pigeon'] }, '/channels/0'],
])('refuses an invalid basis: %j', async (wrong, path) => {
  const { id } = await makeLead()
  const { status, body } = await tenant.call<{ errors: { path: string }[] }>(
    'PUT',
    `/leads/${id}/lawful-basis`,
    { body: { kind: 'contract', ...wrong } },
  )
  expect([status, body.errors[0]!.path]).toEqual([400, path])
})

test('the list agrees with each lead, with suppressions of phones, e-mail addresses and further identifiers', async () => {
  const own = await makeTenant(app)
  const contacts = [
    { phone: '+34612000001' },
    { email: 'ana@example.com' },
    { phone: '+34612000003', identifiers: ['whatsapp:34612000004'] },
    { phone: '+34612000005' },
  ]
  for (const contact of contacts) await own.call('POST', '/leads', { body: { contact } })
  const leads = (await own.listAllLeads()).toReversed()
  for (const { id } of leads)
    await own.call('PUT', `/leads/${id}/lawful-basis`, { body: { kind: 'contract', noticeSentAt: null } })
  const entries = [
    { identifiers: [{ kind: 'phone', value: '612000001' }], kind: 'opt_out' },
    {
      identifiers: [{ kind: 'email', value: 'Ana@example.com' }],
      note: 'a "competitor" ] of ours, \\ he says',
    },
    { identifiers: [{ kind: 'chat', value: 'whatsapp:34612000004' }], channel: 'chat' },
  ]
  for (const body of entries) expect((await own.call('POST', '/suppressions', { body })).status).toBe(201)
  const listed = (await own.listAllLeads()).toReversed()
  expect(listed.map(({ contactability }) => contactability.reason)).toEqual([
    'OPTED_OUT',
    'SUPPRESSED',
    null,
    null,
  ])
  expect(listed[1]!.contactability.message).toMatch(/Source: a "competitor" \] of ours, \\ he says, \d{4}-/)
  expect(listed[2]!.contactability.channels).toMatchObject({
    chat: { allowed: false, reason: 'SUPPRESSED' },
    phone: { allowed: true },
  })
  for (const lead of listed) expect((await own.call('GET', `/leads/${lead.id}`)).body).toEqual(lead)
})

test('an opt-out has priority over a later consent', async () => {
  const { id, phone } = await makeLead()
  await suppressPhone(phone, { kind: 'opt_out' })
  await record(id, { kind: 'consent', proof: 'signed' })
  expect(await getContactability(id)).toMatchObject({ allowed: false, reason: 'OPTED_OUT' })
})

test('noAgencies is true while a current listing of either portal says so', async () => {
  const own = await makeTenant(app)
  const words = { description: 'Piso luminoso. Abstenerse agencias.' }
  const [stored] = await seedListings(own, { plain: {} })
  await seedListings(own, { spoken: words }, { platform: 'portal_b' })
  const readNoAgencies = async () => {
    const [lead] = await own.listAllLeads()
    return [lead!.id === stored!.leadId, lead!.contactability.noAgencies]
  }
  expect(await readNoAgencies()).toEqual([true, true])
  await seedListings(own, { plain: { price: 310_000 } })
  expect(await readNoAgencies()).toEqual([true, true])
  await own.inTenant(tx => withdrawListings(tx, 'portal_b', ['spoken']))
  expect(await readNoAgencies()).toEqual([true, false])
  await seedListings(own, { plain: words })
  await own.inTenant(tx => withdrawListings(tx, 'portal_a', ['plain']))
  expect(await readNoAgencies()).toEqual([true, true])
})

test('texts of people are never read as facts', async () => {
  const title = '"~contactability":["p"]'
  const { id } = await makeLead({ title, description: `\\${title},` })
  const { body } = await tenant.call<Lead>('GET', `/leads/${id}`)
  expect(body.property).toMatchObject({ title, description: `\\${title},` })
  expect(body.contactability.reason).toBe('NO_LAWFUL_BASIS')
})

test('says until when a person who wrote may be answered, unless they refuse it', async () => {
  const { id, phone } = await makeLead()
  const replyAt = (days: number) => new Date(Date.now() - days * 86_400_000)
  const setReply = (at: Date) =>
    tenant.inTenant(tx => changeLeadRows(tx, [id], { last_reply_at: at.toISOString() }))
  await setReply(replyAt(31))
  expect(await getContactability(id)).toMatchObject({ allowed: false, answerUntil: null })
  const at = replyAt(1)
  await setReply(at)
  const until = new Date(at.getTime() + 30 * 86_400_000).toISOString()
  expect(await getContactability(id)).toMatchObject({ allowed: false, answerUntil: until })
  await suppressPhone(phone, { kind: 'opt_out', channel: 'email' })
  expect(await getContactability(id)).toMatchObject({ answerUntil: until })
  await suppressPhone(phone, { kind: 'opt_out', channel: 'chat' })
  expect(await getContactability(id)).toMatchObject({ answerUntil: null })
})
