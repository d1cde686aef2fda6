/** The last check before a message is sent: everything that was committed before counts. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant, seedListings, type TestTenant } from '../../../test/tenant.ts'
import type { Identifier } from '../../domain/contact/identifiers.ts'
import type { Channel } from '../../domain/contactability/facts.ts'
import { newId } from '../../kit/id.ts'
import { assertContactable } from './service.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

let made = 0
async function makeLead(): Promise<{ id: string; phone: string }> {
  const phone = `+346${String(55_000_000 + ++made)}`
  const { body } = await tenant.call<{ id: string }>('POST', '/leads', { body: { contact: { phone } } })
  return { id: body.id, phone }
}
const record = (leadId: string, body: object) => tenant.call('PUT', `/leads/${leadId}/lawful-basis`, { body })
const assertAllowed = (leadId: string, channel: Channel, owner = tenant) =>
  owner.inTenant(tx => assertContactable(tx, leadId, channel))

test('allows a covered, reachable channel and returns the obligations of the message', async () => {
  const { id } = await makeLead()
  await expect(assertAllowed(id, 'phone')).rejects.toMatchObject({ code: 'NOT_CONTACTABLE', status: 422 })
  await record(id, { kind: 'consent', proof: 'signed', channels: ['chat', 'email'] })
  expect(await assertAllowed(id, 'chat')).toEqual({ obligations: ['INCLUDE_NOTICE'] })
  await expect(assertAllowed(id, 'phone')).rejects.toThrow()
  await expect(assertAllowed(id, 'email')).rejects.toThrow()
  await record(id, { kind: 'consent', proof: 'signed', noticeSentAt: '2026-11-01T10:00:00Z' })
  expect(await assertAllowed(id, 'phone')).toEqual({ obligations: [] })
})

test('refuses a lead whose listing says that agencies should not call', async () => {
  const [stored] = await seedListings(tenant, {
    stern: { description: 'Abstenerse agencias.', address: 'Carrer Sever 1' },
  })
  const leadId = stored!.leadId!
  await record(leadId, { kind: 'consent', proof: 'signed' })
  const { body } = await tenant.call<{ contactability: { message: string } }>('GET', `/leads/${leadId}`)
  expect(body.contactability.message).toEqual(expect.any(String))
  await expect(assertAllowed(leadId, 'phone')).rejects.toThrow(body.contactability.message)
})

test('an opt-out waits for earlier checks and counts for later ones', async () => {
  const { id, phone } = await makeLead()
  await record(id, { kind: 'consent', proof: 'signed' })
  const optOut = () =>
    tenant.call('POST', '/suppressions', {
      body: { identifiers: [{ kind: 'phone', value: phone }], kind: 'opt_out' },
    })
  let optingOut: ReturnType<typeof optOut> | undefined
  const order: string[] = []
  await tenant.inTenant(async tx => {
    await assertContactable(tx, id, 'phone')
    optingOut = optOut().then(reply => {
      order.push('opted out')
      return reply
    })
    await sleep(150)
    order.push('sent')
  })
  expect((await optingOut!).status).toBe(201)
  expect(order).toEqual(['sent', 'opted out'])
  await expect(assertAllowed(id, 'phone')).rejects.toMatchObject({ code: 'NOT_CONTACTABLE' })
})

test('an unknown lead, or one of another workspace, is 404', async () => {
  const other = await makeTenant(app)
  const { id } = await makeLead()
  for (const [leadId, owner] of [[newId(), tenant] as const, [id, other] as const])
    await expect(assertAllowed(leadId, 'phone', owner)).rejects.toMatchObject({ status: 404 })
})

test('an answer needs no basis and no lead, but no refusal either, also of a further identifier', async () => {
  const { id, phone } = await makeLead()
  const further = { kind: 'chat', value: 'bsuid:ES.1' } as const
  const answer = (leadId: string | null, identifiers: Identifier[] = []) =>
    tenant.inTenant(tx => assertContactable(tx, leadId, 'chat', { isAnswer: true, identifiers }))
  expect(await answer(id, [further])).toEqual({ obligations: ['INCLUDE_NOTICE'] })
  expect(await answer(null, [further])).toEqual({ obligations: ['INCLUDE_NOTICE'] })
  await expect(tenant.inTenant(tx => assertContactable(tx, null, 'chat'))).rejects.toThrow(/lawful basis/)
  const optOut = { identifiers: [further], kind: 'opt_out', channel: 'chat' }
  expect((await tenant.call('POST', '/suppressions', { body: optOut })).status).toBe(201)
  await expect(answer(id, [further])).rejects.toMatchObject({ code: 'NOT_CONTACTABLE' })
  await expect(answer(null, [further])).rejects.toMatchObject({ code: 'NOT_CONTACTABLE' })
  expect(await answer(id, [{ kind: 'phone', value: phone }])).toMatchObject({})
})
