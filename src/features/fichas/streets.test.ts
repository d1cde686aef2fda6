/** The sheet of a property has the streets of the operator's tiles, in the page and in the PDF. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeFicha } from '../../../test/fichas.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { extractPdfText } from '../../../test/pdf-text.ts'
import { makePmtiles } from '../../../test/pmtiles-file.ts'
import { makeCityTiles } from '../../../test/sample-city.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import type { Share } from '../shares/schemas.ts'
import { fichaExample } from './examples.ts'
import type { Ficha } from './schemas.ts'

const { latitude, longitude } = fichaExample.property!
const folder = mkdtempSync(join(tmpdir(), 'aldaba-streets-'))
const street = 'Avinguda Diagonal'
let app: TestApp
let tenant: TestTenant
let id: string
beforeAll(async () => {
  const file = join(folder, 'city.pmtiles')
  const tiles = makeCityTiles({ latitude: latitude!, longitude: longitude! }, 'Protomaps')
  writeFileSync(file, makePmtiles({ tiles }))
  app = await startTestApp({ env: { MAP_TILES: file } })
  tenant = await makeTenant(app)
  id = await storeFicha(app, tenant.tenantId)
})
afterAll(async () => {
  await app.stop()
  rmSync(folder, { recursive: true })
})

async function read(
  coordinates: 'exact' | 'approximate' | 'hidden',
  address: 'full' | 'hidden' = 'full',
): Promise<{ page: string; pdf: string }> {
  const { body } = await tenant.call<Ficha>('PATCH', `/fichas/${id}`, {
    body: { privacy: { address, coordinates } },
  })
  const { html, pdf } = body.links
  const open = async (link: string) => {
    const reply = await fetch(new URL(new URL(link).pathname, app.url), {
      headers: { 'x-api-key': tenant.key },
    })
    expect(reply.status).toBe(200)
    return reply
  }
  const pdfBytes = new Uint8Array(await (await open(pdf!)).arrayBuffer())
  return { page: await (await open(html!)).text(), pdf: extractPdfText(pdfBytes) }
}

test.each([
  ['exact', 'full'],
  ['approximate', 'full'],
  ['approximate', 'hidden'],
] as const)('a sheet with a position that is %s, and an address that is %s', async (coordinates, address) => {
  const { page, pdf } = await read(coordinates, address)
  expect(page).toContain(street)
  expect(page).toContain('OpenStreetMap')
  for (const text of [street.replace(' ', ''), 'OpenStreetMap']) expect(pdf).toContain(text)
})

test('another map makes another PDF, also for those who have kept it', async () => {
  const { body } = await tenant.call<Share>('POST', `/fichas/${id}/share`, { body: {} })
  const path = `${new URL(body.url).pathname}/sheet.pdf`
  const kept = await fetch(new URL(path, app.url))
  const headers = { 'if-none-match': kept.headers.get('etag')! }
  expect((await fetch(new URL(path, app.url), { headers })).status).toBe(304)
  const plain = await startTestApp({ databaseUrl: app.config.databaseUrl!, env: { ROLE: 'api' } })
  const changed = await fetch(new URL(path, plain.url), { headers })
  expect(changed.status).toBe(200)
  const text = extractPdfText(new Uint8Array(await changed.arrayBuffer()))
  expect(text).not.toContain('OpenStreetMap')
  await plain.stop()
})

test('a map with the exact position of a hidden address has no streets', async () => {
  const { page, pdf } = await read('exact', 'hidden')
  expect(page).not.toContain(street)
  for (const text of [page, pdf]) expect(text).not.toContain('OpenStreetMap')
})

test('a sheet without a position has no map', async () => {
  const { page, pdf } = await read('hidden')
  for (const text of [page, pdf]) expect(text).not.toContain('OpenStreetMap')
})
