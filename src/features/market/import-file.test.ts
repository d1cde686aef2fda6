/** Imports of operators' files: complete, repeated and partial ones, and refusals with a reason. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeDatabase, testIdentifierKey } from '../../../test/harness.ts'
import { kyeroSample } from '../../../test/kyero-sample.ts'
import { readSharedBytes } from '../../../test/shared.ts'
import { describeShared } from '../../../test/shared-tests.ts'
import { makePriceRows, type SyntheticSet, toPriceCsv } from '../../../test/synthetic-price-sets.ts'
import { type Database, openDatabase, sql } from '../../kit/db/index.ts'
import { parsePeriodEnd } from './import-rows.ts'
import { importMarketFile } from './service.ts'

/** The heading and the first rows of a data set. */
const toCsv = (set: SyntheticSet, rows: number) => toPriceCsv(makePriceRows(set, rows))

let database: Database
let directory: string
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), {
    identifierKey: testIdentifierKey,
    onError: () => {},
  })
  directory = mkdtempSync(join(tmpdir(), 'aldaba-market-'))
})
afterAll(async () => {
  await database.close()
  rmSync(directory, { recursive: true })
})
beforeEach(() => sql`truncate market_properties cascade`.execute(database.owner))

function writeFile(content: string | Buffer): string {
  const path = join(directory, 'file')
  writeFileSync(path, content)
  return path
}
const defaults = { environment: 'live', source: 'import', currency: 'EUR', priceBasis: 'asking' } as const
const importFile = (path: string, more: Partial<Parameters<typeof importMarketFile>[1]> = {}) =>
  importMarketFile(database, { path, ...defaults, operation: null, propertyType: null, ...more })
const readProperties = () =>
  database.owner.selectFrom('market_properties').selectAll().orderBy('id').execute()
/** All stored facts, without ids. */
const readFacts = async () => (await readProperties()).map(({ id: _, ...row }) => JSON.stringify(row)).sort()
const countRows = async (table: 'market_listings' | 'market_prices') =>
  Number(
    (await database.owner.selectFrom(table).select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow())
      .n,
  )

const sets = [
  { set: 'es-barcelona-sale', priceBasis: 'asking', currency: 'EUR', operation: 'sale' },
  { set: 'us-kingcounty-sale', priceBasis: 'closed', currency: 'USD', operation: 'sale' },
  { set: 'pl-cities-rent', priceBasis: 'asking', currency: 'PLN', operation: 'rent' },
] as const

/** Checks that the rows are stored, nearly each as its own property, and that another import changes nothing. */
async function expectStored(csv: string, { priceBasis, currency, operation }: (typeof sets)[number]) {
  const path = writeFile(gzipSync(csv))
  const done = await importFile(path, { currency, priceBasis })
  expect(done).toMatchObject({ rows: 1200, updated: 0, unchanged: 0, damage: null, skipped: new Map() })
  expect(done.created + done.joined).toBe(1200)
  expect(done.joined).toBeLessThan(30)
  const before = await readFacts()
  expect(before).toHaveLength(done.created)
  expect(
    (await readProperties()).every(row => row.operation === operation && row.currency === currency),
  ).toBe(true)
  expect(await importFile(path, { currency, priceBasis })).toMatchObject({
    created: 0,
    joined: 0,
    updated: 0,
    unchanged: 1200,
  })
  expect(await readFacts()).toEqual(before)
  expect(await countRows('market_listings')).toBe(1200)
}

test.each(sets)('listings of $set are stored; another import changes nothing', one =>
  expectStored(toCsv(one.set, 1200), one),
)

describeShared('real listings', () => {
  test.each(sets)('of $set', one => {
    const lines = gunzipSync(readSharedBytes(`data/${one.set}.validation.csv.gz`))
      .toString()
      .split('\n')
    return expectStored(`${lines.slice(0, 1201).join('\n')}\n`, one)
  })
})

test('a row becomes a property with all its columns', async () => {
  await importFile(writeFile(toCsv('us-kingcounty-sale', 1)), { currency: 'USD', priceBasis: 'closed' })
  const [heading, row] = toCsv('us-kingcounty-sale', 1).split('\n')
  const cells = new Map(heading!.split(',').map((name, index) => [name, row!.split(',')[index]]))
  expect(await readProperties()).toMatchObject([
    {
      property_type: 'homes',
      price_basis: 'closed',
      subtype: 'house',
      condition: cells.get('condition'),
      latitude: Number(cells.get('latitude')),
      square_meters: Number(cells.get('squareMeters')),
      plot_square_meters: Number(cells.get('plotSquareMeters')),
      bathrooms: Number(cells.get('bathrooms')),
      year_built: Number(cells.get('yearBuilt')),
      floor: null,
      last_seen_at: new Date(`${cells.get('period')}T23:59:59Z`),
    },
  ])
})

test('an import that was killed and run again stores the same as one run', async () => {
  const path = writeFile(toCsv('es-barcelona-sale', 1700))
  await importFile(path)
  const whole = await readFacts()
  await sql`truncate market_properties cascade`.execute(database.owner)
  const killed = importMarketFile(
    database,
    { path, ...defaults, operation: null, propertyType: null },
    (_share, rows) => {
      if (rows === 1000) throw new Error('killed')
    },
  )
  await expect(killed).rejects.toThrow('killed')
  expect(await countRows('market_listings')).toBe(1000)
  expect(await importFile(path)).toMatchObject({ unchanged: 1000 })
  expect(await readFacts()).toEqual(whole)
})

test('two concurrent imports of one file store the same as one', async () => {
  const path = writeFile(toCsv('es-valencia-sale', 1200))
  await importFile(path)
  const whole = await readFacts()
  await sql`truncate market_properties cascade`.execute(database.owner)
  const done = await Promise.all([importFile(path), importFile(path)])
  expect(done[0].created + done[1].created).toBe(whole.length)
  expect(await readFacts()).toEqual(whole)
})

test('columns may have any order, and optional ones may be missing', async () => {
  const path = writeFile('price;id;longitude;LATITUDE;squareMeters\n250000;a;2.17;41.39;80\n')
  expect(await importFile(path, { operation: 'sale', propertyType: 'homes' })).toMatchObject({ created: 1 })
  expect(await readProperties()).toMatchObject([
    { price: 250_000, latitude: 41.39, bedrooms: null, amenities: null },
  ])
})

test('invalid rows are counted by reason, with the first row numbers; the others are stored', async () => {
  const heading = 'id,operation,propertyType,latitude,longitude,squareMeters,price,period,bedrooms'
  const good = 'a,sale,homes,41.39,2.17,80,250000,2018-Q4,2'
  const bad = [
    ',sale,homes,41.39,2.17,80,250000,2018-Q4,2',
    'b,barter,homes,41.39,2.17,80,250000,2018-Q4,2',
    'c,sale,homes,,2.17,80,250000,2018-Q4,2',
    'd,sale,homes,x,2.17,80,250000,2018-Q4,2',
    'e,sale,homes,41.39,2.17,0,250000,2018-Q4,2',
    'f,sale,homes,41.39,2.17,80,1,2018-Q4,2',
    'g,sale,homes,41.39,2.17,80,250000,2018-Q5,2',
    'h,sale,homes,41.39,2.17,80,250000,2999-01,2',
    'i,sale,homes,41.39,2.17,80,250000,2018-Q4,900',
    ...Array.from({ length: 6 }, (_, index) => `j${index},sale,homes,41.39,2.17,,250000,2018-Q4,2`),
  ]
  const done = await importFile(writeFile([heading, good, ...bad].join('\n')))
  expect(done).toMatchObject({ rows: 16, created: 1 })
  expect(Object.fromEntries(done.skipped)).toEqual({
    noId: { count: 1, first: [3] },
    noMarket: { count: 1, first: [4] },
    noPlace: { count: 2, first: [5, 6] },
    implausibleArea: { count: 1, first: [7] },
    implausiblePrice: { count: 1, first: [8] },
    implausiblePeriod: { count: 2, first: [9, 10] },
    implausibleRooms: { count: 1, first: [11] },
    noArea: { count: 6, first: [12, 13, 14, 15, 16] },
  })
})

describe('a Kyero feed', () => {
  test('is stored, gzipped or not, without its texts about people and places', async () => {
    const done = await importFile(writeFile(kyeroSample))
    expect(done).toMatchObject({ rows: 1, created: 1, damage: null })
    expect(await readProperties()).toMatchObject([
      {
        operation: 'sale',
        property_type: 'homes',
        price: 312_000,
        currency: 'EUR',
        square_meters: 180,
        bedrooms: 4,
        bathrooms: 3,
        latitude: 36.753912,
        longitude: -3.874105,
        subtype: null,
      },
    ])
    expect(await importFile(writeFile(gzipSync(kyeroSample)))).toMatchObject({ created: 0, unchanged: 1 })
  })

  test('that is incomplete is stored up to its end, and reported as incomplete', async () => {
    const cut = kyeroSample.slice(0, kyeroSample.lastIndexOf('</root>'))
    expect(await importFile(writeFile(cut))).toMatchObject({
      created: 1,
      damage: 'The feed ends in the middle. Fetch it again.',
    })
  })
})

describe('a file that is damaged after some of its rows', () => {
  const rows = 1700
  const sound = toCsv('es-barcelona-sale', rows)
  const lines = sound.split('\n')
  const unclosed = [...lines.slice(0, 1201), `"${lines[1201]}`, ...lines.slice(1202)].join('\n')
  test.each<[string, () => string | Buffer, number, RegExp]>([
    [
      'that is gzipped and truncated',
      () => gzipSync(sound).subarray(0, 40_000),
      100,
      /gzip file is damaged or incomplete/,
    ],
    ['with a quotation mark that is not closed', () => unclosed, 1200, /quotation mark .* line 1202 /],
  ])(
    '%s is stored up to the damage; importing the whole file adds the rest',
    async (_what, damaged, min, damage) => {
      const done = await importFile(writeFile(damaged()))
      expect(done.damage).toMatch(damage)
      expect(done.rows).toBeGreaterThanOrEqual(min)
      expect(done.rows).toBeLessThan(rows)
      expect(await countRows('market_listings')).toBe(done.rows)
      const whole = await importFile(writeFile(sound))
      expect(whole).toMatchObject({ rows, unchanged: done.rows, damage: null })
      expect(await countRows('market_listings')).toBe(rows)
    },
  )
})

describe('a file', () => {
  test.each<[string, () => string, RegExp]>([
    [
      'that does not exist',
      () => join(directory, 'nowhere.csv'),
      /nowhere\.csv can't be read: there is no such file/,
    ],
    ['that is a directory', () => directory, /can't be read: it is a directory\.$/],
    ['without content', () => writeFile(''), /empty/],
    [
      'of another kind',
      () => writeFile(Buffer.from('%PDF-1.7 \0\x01\x02')),
      /file: This is a PDF document\. Export the list as CSV from the program that made it\.$/,
    ],
    [
      'that lacks columns',
      () => writeFile('id,latitude\n1,41\n'),
      /lacks the columns longitude, squareMeters, price, operation, propertyType\. .*--operation and --type/,
    ],
    ['of XML that is not a feed', () => writeFile('<html><body>no</body></html>'), /not a Kyero feed/],
    [
      'that is gzipped and truncated before its first row',
      () => writeFile(gzipSync(toCsv('es-valencia-sale', 700)).subarray(0, 60)),
      /gzip file is damaged or incomplete/,
    ],
  ])('%s is refused with a reason', async (_what, path, sentence) => {
    await expect(importFile(path())).rejects.toThrow(sentence)
  })
})

test.each([
  ['2018-Q4', '2018-12-31T23:59:59Z'],
  ['2024-02', '2024-02-29T23:59:59Z'],
  ['2015-04-22', '2015-04-22T23:59:59Z'],
  ['2026-Q4', '2026-11-22T12:00:00Z'],
  ['2026-11-22', '2026-11-22T12:00:00Z'],
  ['2026-11-23', null],
  ['2027', null],
  ['2024-13', null],
  ['2023-02-29', null],
  ['1850-Q1', null],
])('the period %s ends at %s', (period, end) => {
  expect(parsePeriodEnd(period, Temporal.Instant.from('2026-11-22T12:00:00Z'))?.toString() ?? null).toBe(end)
})
