/** The simulator serves listings of a file with exactly the values of the file. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readSharedBytes } from '../../test/shared.ts'
import { describeShared } from '../../test/shared-tests.ts'
import { makePriceRows, toPriceCsv } from '../../test/synthetic-price-sets.ts'
import type { Simulator } from './index.ts'
import { startSimulator } from './index.ts'

const conditionLines: Record<string, string> = {
  new: 'Promoción de obra nueva',
  good: 'Segunda mano/buen estado',
  to_renovate: 'Segunda mano/para reformar',
}
const amenityLines: Record<string, string> = {
  terrace: 'Terraza',
  parking: 'Plaza de garaje incluida en el precio',
  pool: 'Piscina',
  garden: 'Jardín',
  airConditioning: 'Aire acondicionado',
  storage: 'Trastero',
  wardrobes: 'Armarios empotrados',
  doorman: 'Portero',
  topFloor: 'Última planta',
}

describe('the listings of a generated file', () =>
  expectListingsServed(() => toPriceCsv(makePriceRows('es-barcelona-sale', 700))))

describeShared('the listings of a real file', () =>
  expectListingsServed(() =>
    gunzipSync(readSharedBytes('data/es-barcelona-sale.validation.csv.gz')).toString(),
  ),
)

/** Tests that hold for any file of listings in Barcelona. */
function expectListingsServed(readCsv: () => string): void {
  let rows: Record<string, string>[]
  let simulator: Simulator
  let portal: string

  beforeAll(async () => {
    const csv = readCsv()
    rows = parse(csv, { columns: true })
    const dataFile = join(inject('runDir'), 'barcelona.csv')
    await writeFile(dataFile, csv)
    simulator = await startSimulator({ dataFile })
    portal = simulator.portalUrl('portal_a')
  })
  afterAll(() => simulator.close())

  const read = async (path: string) => (await fetch(portal + path)).text()

  test('are all on the search pages of their city, once each, and no others', async () => {
    const pages = Math.ceil(rows.length / 30)
    const prices = new Map(rows.map(row => [row.id, row.price]))
    const seen: string[] = []
    for (let page = 1; page <= pages; page++) {
      const html = await read(`/venta/viviendas/barcelona/?page=${page}`)
      expect(html).toContain(`data-total="${rows.length}"`)
      for (const [, id, price] of html.matchAll(
        /data-listing-id="([^"]+)"[\s\S]*?item-price">([\d.]+) €</g,
      )) {
        seen.push(id!)
        expect(price!.replaceAll('.', '')).toBe(prices.get(id!))
      }
    }
    expect(seen.sort()).toEqual(rows.map(row => row.id).sort())
  })

  test('have the exact values of the file on their pages, and no value where the file has none', async () => {
    const gaps = ['floor', 'yearBuilt', 'amenities'].flatMap(name =>
      rows.filter(row => row[name] === '').slice(0, 5),
    )
    const odd = [
      ...rows.filter(row => row.floor === '-1').slice(0, 5),
      ...rows.filter(row => row.bathrooms === '0'),
    ]
    for (const row of [...rows.filter((_, number) => number % 100 === 0), ...gaps, ...odd]) {
      const html = await read(`/inmueble/${row.id}/`)
      const [listing, property] = JSON.parse(/ld\+json">(.*?)<\/script>/s.exec(html)![1]!)['@graph']
      expect({
        price: String(listing.offers.price),
        latitude: String(property.geo.latitude),
        longitude: String(property.geo.longitude),
        squareMeters: String(property.floorSize.value),
        rooms: String(property.numberOfRooms),
        bedrooms: String(property.numberOfBedrooms),
        bathrooms: String(property.numberOfBathroomsTotal),
      }).toEqual({
        price: row.price,
        latitude: row.latitude,
        longitude: row.longitude,
        squareMeters: row.squareMeters,
        rooms: row.bedrooms,
        bedrooms: row.bedrooms,
        bathrooms: row.bathrooms,
      })
      const list = /<ul class="details-property">([\s\S]*?)<\/ul>/.exec(html)![1]!
      const lines = [...list.matchAll(/<li>(.*?)<\/li>/g)].map(match => match[1]!)
      expect(lines.filter(line => !line.startsWith('Certificado energético'))).toEqual(expectedLines(row))
    }
  })

  test('replace the generated ones of the same type and city, and no others', async () => {
    const generatedSimulator = await startSimulator()
    const rent = { operation: 'rent', propertyType: 'homes', city: 'barcelona' } as const
    const elsewhere = { operation: 'sale', propertyType: 'homes', city: 'madrid' } as const
    for (const search of [rent, elsewhere])
      expect(simulator.findListings(search)).toEqual(generatedSimulator.findListings(search))
    const replaced = generatedSimulator.findListings({ ...rent, operation: 'sale' })
    expect(simulator.findListing(replaced[0]!.id)).toBeUndefined()
    expect([...simulator.listings]).toHaveLength(26_000 - replaced.length + rows.length)
    await generatedSimulator.close()
  })

  test('have unique phones if the advertiser is private', () => {
    const listings = [...simulator.listings].filter(listing => listing.advertiser.type === 'private')
    expect(new Set(listings.map(listing => listing.advertiser.phone)).size).toBe(listings.length)
  })
}

function expectedLines(row: Record<string, string>): string[] {
  const formatCount = (count: string, one: string, many: string) =>
    count === '0' ? `Sin ${one}` : `${count} ${count === '1' ? one : many}`
  const amenities = row.amenities!.split(';')
  const floor = { '': '', '0': 'Bajo', '-1': 'Sótano' }[row.floor!] ?? `Planta ${row.floor}ª`
  const side = ['exterior', 'interior'].filter(name => amenities.includes(name)).join(' ')
  const place = [floor, side, amenities.includes('lift') ? 'con ascensor' : ''].filter(Boolean).join(' ')
  return [
    `${row.squareMeters} m² construidos`,
    formatCount(row.bedrooms!, 'habitación', 'habitaciones'),
    formatCount(row.bathrooms!, 'baño', 'baños'),
    conditionLines[row.condition!]!,
    place.charAt(0).toUpperCase() + place.slice(1),
    row.yearBuilt === '' ? '' : `Construido en ${row.yearBuilt}`,
    ...amenities.map(name => amenityLines[name] ?? ''),
  ].filter(Boolean)
}

describe('an invalid file is refused with the line of the fault', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'simulator-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  const header =
    'id,operation,propertyType,subtype,city,latitude,longitude,squareMeters,bedrooms,bathrooms,condition,floor,yearBuilt,amenities,price'
  test.each([
    ['a,sale,homes,flat,kyiv,41,2,80,2,1,good,1,,,200000', "line 2: the simulator has no city 'kyiv'"],
    ['a,sale,homes,flat,barcelona,41,2,80,2,1,good,1,,moat,200000', "line 2: 'moat' is not one of"],
    ['a,sale,homes,flat,barcelona,41,2,,2,1,good,1,,,200000', "line 2: '' is not a number"],
  ])('%s', async (line, message) => {
    const dataFile = join(folder, 'listings.csv')
    await writeFile(dataFile, `${header}\n${line}\n`)
    await expect(startSimulator({ dataFile })).rejects.toThrow(message)
  })

  test('a missing column', async () => {
    const dataFile = join(folder, 'short.csv')
    await writeFile(dataFile, 'id,price\na,1\n')
    await expect(startSimulator({ dataFile })).rejects.toThrow('lacks the columns operation')
  })
})
