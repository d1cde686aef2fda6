/** End to end: listings of Barcelona, crawled page by page, are stored with the values of the file. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { expect, inject, test } from 'vitest'
import { leadsPerEventMax } from '../../src/features/leads/events.ts'
import { startExtraction, waitUntilEnded } from '../extraction.ts'
import { startTestAppForTest } from '../harness.ts'
import { readSharedBytes } from '../shared.ts'
import { testShared } from '../shared-tests.ts'
import { makePriceRows, toPriceCsv } from '../synthetic-price-sets.ts'
import { makeTenant } from '../tenant.ts'

interface Row {
  id: string
  price: string
  latitude: string
  longitude: string
}

test('1,100 listings of a generated file', () =>
  expectLeads(toPriceCsv(makePriceRows('es-barcelona-sale', 1600)), 1100))

testShared('1,500 real listings', () =>
  expectLeads(gunzipSync(readSharedBytes('data/es-barcelona-sale.validation.csv.gz')).toString(), 1500),
)

/** Expects this number of leads, with the prices and coordinates of the file. */
async function expectLeads(csv: string, maxResults: number): Promise<void> {
  const dataFile = join(inject('runDir'), 'barcelona-extraction.csv')
  await writeFile(dataFile, csv)
  const app = await startTestAppForTest({ simulator: { dataFile } })
  const tenant = await makeTenant(app)
  const search = { operation: 'sale', propertyType: 'homes', city: 'barcelona' } as const
  const { extractionId } = await startExtraction(tenant, search, { maxResults })
  const extraction = await waitUntilEnded(tenant, extractionId)
  expect(extraction).toMatchObject({ status: 'COMPLETED', outcome: 'partial', capped: true, error: null })
  expect(extraction.progress).toMatchObject({ leadsCreated: maxResults, skipped: 0, failed: 0, percent: 100 })

  const events = await tenant.inTenant(tx =>
    tx.selectFrom('events').select('data').where('type', '=', 'leads.imported').execute(),
  )
  const imported = events.map(
    ({ data }) => data as unknown as { leadIds: string[]; created: number; parts: number },
  )
  const parts = Math.ceil(maxResults / leadsPerEventMax)
  expect(imported.map(({ created, parts }) => [created, parts])).toEqual(
    Array(parts).fill([maxResults, parts]),
  )
  expect(Math.max(...imported.map(({ leadIds }) => leadIds.length))).toBe(leadsPerEventMax)
  expect(new Set(imported.flatMap(({ leadIds }) => leadIds)).size).toBe(maxResults)

  const stored = await tenant.inTenant(tx =>
    tx
      .selectFrom('leads')
      .innerJoin('lead_sources', join =>
        join
          .onRef('lead_sources.tenant_id', '=', 'leads.tenant_id')
          .onRef('lead_sources.lead_id', '=', 'leads.id'),
      )
      .select(['listing_id', 'price', 'currency', 'latitude', 'longitude'])
      .where('leads.tenant_id', '=', tenant.tenantId)
      .execute(),
  )
  expect(new Set(stored.map(lead => lead.listing_id)).size).toBe(maxResults)
  const rows: Row[] = parse(csv, { columns: true })
  const rowsById = new Map(rows.map(row => [row.id, row]))
  const wrong = stored.filter(({ listing_id, price, currency, latitude, longitude }) => {
    const row = rowsById.get(listing_id)
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
}
