/** The catalogue of variables over HTTP: examples in a language, and the values of a lead. */
import { beforeAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { makeKey, makeWorkspace } from '../../../test/make.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { newId } from '../../kit/id.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
  tenant = await makeTenant(app)
  return () => app.stop()
})

interface Variable {
  name: string
  example: string
  value: string | null
}
const list = async (query: string) => {
  const { body } = await tenant.call<{ data: Variable[] }>('GET', `/templates/variables?limit=200&${query}`)
  return new Map(body.data.map(variable => [variable.name, variable]))
}

test('lists the variables with examples in a language', async () => {
  const variables = await list('language=de')
  expect(variables.get('property.price')).toEqual({
    name: 'property.price',
    type: 'money',
    label: 'The price',
    example: '374.000\u00a0€',
    value: null,
  })
  expect(variables.size).toBeGreaterThan(25)
})

test('has the values of a lead, as a text in that language has them', async () => {
  const lead = await tenant.call<{ id: string }>('POST', '/leads', {
    body: { contact: { name: 'Marta Soler' }, property: { price: 250_000, features: ['lift', 'pool'] } },
  })
  const variables = await list(`language=en&leadId=${lead.body.id}`)
  const values = ['contact.firstName', 'property.price', 'property.features', 'property.address'].map(
    name => variables.get(name)!.value,
  )
  expect(values).toEqual(['Marta', '€250,000', 'lift and swimming pool', null])
  expect(await tenant.call('GET', `/templates/variables?leadId=${newId()}`)).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/leadId', code: 'UNKNOWN_LEAD' }] },
  })
})

test('shows the values of a lead only to a key that may read leads', async () => {
  const { slug } = await makeWorkspace(app.database)
  const makeScopedKey = (...scopes: string[]) => makeKey(app.database, { workspace: slug, scopes })
  const key = await makeScopedKey('templates:write')
  const body = { name: 'First contact', language: 'es', body: 'Hola' }
  const { id } = (await app.call<{ id: string }>('POST', '/templates', { key, body })).body
  const leadId = newId()
  const call = async (key: string) => [
    await app.call('GET', `/templates/variables?leadId=${leadId}`, { key }),
    await app.call('POST', `/templates/${id}/preview`, { key, body: { leadId } }),
  ]
  for (const { status, body } of await call(key))
    expect([status, body]).toMatchObject([
      403,
      { code: 'INSUFFICIENT_SCOPE', message: 'This key lacks the scope leads:read.' },
    ])
  for (const { body } of await call(await makeScopedKey('templates:read', 'leads:read')))
    expect(body).toMatchObject({ errors: [{ path: '/leadId', code: 'UNKNOWN_LEAD' }] })
})
