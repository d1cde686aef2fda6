/** Templates over HTTP: create, read, change, preview, delete; languages, variables and versions. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import type { Preview } from './preview-schemas.ts'
import type { Template, TemplateVersion } from './schemas.ts'

interface Refusal {
  code: string
  message: string
  errors: { path: string; code: string; message: string }[]
}

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

const post = (body: object) => tenant.call<Template & Refusal>('POST', '/templates', { body })
const make = async (body: object = {}) => {
  const reply = await post({
    name: 'First contact',
    language: 'es',
    body: 'Hola {{ contact.name }}',
    ...body,
  })
  expect(reply.body.errors).toBeUndefined()
  expect(reply.status).toBe(201)
  return reply.body
}
const refuse = async (body: object) => {
  const reply = await post({ name: 'x', language: 'es', body: 'x', ...body })
  expect(reply.status).toBe(400)
  return reply.body.errors
}
const change = (id: string, body: object) =>
  tenant.call<Template & Refusal>('PATCH', `/templates/${id}`, { body })
const preview = (id: string, body: object = {}) =>
  tenant.call<Preview & Refusal>('POST', `/templates/${id}/preview`, { body })
const read = async (id: string) => (await tenant.call<Template>('GET', `/templates/${id}`)).body

test('a template has its variables in the order of the text, with their types', async () => {
  const template = await make({
    body: '{% if property.price > 1 %}{{ visit | date: "short" }}{% endif %} {{ contact.name | default: property.title }} {% for one in property.features %}{{ one }}{% endfor %}',
    variables: [
      { name: 'visit', type: 'date', example: '2026-11-04T16:30:00Z' },
      { name: 'property.title', fallback: 'su inmueble' },
    ],
  })
  expect(template).toMatchObject({
    language: 'es',
    category: 'marketing',
    status: 'draft',
    version: 1,
    archivedAt: null,
  })
  expect(template.providerTemplateName).toBeNull()
  expect(template.variables).toEqual([
    { name: 'property.price', type: 'money', isOwn: false, fallback: null, example: null },
    { name: 'visit', type: 'date', isOwn: true, fallback: null, example: '2026-11-04T16:30:00Z' },
    { name: 'contact.name', type: 'text', isOwn: false, fallback: null, example: null },
    { name: 'property.title', type: 'text', isOwn: false, fallback: 'su inmueble', example: null },
    { name: 'property.features', type: 'list', isOwn: false, fallback: null, example: null },
  ])
  expect((await tenant.call('GET', `/templates/${template.id}`)).body).toEqual(template)
  const { body } = await tenant.call<{ data: Template[] }>('GET', '/templates?limit=1')
  expect(body.data).toEqual([template])
})

describe('a text is refused', () => {
  test('with the line and column of a syntax error', async () => {
    expect(await refuse({ body: 'Hola\n  {{ contact.name | upcas }}' })).toEqual([
      {
        path: '/body',
        code: 'TEMPLATE_SYNTAX',
        message: 'line 2, column 3: there is no filter upcas; did you mean upcase?',
      },
    ])
  })

  test('with every unknown variable, and the nearest known one', async () => {
    const errors = await refuse({ body: '{{ contact.nam }} {% if visit %}{{ property.prize }}{% endif %}' })
    expect(errors.map(({ message }) => message)).toEqual([
      'line 1, column 4: there is no variable contact.nam; did you mean contact.name?',
      'line 1, column 25: there is no variable visit; declare it in `variables` to send its value with each message',
      'line 1, column 36: there is no variable property.prize; did you mean property.price?',
    ])
  })

  test.each([
    ['a filter of another type', { body: '{{ contact.name | round }}' }, '/body', 'TEMPLATE_FAILED'],
    [
      'a fallback that the filters do not take',
      {
        body: '{{ property.price | round }}',
        variables: [{ name: 'property.price', fallback: 'a consultar' }],
      },
      '/body',
      'TEMPLATE_FAILED',
    ],
    ['a hidden variable', { body: '{% assign contact = "x" %}' }, '/body', 'NOT_ALLOWED'],
    ['an unused variable', { variables: [{ name: 'visit' }] }, '/variables/0/name', 'NOT_USED'],
    [
      'a variable declared twice',
      { body: '{{ a }}', variables: [{ name: 'a' }, { name: 'a' }] },
      '/variables/1/name',
      'DUPLICATE',
    ],
    [
      'an own variable with a full stop',
      { variables: [{ name: 'contact.age' }] },
      '/variables/0/name',
      'UNKNOWN_VARIABLE',
    ],
    [
      'another type of a known variable',
      { body: '{{ contact.name }}', variables: [{ name: 'contact.name', type: 'number' }] },
      '/variables/0/type',
      'NOT_ALLOWED',
    ],
    [
      'an example of another type',
      { body: '{{ a }}', variables: [{ name: 'a', type: 'number', example: 'x' }] },
      '/variables/0/example',
      'WRONG_TYPE',
    ],
    [
      'a day as the example of a time',
      { body: '{{ a | date: "full" }}', variables: [{ name: 'a', type: 'date', example: '2026-11-04' }] },
      '/variables/0/example',
      'WRONG_TYPE',
    ],
    [
      'two texts in a language',
      { variants: [{ language: 'es', body: 'x' }] },
      '/variants/0/language',
      'DUPLICATE',
    ],
    [
      'an error in a variant',
      { variants: [{ language: 'ca', body: '{{ contact.nom }}' }] },
      '/variants/0/body',
      'UNKNOWN_VARIABLE',
    ],
    ['an unknown language', { language: 'Spanish' }, '/language', 'WRONG_FORMAT'],
    ['an endless loop', { body: '{% for i in (1..1000000000) %}x{% endfor %}' }, '/body', 'TEMPLATE_SYNTAX'],
  ])('with %s', async (_name, body, path, code) => {
    expect(await refuse(body)).toEqual([{ path, code, message: expect.any(String) }])
  })
})

test('an own variable with an accent is refused with one advice, at both places', async () => {
  const errors = await refuse({ body: '{{ año }}', variables: [{ name: 'año' }] })
  expect(errors).toEqual([
    { path: '/variables/0/name', code: 'WRONG_FORMAT', message: 'must have the form of visitDate' },
    {
      path: '/body',
      code: 'UNKNOWN_VARIABLE',
      message:
        'line 1, column 4: there is no variable año; your own variables have names of letters without accents, digits and _, such as visitDate',
    },
  ])
})

describe('a change', () => {
  test('of the text makes a version, and the same text does not', async () => {
    const { id } = await make({ body: 'Hola {{ a }}', variables: [{ name: 'a', fallback: 'b' }] })
    expect((await change(id, { body: 'Hola {{ a }}' })).body.version).toBe(1)
    // The fallback is kept.
    const changed = (await change(id, { body: 'Adiós {{ a }}' })).body
    expect(changed).toMatchObject({
      version: 2,
      body: 'Adiós {{ a }}',
      variables: [{ name: 'a', fallback: 'b' }],
    })
    expect((await change(id, { variables: [{ name: 'a' }] })).body).toMatchObject({
      version: 3,
      variables: [{ fallback: null }],
    })
    expect((await change(id, { name: 'Other', category: 'utility' })).body).toMatchObject({
      version: 3,
      name: 'Other',
      category: 'utility',
    })
    const { body } = await tenant.call<{ data: TemplateVersion[] }>('GET', `/templates/${id}/versions`)
    expect(body.data.map(({ number, body, isCurrent }) => [number, body, isCurrent])).toEqual([
      [3, 'Adiós {{ a }}', true],
      [2, 'Adiós {{ a }}', false],
      [1, 'Hola {{ a }}', false],
    ])
  })

  test('of the variants replaces them, and the default language may change', async () => {
    const { id } = await make({
      variants: [
        { language: 'ca', body: 'Bon dia' },
        { language: 'en', body: 'Hello' },
      ],
    })
    const changed = (await change(id, { variants: [{ language: 'ca', body: 'Bon dia!' }] })).body
    expect(changed.variants.map(({ language, version }) => [language, version])).toEqual([
      ['es', 1],
      ['ca', 2],
    ])
    const catalan = (await change(id, { language: 'ca' })).body
    expect(catalan).toMatchObject({ language: 'ca', body: 'Bon dia!' })
    expect(catalan.variants.map(({ language }) => language)).toEqual(['ca', 'es'])
    expect((await change(id, { language: 'fr' })).body.errors).toMatchObject([
      { path: '/language', code: 'NOT_ALLOWED' },
    ])
    const french = (await change(id, { language: 'fr', body: 'Bonjour' })).body
    expect(french.variants.map(({ language }) => language)).toEqual(['fr', 'ca', 'es'])
  })

  test('that a stored part does not allow points to what was sent', async () => {
    const buttons = [{ kind: 'url', title: 'Ver', value: '{{ link }}' }]
    const { id } = await make({ buttons, variables: [{ name: 'link' }] })
    const { body } = await change(id, { variables: [{ name: 'link', fallback: 'pisos' }] })
    expect(body.errors).toMatchObject([
      {
        path: '/variables',
        code: 'WRONG_FORMAT',
        message: expect.stringContaining('stored buttons/0/value'),
      },
    ])
    const variants = [{ language: 'en', body: 'Hello', buttons: [{ ...buttons[0], value: 'www.a.example' }] }]
    expect((await change(id, { variants })).body.errors).toMatchObject([
      { path: '/variants/0/buttons/0/value', code: 'WRONG_FORMAT' },
    ])
  })

  test('with an error changes nothing', async () => {
    const { id, ...before } = await make()
    const { body } = await change(id, { name: 'New', body: '{{ contact.nam }}' })
    expect(body.errors).toMatchObject([{ path: '/body', code: 'UNKNOWN_VARIABLE' }])
    expect((await tenant.call('GET', `/templates/${id}`)).body).toEqual({ id, ...before })
  })
})

test('a deleted template stays readable and can no longer be used', async () => {
  const { id } = await make()
  for (const _ of [1, 2]) expect((await tenant.call('DELETE', `/templates/${id}`)).status).toBe(204)
  const { body } = await tenant.call<Template>('GET', `/templates/${id}`)
  expect(body.archivedAt).not.toBeNull()
  expect(await preview(id)).toMatchObject({ status: 422, body: { code: 'TEMPLATE_ARCHIVED' } })
  expect(await change(id, { name: 'x' })).toMatchObject({ status: 422, body: { code: 'TEMPLATE_ARCHIVED' } })
  const listed = await tenant.call<{ data: Template[] }>('GET', '/templates?limit=200')
  expect(listed.body.data.map(template => template.id)).not.toContain(id)
  const archived = await tenant.call<{ data: Template[] }>('GET', '/templates?archived=true')
  expect(archived.body.data.map(template => template.id)).toContain(id)
})

test('a person is erased from the texts that name them', async () => {
  const { id } = await make({ body: 'Llama a marta@example.com' })
  const button = { kind: 'quick_reply', title: 'Marta', value: 'marta@example.com' }
  const answered = await make({ body: 'Hola', buttons: [button] })
  const other = await make({ body: 'Llama a Marta' })
  const lead = await tenant.call<{ id: string }>('POST', '/leads', {
    body: { contact: { name: 'Marta', email: 'marta@example.com' } },
  })
  const person = await tenant.call<{ templates: object[] }>('GET', `/leads/${lead.body.id}/data`)
  expect(person.body.templates).toMatchObject([
    { id, texts: ['Llama a marta@example.com'] },
    { id: answered.id, texts: ['marta@example.com'] },
  ])
  expect((await tenant.call('DELETE', `/leads/${lead.body.id}?erase=true`)).status).toBeLessThan(300)
  expect(await read(id)).toMatchObject({ body: '', variables: [] })
  expect(await read(answered.id)).toMatchObject({ body: '', buttons: [] })
  expect((await read(other.id)).body).toBe('Llama a Marta')
  expect(await preview(id)).toMatchObject({ status: 422, body: { code: 'TEMPLATE_ERASED' } })
  expect((await change(id, { body: 'Hola' })).body.body).toBe('Hola')
})
