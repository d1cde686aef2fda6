/** `fields=`: replies with only the selected fields of each lead. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant, seedListings, type TestTenant } from '../../../test/tenant.ts'
import { newId } from '../../kit/id.ts'
import { type Lead, leadExample } from './schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
  tenant = await makeTenant(app)
  await seedListings(tenant, { one: { price: 100_000 }, two: { price: 200_000, address: 'Carrer 2' } })
  const body = {
    externalId: 'crm-1',
    contact: { phone: '699 112 233' },
    tags: ['vip'],
    customFields: { keys: 3 },
  }
  expect((await tenant.call('POST', '/leads', { body })).status).toBe(201)
})
afterAll(() => app.stop())

const nested = ['contact', 'property', 'contactability'] as const
const names = [
  ...Object.keys(leadExample),
  ...nested.flatMap(name => Object.keys(leadExample[name]).map(child => `${name}.${child}`)),
]

/** The selected fields of a lead, in the order of the whole record. */
function pickFields(lead: Lead, selected: string[]): object {
  const entries = Object.entries(lead).flatMap(([name, value]) => {
    if (name === 'id' || selected.includes(name)) return [[name, value]]
    const child = Object.entries(value ?? {}).filter(([part]) => selected.includes(`${name}.${part}`))
    return child.length > 0 ? [[name, Object.fromEntries(child)]] : []
  })
  return Object.fromEntries(entries)
}

const getFields = (path: string, fields: string) =>
  tenant.call<
    Lead & { data: Lead[]; nextCursor: string; errors: { path: string; code: string; message: string }[] }
  >('GET', `${path}${path.includes('?') ? '&' : '?'}fields=${encodeURIComponent(fields)}`)

test('any selection of fields is that part of the lead, on every route', async () => {
  const whole = await tenant.listAllLeads()
  expect(whole).toHaveLength(3)
  const written = whole.find(lead => lead.externalId === 'crm-1')!
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 }), async selected => {
      const fields = selected.join(',')
      expect((await getFields('/leads', fields)).body.data).toEqual(
        whole.map(lead => pickFields(lead, selected)),
      )
      const [one, same] = [
        await getFields(`/leads/${written.id}`, fields),
        await getFields('/leads/by-external-id/crm-1', fields),
      ]
      expect(one.body).toEqual(pickFields(written, selected))
      expect(JSON.stringify(one.body)).toBe(JSON.stringify(pickFields(written, selected)))
      expect(same.body).toEqual(one.body)
    }),
    { numRuns: 40 },
  )
})

test('spaces after the commas of a list do not matter', async () => {
  const [{ id } = { id: '' }] = await tenant.listAllLeads()
  const { body } = await getFields(`/leads/${id}`, 'status, contact.phone')
  expect(body).toEqual((await getFields(`/leads/${id}`, 'status,contact.phone')).body)
  expect((await tenant.listLeads({ status: 'won, new' })).data).toHaveLength(3)
})

test('the ETag is that of the whole lead', async () => {
  const [{ id } = { id: '' }] = await tenant.listAllLeads()
  const [whole, part] = [await tenant.call('GET', `/leads/${id}`), await getFields(`/leads/${id}`, 'status')]
  expect(part.headers.get('etag')).toBe(whole.headers.get('etag'))
})

test('a cursor continues with other fields, or without', async () => {
  const { body: first } = await getFields('/leads?limit=1', 'status')
  const all = await tenant.listAllLeads()
  const next = `/leads?limit=1&cursor=${first.nextCursor}`
  expect((await getFields(next, 'contact.phone')).body.data).toEqual([pickFields(all[1]!, ['contact.phone'])])
  expect((await tenant.call<{ data: Lead[] }>('GET', next)).body.data).toEqual([all[1]])
})

test('an unknown lead is 404', async () => {
  expect((await getFields(`/leads/${newId()}`, 'status')).status).toBe(404)
})

describe('an unknown field is refused; the error suggests the nearest name', () => {
  test.each([
    ['contact.fone', '"contact.fone" is not a known name; did you mean contact.phone?'],
    ['status,propertty', '"propertty" is not a known name; did you mean property?'],
    ['customFields.keys', '"customFields.keys" is not a known name; did you mean customFields?'],
    ['status,', '"" is not a known name; check its spelling'],
    ['a,b,c,d,e,f,g', /^"a", .*"e" and 2 others are not known names$/],
    ['constructor', /"constructor"/],
  ])('%s', async (fields, message) => {
    for (const path of [
      '/leads',
      `/leads/${newId()}`,
      '/leads/by-external-id/none',
      `/extractions/${newId()}/leads`,
    ]) {
      const { status, body } = await getFields(path, fields)
      expect([status, body.errors.map(({ path, code }) => [path, code])]).toEqual([
        400,
        [['/fields', 'NOT_ALLOWED']],
      ])
      expect(body.errors[0]!.message).toMatch(message)
    }
  })

  test('together with other errors', async () => {
    const { body } = await getFields('/leads?status=new,contcted&limit=0', 'statu')
    expect(body.errors.map(({ path, message }) => [path, message])).toEqual([
      ['/status', '"contcted" is not a known name; did you mean contacted?'],
      ['/limit', 'must be >= 1'],
      ['/fields', '"statu" is not a known name; did you mean status?'],
    ])
  })
})
