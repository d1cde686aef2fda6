/** `GET /valuations/accuracy`: per market and environment, after `npx aldaba market fit`. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand, toDatabaseLine } from '../../../test/command.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { fillMarket, makeListingsAround } from '../../../test/market.ts'
import { defaultMarketModel } from '../../domain/valuation/market-model.ts'
import { getMarketModel } from '../market/service.ts'
import type { MarketAccuracy } from './accuracy-schemas.ts'
import type { Valuation } from './schemas.ts'

const place = { latitude: 41.3917, longitude: 2.1611 }
const flat = {
  ...place,
  squareMeters: 80,
  bedrooms: 3,
  bathrooms: 2,
  propertyType: 'homes',
  operation: 'sale',
}

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
})
afterAll(() => app.stop())

const listAccuracies = async (key = app.workspace.testKey) =>
  (await app.call<{ data: MarketAccuracy[] }>('GET', '/valuations/accuracy', { key })).body.data

test('an empty market has no accuracy', async () => {
  expect(await listAccuracies()).toEqual([])
})

test('a fitted market has measures, another says that it was not tested, and live does not see test', async () => {
  const { database } = app
  await fillMarket(database, 'test', makeListingsAround(place, {}, 540))
  await fillMarket(
    database,
    'test',
    makeListingsAround(place, { operation: 'rent', price: 900, source: 'rents' }),
  )
  await fillMarket(database, 'live', makeListingsAround(place, { priceBasis: 'closed', source: 'sold' }, 12))
  const market = { operation: 'sale', propertyType: 'homes', currency: 'EUR', priceBasis: 'asking' } as const
  const before = await listAccuracies()
  expect(before).toHaveLength(2)
  for (const { accuracy, fittedAt, summary, modelVersion } of before)
    expect([accuracy, fittedAt, summary, modelVersion]).toEqual([
      null,
      null,
      expect.stringMatching(/^Not tested yet/),
      defaultMarketModel.version,
    ])
  const { code, stdout, stderr } = await runCommand(app, ['market', 'fit', '--environment', 'test'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: toDatabaseLine(app) })
  const [fittedLine, tooFewLine] = stdout.split('\n')
  expect(tooFewLine).toMatch(
    /^rent homes EUR asking: \d+ properties are too few for a model; default prices are used$/,
  )
  const model = await getMarketModel(database.unscoped, { environment: 'test', ...market })
  expect(model).not.toBe(defaultMarketModel)
  const [sales, rents] = await listAccuracies()
  expect(sales).toMatchObject({
    ...market,
    properties: before[0]!.properties,
    modelVersion: model.version,
    summary: expect.stringMatching(
      /^Tested on \d+ properties with their prices hidden: half of the estimates were off/,
    ),
  })
  const { count: _, ...measures } = sales!.accuracy!
  for (const measure of Object.values(measures)) expect(measure).toBe(Number(measure.toPrecision(4)))
  const { mdape, within5, within20, intervalCoverage } = measures
  // All in percent. Half of the estimates lie within the median error.
  expect(within20).toBeGreaterThanOrEqual(within5)
  expect(within20).toBeGreaterThan(mdape < 20 ? 49 : 1)
  const within = intervalCoverage.toFixed(0)
  expect(fittedLine).toContain(
    `sale homes EUR asking: fitted to ${sales!.properties} of ${sales!.properties} properties in `,
  )
  expect(fittedLine).toContain(` s; median error ${mdape.toFixed(1)} %, 80 % range covers ${within} %`)
  expect(Date.parse(sales!.fittedAt!)).toBeGreaterThan(Date.now() - 60_000)
  expect(rents).toMatchObject({ operation: 'rent', accuracy: null })
  expect(await listAccuracies(app.workspace.liveKey)).toMatchObject([
    { priceBasis: 'closed', properties: 12, accuracy: null },
  ])
  const { body } = await app.call<Valuation>('POST', '/valuations', { body: flat })
  expect(body.modelVersion).toBe(model.version)
})
