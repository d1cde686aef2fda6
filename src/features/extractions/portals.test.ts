/** Extractions from every portal, end to end: the leads have the values of their listings. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Search, waitUntilEnded } from '../../../test/extraction.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { builtInPortals } from '../../app.ts'
import type { Simulator } from '../../simulator/index.ts'
import type { Lead } from '../leads/schemas.ts'
import type { Extraction } from './schemas.ts'

let app: TestApp
let simulator: Simulator
beforeAll(async () => {
  // Every search of portal_e reads its whole feed.
  app = await startTestApp({ simulator: { listings: 5000 } })
  simulator = await app.app.getSimulator()
})
afterAll(() => app.stop())

const towns = { ES: 'vigo', PT: 'braga', IT: 'torino' }
const prefixes = { ES: '+34', PT: '+351', IT: '+39' }
const extracted = builtInPortals.filter(({ capabilities }) => capabilities.extract)
const spanish = extracted.filter(({ country }) => country === 'ES').map(({ id }) => id)
const portalCases = extracted.map(({ id, country }) => [id, country] as const)

/** Finds the portal's id of a town over HTTP, as a client does. */
async function findLocation(tenant: TestTenant, platform: string, town: string) {
  const path = `/platforms/${platform}/locations?q=${town}&limit=5`
  const { body } = await tenant.call<{ data: { id: string; label: string; type: string }[] }>('GET', path)
  const { id, label } = body.data.find(({ type }) => type === 'municipality')!
  return { id, label }
}

async function run(tenant: TestTenant, platform: string, { city, ...kind }: Search, more: object = {}) {
  const location = await findLocation(tenant, platform, city)
  const body = { platform, filters: { ...kind, location }, maxResults: 1000, ...more }
  const reply = await tenant.call<Extraction>('POST', '/extractions', { body })
  expect(reply.status, reply.text).toBe(202)
  return waitUntilEnded(tenant, reply.body.extractionId)
}

const sources = (leads: Lead[]) => leads.flatMap(lead => lead.sources)

describe.each(portalCases)('%s', (platform, country) => {
  const search = (propertyType: Search['propertyType']): Search => ({
    operation: 'rent',
    propertyType,
    city: towns[country],
  })

  test('every listing of a search becomes a lead with its values', async () => {
    const tenant = await makeTenant(app)
    const listings = simulator.findListings(search('offices'))
    expect(listings.length).toBeGreaterThan(3)
    const extraction = await run(tenant, platform, search('offices'))
    expect(extraction).toMatchObject({
      status: 'COMPLETED',
      outcome: 'full',
      error: null,
      skippedByReason: {},
      progress: { leadsCreated: listings.length, failed: 0, percent: 100 },
    })
    const leads = await tenant.listAllLeads()
    const facts = (price: number | null, squareMeters: number | null, phone: string | null) =>
      JSON.stringify([price, squareMeters, phone])
    expect(
      leads
        .map(({ contact, property }) => facts(property.price, property.squareMeters, contact.phone))
        .sort(),
    ).toEqual(
      listings
        .map(({ price, squareMeters, advertiser }) => facts(price, squareMeters, advertiser.phone))
        .sort(),
    )
    for (const { contact, property, sources } of leads) {
      expect(contact.phone).toMatch(new RegExp(`^\\${prefixes[country]}\\d{8,11}$`))
      expect(property).toMatchObject({ operation: 'rent', propertyType: 'offices', currency: 'EUR' })
      expect(property.municipality).not.toBeNull()
      expect(property.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//)
      expect(sources).toMatchObject([{ platform, extractionId: extraction.extractionId, withdrawnAt: null }])
    }
    expect(new Set(sources(leads).map(({ listingId }) => listingId)).size).toBe(listings.length)
  })

  test('maxResults is a hard cap', async () => {
    const tenant = await makeTenant(app)
    const extraction = await run(tenant, platform, search('homes'), { maxResults: 7 })
    expect(extraction).toMatchObject({ status: 'COMPLETED', progress: { leadsCreated: 7 } })
    expect(await tenant.listAllLeads()).toHaveLength(7)
  })
})

describe('one property on several portals', () => {
  test('is one lead with a source on each', async () => {
    const tenant = await makeTenant(app)
    // Without new buildings, whose units are never merged automatically.
    const search: Search = { operation: 'sale', propertyType: 'garages', city: 'granada' }
    const listings = simulator.findListings(search)
    for (const [index, platform] of spanish.entries()) {
      const { progress } = await run(tenant, platform, search)
      expect([platform, progress.leadsCreated]).toEqual([platform, index === 0 ? listings.length : 0])
      expect([platform, progress.leadsUpdated]).toEqual([platform, index === 0 ? 0 : listings.length])
    }
    const leads = await tenant.listAllLeads()
    expect(leads).toHaveLength(listings.length)
    for (const lead of leads) expect(lead.sources.map(({ platform }) => platform).sort()).toEqual(spanish)
    expect(await tenant.readQuotaUsage('maxLeadsPerMonth')).toBe(listings.length)
  })
})
