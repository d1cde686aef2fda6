/** Previews of templates: with a lead, without one, and what is missing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { newId } from '../../kit/id.ts'
import type { Preview } from './preview-schemas.ts'
import type { Template } from './schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

const make = async (body: object) => {
  const template = { name: 'First contact', language: 'es', body: 'Hola {{ contact.name }}', ...body }
  const reply = await tenant.call<Template>('POST', '/templates', { body: template })
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}
const preview = (id: string, body: object = {}) =>
  tenant.call<Preview & { errors: object[] }>('POST', `/templates/${id}/preview`, { body })
const makeLead = async (body: object) =>
  (await tenant.call<{ id: string }>('POST', '/leads', { body })).body.id
const plain = (text: string | null) => text?.replace(/\u00a0/g, ' ')

describe('a preview', () => {
  test('fills in a lead, in the language of the text', async () => {
    const leadId = await makeLead({
      contact: { name: 'Marta Soler' },
      property: { price: 374000.5, squareMeters: 86, features: ['lift', 'pool'], operation: 'sale' },
    })
    const { id } = await make({
      body: '{{ contact.firstName }}, {{ property.price }}, {{ property.squareMeters }} m², {{ property.features }}, {{ property.operation | downcase }}',
      variants: [
        { language: 'en', body: '{{ contact.firstName }}, {{ property.price }}, {{ property.features }}' },
      ],
    })
    const spanish = (await preview(id, { leadId })).body
    expect(plain(spanish.text)).toBe('Marta, 374.000,50 €, 86 m², ascensor y piscina, venta')
    expect(spanish).toMatchObject({
      language: 'es',
      missing: [],
      markedText: null,
      characters: 53,
      segments: null,
      warnings: [],
    })
    const english = (await preview(id, { leadId, language: 'en-GB' })).body
    expect(english.text).toBe('Marta, €374,000.50, lift and swimming pool')
    expect(english.warnings).toMatchObject([{ code: 'OTHER_LANGUAGE' }])
  })

  test('takes what a message takes', async () => {
    const { id } = await make({ body: '{{ x }}', variables: [{ name: 'x', type: 'text' }] })
    expect((await preview(id, { variables: { x: 'x'.repeat(5000) } })).body.text).toHaveLength(5000)
    expect((await preview(id, { variables: { x: 'x'.repeat(5001) } })).status).toBe(400)
  })

  test('counts characters as a message is counted', async () => {
    const { id } = await make({ body: 'Hola 🏠' })
    expect((await preview(id)).body.characters).toBe(7)
  })

  test('names what is missing instead of leaving a gap', async () => {
    const leadId = await makeLead({ contact: { email: 'marta@example.com' } })
    const { id } = await make({
      body: 'Hola {{ contact.name }}, {{ property.address | upcase }} {{ hora }} {{ agent.name }}',
      variables: [{ name: 'hora' }, { name: 'agent.name', fallback: 'el equipo' }],
    })
    expect((await preview(id, { leadId })).body).toMatchObject({
      text: null,
      markedText: 'Hola [contact.name], [PROPERTY.ADDRESS] [hora] el equipo',
      missing: ['contact.name', 'property.address', 'hora'],
      characters: null,
      values: [
        { name: 'contact.name', value: null, source: 'none' },
        { name: 'property.address', value: null, source: 'none' },
        { name: 'hora', value: null, source: 'none' },
        { name: 'agent.name', value: 'el equipo', source: 'fallback' },
      ],
    })
    const variables = { 'contact.name': 'Jordi', 'property.address': 'c/ Aragó', hora: '17:00' }
    const sent = (await preview(id, { leadId, variables })).body
    expect(sent.text).toBe('Hola Jordi, C/ ARAGÓ 17:00 el equipo')
    expect(sent.values[0]).toEqual({ name: 'contact.name', value: 'Jordi', source: 'sent' })
  })

  test('shows an address with a gap', async () => {
    const buttons = [{ kind: 'url', title: 'Ver', value: '{{ link }}' }]
    const { id } = await make({ body: 'Hola', buttons, variables: [{ name: 'link' }] })
    const leadId = await makeLead({ contact: { name: 'Marta' } })
    const { status, body } = await preview(id, { leadId })
    expect([status, body]).toMatchObject([200, { missing: ['link'], markedText: 'Hola\n\n[Ver] %5Blink%5D' }])
  })

  test('shows examples without a lead', async () => {
    const { id } = await make({
      body: '{{ contact.name }} {{ visit | date: "time" }}',
      variables: [{ name: 'visit', type: 'date', example: '2026-11-04T16:30:00Z' }],
    })
    expect((await preview(id)).body).toMatchObject({
      text: 'Marta Soler 17:30',
      values: [{ source: 'example' }, { source: 'example' }],
    })
  })

  test('refuses unknown values, values of another type, and unknown leads and agents', async () => {
    const { id } = await make({ body: '{{ rooms }}', variables: [{ name: 'rooms', type: 'number' }] })
    const { body } = await preview(id, { variables: { rooms: 'x', romos: 1 } })
    expect(body.errors).toEqual([
      { path: '/variables/rooms', code: 'WRONG_TYPE', message: 'must be a number' },
      { path: '/variables/romos', code: 'UNKNOWN_FIELD', message: expect.stringContaining('it has rooms') },
    ])
    for (const field of ['leadId', 'accountId', 'agentUserId'])
      expect(await preview(id, { [field]: newId() })).toMatchObject({
        status: 400,
        body: { errors: [{ path: `/${field}`, code: expect.stringMatching(/^UNKNOWN_/) }] },
      })
  })

  test('demands a language exactly, if the caller says so', async () => {
    const { id } = await make({ variants: [{ language: 'pt-BR', body: 'Olá {{ contact.name }}' }] })
    for (const [language, used] of [
      ['pt', 'pt-BR'],
      ['pt-PT', 'pt-BR'],
      ['es-MX', 'es'],
      ['fr', 'es'],
    ])
      expect((await preview(id, { language })).body.language, language).toBe(used)
    const refused = await preview(id, { language: 'fr', exactLanguage: true })
    expect(refused).toMatchObject({ status: 422, body: { code: 'TEMPLATE_LANGUAGE_MISSING' } })
    for (const language of ['pt-BR', 'pt-PT'])
      expect((await preview(id, { language, exactLanguage: true })).body.language).toBe('pt-BR')
  })

  test('a number that is sent for a price has a currency', async () => {
    const { id } = await make({ body: '{{ property.price }} · {{ property.price | round: -3 | money }}' })
    const leadId = await makeLead({ contact: { name: 'Marta' } })
    for (const [price, text] of [
      [350_400, '350.400 € · 350.000 €'],
      ['unos 350 mil', null],
    ]) {
      const { body } = await preview(id, { leadId, variables: { 'property.price': price } })
      expect(body.text?.replaceAll('\u00a0', ' ') ?? null).toBe(text)
    }
  })

  test('says that a text without a word is empty', async () => {
    const { id } = await make({ body: '{% if contact.email %}x{% endif %}' })
    const leadId = await makeLead({ contact: { phone: '+34612345678' } })
    expect(await preview(id, { leadId })).toMatchObject({ status: 422, body: { code: 'TEMPLATE_FAILED' } })
  })
})
