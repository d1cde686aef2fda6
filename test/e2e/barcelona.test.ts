/** Real adverts from end to end: five thousand of Barcelona, read page by page, are in the database as the file has them. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadsPerEventMax } from '../../src/features/leads/events.ts'
import { ended, startExtraction } from '../extraction.ts'
import { startTestApp, type TestApp } from '../harness.ts'
import { makeTenant } from '../tenant.ts'

const dataFile = fileURLToPath(
  new URL('../../../shared/data/es-barcelona-sale.reference.csv.gz', import.meta.url),
)
const maxResults = 5000

interface Row {
  id: string
  price: string
  latitude: string
  longitude: string
}

let app: TestApp
beforeAll(async () => {
  if (!existsSync(dataFile))
    throw new Error(`The real adverts are missing: this test reads them from ${dataFile}.`)
  app = await startTestApp({ simulator: { dataFile } })
})
afterAll(() => app?.stop())

test('5,000 real adverts become 5,000 leads whose prices and coordinates are those of the file', {
  timeout: 60_000,
}, async () => {
  const tenant = await makeTenant(app)
  const search = { operation: 'sale', propertyType: 'homes', city: 'barcelona' } as const
  const { extractionId } = await startExtraction(tenant, search, { maxResults })
  const extraction = await ended(tenant, extractionId, 55_000)
  expect(extraction).toMatchObject({ status: 'COMPLETED', outcome: 'partial', capped: true, error: null })
  expect(extraction.progress).toMatchObject({ leadsCreated: maxResults, skipped: 0, failed: 0, percent: 100 })

  const events = await tenant.inTenant(tx =>
    tx.selectFrom('events').select('data').where('type', '=', 'leads.imported').execute(),
  )
  const told = events.map(
    ({ data }) => data as unknown as { leadIds: string[]; created: number; parts: number },
  )
  const parts = Math.ceil(maxResults / leadsPerEventMax)
  expect(told.map(({ created, parts }) => [created, parts])).toEqual(Array(parts).fill([maxResults, parts]))
  expect(Math.max(...told.map(({ leadIds }) => leadIds.length))).toBe(leadsPerEventMax)
  expect(new Set(told.flatMap(({ leadIds }) => leadIds)).size).toBe(maxResults)

  const stored = await tenant.inTenant(tx =>
    tx
      .selectFrom('leads')
      .innerJoin('lead_sources', 'lead_sources.lead_id', 'leads.id')
      .select(['listing_id', 'price', 'currency', 'latitude', 'longitude'])
      .execute(),
  )
  expect(new Set(stored.map(lead => lead.listing_id)).size).toBe(maxResults)
  const rows: Row[] = parse(gunzipSync(readFileSync(dataFile)), { columns: true })
  const rowOf = new Map(rows.map(row => [row.id, row]))
  const wrong = stored.filter(({ listing_id, price, currency, latitude, longitude }) => {
    const row = rowOf.get(listing_id)
    const same = (value: number | null, text: string) => value !== null && value === Number(text)
    return !(
      row &&
      currency === 'EUR' &&
      same(price, row.price) &&
      same(latitude, row.latitude) &&
      same(longitude, row.longitude)
    )
  })
  expect(wrong).toEqual([])
})
