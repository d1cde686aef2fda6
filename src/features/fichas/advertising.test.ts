/** What laws on advertising require: warnings of sheets, statements of agents, and the gate before sharing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateFicha } from '../../../test/fichas.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { writeSetting } from '../../kit/settings/setting-store.ts'
import type { SimulatedListing } from '../../simulator/listing.ts'
import type { Ficha } from './schemas.ts'
import { advertisingGate } from './settings.ts'

interface Refusal {
  code: string
  message: string
  errors: { path: string; code: string; message: string }[]
}

let app: TestApp
let tenant: TestTenant
let forSale: SimulatedListing
let forRent: SimulatedListing
beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app)
  const simulator = await app.app.getSimulator()
  const find = (operation: 'sale' | 'rent') =>
    simulator.findListings({ operation, propertyType: 'homes', city: 'barcelona' })[0]!
  forSale = find('sale')
  forRent = find('rent')
})
afterAll(() => app.stop())

const agent = { name: 'Marta Soler', licence: 'AICAT 1234' }
const change = (id: string, body: object) => tenant.call<Ficha & Refusal>('PATCH', `/fichas/${id}`, { body })
const share = (id: string) => tenant.call<Refusal>('POST', `/fichas/${id}/share`, { body: {} })
const setGate = (gate: 'warn' | 'block') =>
  tenant.inTenant(tx => writeSetting(tx, advertisingGate, gate, { userId: null }))
const required = ({ warnings }: Ficha) =>
  warnings.filter(({ severity }) => severity === 'required').map(({ code }) => code)

/** The listing states its rating. */
const withoutRating = { energy: { rating: null } }

test('a sheet says what the law of its place requires, and which law', async () => {
  const { warnings } = await generateFicha(tenant, forSale, withoutRating)
  expect(warnings.find(({ field }) => field === 'energy.rating')).toMatchObject({
    code: 'ENERGY_RATING_MISSING',
    severity: 'required',
    law: { title: 'Real Decreto 390/2021', article: 'arts. 15.2 and 17.3' },
    confirmation: 'text',
  })
  expect(warnings.map(({ code }) => code)).toContain('AGENT_LICENCE_MISSING')
})

test('what is stated is no longer missing, and is printed', async () => {
  const ficha = await generateFicha(tenant, forRent, {
    agent,
    language: 'ca',
    energy: { rating: 'D' },
    advertising: { isStressedArea: true },
  })
  expect(ficha.advertising).toMatchObject({ isStressedArea: true, lastRent: null })
  expect(required(ficha)).toEqual(['USABLE_AREA_MISSING', 'RENT_LIMIT_MISSING', 'LARGE_HOLDER_UNSTATED'])
  const { body } = await change(ficha.id, {
    property: { usableSquareMeters: 61 },
    advertising: { lastRent: 987.5, isLargeHolder: false },
  })
  expect(required(body)).toEqual([])
  expect(body.advertising).toMatchObject({ isStressedArea: true, lastRent: 987.5, isLargeHolder: false })
  const { text } = await tenant.call('GET', `/fichas/${ficha.id}/sheet`)
  for (const words of ['Última renda (5 anys)', '987,50', 'Gran tenidor']) expect(text).toContain(words)
})

describe('the gate before sharing', () => {
  afterAll(() => setGate('warn'))

  test('warn: an incomplete sheet is shared', async () => {
    const { id } = await generateFicha(tenant, forSale, withoutRating)
    expect((await share(id)).status).toBe(201)
  })

  test('block: an incomplete sheet is refused with what is missing, and shared once it is stated', async () => {
    const { id } = await generateFicha(tenant, forSale, withoutRating)
    await setGate('block')
    const refused = await share(id)
    expect([refused.status, refused.body.code]).toEqual([409, 'ADVERTISING_INCOMPLETE'])
    expect(refused.body.message).toBe(
      'The law requires statements that the sheet lacks: agent.licence, energy.rating.',
    )
    expect(refused.body.errors.map(({ path, code }) => [path, code])).toEqual([
      ['/agent/licence', 'AGENT_LICENCE_MISSING'],
      ['/energy/rating', 'ENERGY_RATING_MISSING'],
    ])
    expect(refused.body.errors[1]!.message).toMatch(/\(Real Decreto 390\/2021, arts\. 15\.2 and 17\.3\)$/)
    await change(id, { energy: { rating: 'in_progress' }, agent })
    expect((await share(id)).body.errors.map(({ code }) => code)).toEqual(['ENERGY_RATING_MISSING'])
    await change(id, { energy: { rating: 'E' } })
    expect((await share(id)).status).toBe(201)
  })

  test('block: a change must not remove from a shared sheet what the law requires', async () => {
    await setGate('warn')
    const { id } = await generateFicha(tenant, forSale, { energy: { rating: 'E' } })
    expect((await share(id)).status).toBe(201)
    await setGate('block')
    // The licence was missing before.
    expect((await change(id, { property: { title: 'Pis amb balcó' } })).status).toBe(200)
    const refused = await change(id, { energy: { rating: null } })
    expect([refused.status, refused.body.code]).toEqual([409, 'ADVERTISING_INCOMPLETE'])
    await tenant.call('DELETE', `/fichas/${id}/share`)
    expect((await change(id, { energy: { rating: null } })).status).toBe(200)
  })
})
