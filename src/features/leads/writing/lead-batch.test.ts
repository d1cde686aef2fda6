/** Batches of leads: each lead is written on its own, by its id, its external id or neither. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { newId } from '../../../kit/id.ts'
import type { Lead } from '../schemas.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp('api')
})
afterAll(() => app.stop())

interface Result {
  index: number
  result: string
  lead: Lead | null
  error: { code: string; existingLeadId?: string; errors: { path: string }[] } | null
}

async function put(externalId: string, body: object, tenant: TestTenant): Promise<Lead> {
  const reply = await tenant.call<Lead>('PUT', `/leads/by-external-id/${externalId}`, { body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}
async function post(leads: object[], tenant: TestTenant): Promise<Result[]> {
  const reply = await tenant.call<{ data: Result[] }>('POST', '/leads/batch', { body: { leads } })
  expect(reply.status, reply.text).toBe(200)
  return reply.body.data
}
let phones = 0
const person = (name = 'Marta Soler') => ({
  contact: { name, phone: `6123${String(phones++).padStart(5, '0')}` },
})

describe('a batch', () => {
  test('writes each lead on its own and returns its result', async () => {
    const tenant = await makeTenant(app)
    const known = await put('known', { ...person('Known'), tags: ['a'] }, tenant)
    const same = await put('same', { status: 'won', ...person('Same') }, tenant)
    const erased = await put('erased', person('Erased'), tenant)
    await tenant.call('DELETE', `/leads/${erased.id}?erase=true`)
    const results = await post(
      [
        { externalId: 'new', ...person('New') },
        { externalId: 'known', status: 'contacted' },
        { id: same.id, status: 'won' },
        person('Bare'),
        { externalId: 'bad', contact: { phone: '12' } },
        { externalId: 'odd', property: { features: ['piscina', 'piscna'] } },
        { id: newId(), status: 'won' },
        { externalId: 'new', status: 'lost' },
        { contact: { name: 'Known', phone: known.contact.phone! } },
        { externalId: 'erased', contact: { name: 'E', phone: erased.contact.phone! } },
        { id: same.id.toUpperCase(), status: 'lost' },
        { id: known.id, externalId: 'same' },
        { externalId: 'owned', ownerUserId: newId() },
      ],
      tenant,
    )
    expect(results.map(({ index, result, error }) => [index, result, error?.code ?? null])).toEqual([
      [0, 'created', null],
      [1, 'updated', null],
      [2, 'unchanged', null],
      [3, 'created', null],
      [4, 'failed', 'INVALID_INPUT'],
      [5, 'failed', 'INVALID_INPUT'],
      [6, 'failed', 'NOT_FOUND'],
      [7, 'failed', 'INVALID_INPUT'],
      [8, 'failed', 'LEAD_EXISTS'],
      [9, 'failed', 'PERSON_ERASED'],
      [10, 'failed', 'INVALID_INPUT'],
      [11, 'failed', 'INVALID_INPUT'],
      [12, 'failed', 'INVALID_INPUT'],
    ])
    expect(results[1]!.lead).toEqual((await tenant.call('GET', `/leads/${known.id}`)).body)
    expect(results[1]!.lead).toMatchObject({ id: known.id, status: 'contacted', tags: ['a'] })
    expect(results[4]!.error!.errors[0]!.path).toBe('/contact/phone')
    expect(results[5]!.error!.errors[0]!.path).toBe('/property/features/1')
    expect(results[8]!.error!.existingLeadId).toBe(known.id)
    expect((await tenant.listAllLeads()).length).toBe(4)
  })

  test('refuses a lead that the batch also updates by id', async () => {
    const tenant = await makeTenant(app)
    const body = person()
    const known = (await tenant.call<Lead>('POST', '/leads', { body })).body
    const results = await post(
      [
        { externalId: 'crm-1', ...body, tags: ['adopted'] },
        { id: known.id, status: 'contacted' },
      ],
      tenant,
    )
    expect(results).toMatchObject([
      { result: 'failed', error: { code: 'LEAD_EXISTS', existingLeadId: known.id } },
      { result: 'updated', lead: { id: known.id, status: 'contacted', tags: [], externalId: null } },
    ])
  })

  test('stays within the quota, and is refused as a whole if it does not fit the schema', async () => {
    const tenant = await makeTenant(app)
    await tenant.inTenant(tx =>
      tx
        .insertInto('quota_limits')
        .values({ tenant_id: tenant.tenantId, name: 'maxLeadsPerMonth', monthly_limit: 2 })
        .execute(),
    )
    const results = await post(
      ['a', 'b', 'c'].map(externalId => ({ externalId, ...person(externalId) })),
      tenant,
    )
    expect(results.map(({ result, error }) => error?.code ?? result)).toEqual([
      'created',
      'created',
      'QUOTA_EXCEEDED',
    ])
    for (const leads of [[], Array.from({ length: 501 }, () => person()), [{ externalId: 1 }]]) {
      const reply = await tenant.call('POST', '/leads/batch', { body: { leads } })
      expect(reply.status).toBe(400)
    }
  })

  test('writes a lead although an earlier item with the same id was invalid', async () => {
    const tenant = await makeTenant(app)
    const results = await post(
      [
        { externalId: 'twice', contact: { phone: '12' } },
        { externalId: 'twice', ...person('Twice') },
      ],
      tenant,
    )
    expect(results.map(({ result }) => result)).toEqual(['failed', 'created'])
  })

  test('writes 500 leads in time: created, updated, and with new identifiers', async () => {
    const tenant = await makeTenant(app)
    const leads = (name: string, first: number) =>
      Array.from({ length: 500 }, (_, n) => ({
        externalId: `n${n}`,
        contact: {
          name: `${name} ${n}`,
          phone: `6${first}${String(n).padStart(7, '0')}`,
          email: `${name}${n}@example.com`,
        },
        property: { title: `${name} ${n}`, description: 'Piso luminoso. '.repeat(20), price: 100_000 + n },
      }))
    const durations: number[] = []
    for (const [batch, result] of [
      [leads('one', 1), 'created'],
      [leads('two', 1), 'updated'],
      [leads('three', 2), 'updated'],
      [leads('three', 2), 'unchanged'],
    ] as const) {
      const startedMs = performance.now()
      const results = await post(batch, tenant)
      durations.push(performance.now() - startedMs)
      expect(new Set(results.map(one => one.result))).toEqual(new Set([result]))
    }
    // Measured on a busy machine: 0.5 to 0.6 s.
    expect(Math.max(...durations)).toBeLessThan(15_000)
  })
})
