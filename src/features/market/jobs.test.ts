/** The nightly fit of markets: those that are new, have grown or were last fitted long ago. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { fillTown, townMarket } from '../../../test/town.ts'
import { defaultMarketModel, modelForm } from '../../domain/valuation/market-model.ts'
import { type Environment, sql } from '../../kit/db/index.ts'
import { type DeploymentContext, RequeueJob } from '../../kit/jobs/job.ts'
import { createLog } from '../../kit/log.ts'
import { fitMarkets } from './jobs.ts'
import { getMarketModel, listKnownMarkets, listMarketFits } from './service.ts'

const properties = 500

let app: TestApp
beforeAll(async () => {
  // No worker runs jobs here; the tests call them.
  app = await startTestApp({ env: { ROLE: 'api' } })
  await fillTown(app.database, 'test', properties)
  await fillTown(app.database, 'live', properties - 1)
})
afterAll(() => app.stop())
beforeEach(() => sql`truncate market_models`.execute(app.database.owner))

const runJob = (overrides: Partial<DeploymentContext> = {}) =>
  fitMarkets.run({
    database: app.database,
    log: createLog('silent'),
    attempt: 1,
    isLastAttempt: false,
    hasWaitingJobs: async () => false,
    signal: new AbortController().signal,
    ...overrides,
  })

/** Stores a fit as if the market had been fitted before, to this number of properties. */
const insertFit = (
  daysAgo: number,
  from: number,
  { environment = 'test', form = modelForm }: { environment?: Environment; form?: string } = {},
) =>
  sql`
  insert into market_models
  values (${environment}, 'sale', 'homes', 'EUR', 'closed', ${`${form}-earlier`}, now() - make_interval(hours => ${Math.round(daysAgo * 24)}),
    ${from}, '{}', '')`.execute(app.database.owner)
const readModelVersions = async () =>
  (await listMarketFits(app.database.unscoped, 'test')).map(({ modelVersion }) => modelVersion)

/** Returns true if a market is due: a job that must stop at once then requeues itself. */
async function isDue(): Promise<boolean> {
  const error = await runJob({ signal: AbortSignal.abort() }).then(
    () => null,
    error => error,
  )
  if (error && !(error instanceof RequeueJob)) throw error
  return error !== null
}

test('a market is fitted, used by valuations, and not fitted again the same night, even if the job yielded', async () => {
  await expect(runJob({ hasWaitingJobs: async () => true })).rejects.toThrow(RequeueJob)
  const [fit] = await listMarketFits(app.database.unscoped, 'test')
  expect(fit).toMatchObject({ ...townMarket, properties, accuracy: { count: expect.any(Number) } })
  const { version } = await getMarketModel(app.database.unscoped, { environment: 'test', ...townMarket })
  expect(version).toBe(fit!.modelVersion)
  expect(version.startsWith(`${modelForm}-`)).toBe(true)
  expect(version).not.toBe(defaultMarketModel.version)
  expect(await listMarketFits(app.database.unscoped, 'live')).toEqual([])
  expect(await isDue()).toBe(false)
})

describe('a market', () => {
  test.each<[string, boolean, number, number]>([
    ['that was fitted a week ago is due', true, 7.1, properties],
    ['that was fitted six days ago is not', false, 6, properties],
    ['that has grown by more than a tenth since yesterday is', true, 1, 450],
    ['that has grown by less is not', false, 1, 460],
    ['that has grown, but was fitted today, is not', false, 0.3, 100],
    ['that has lost properties is not', false, 1, 10_000],
  ])('%s', async (_what, due, daysAgo, from) => {
    await insertFit(daysAgo, from)
    expect(await isDue()).toBe(due)
  })

  test('that was never fitted is due, even if the other environment has a fit', async () => {
    await insertFit(0, properties, { environment: 'live' })
    expect(await isDue()).toBe(true)
  })

  test('that was fitted by an incompatible release is due, and counts as not fitted', async () => {
    await insertFit(0, properties, { form: 'comparables-1' })
    expect(await isDue()).toBe(true)
    const [known] = await listKnownMarkets(app.database.unscoped, 'test')
    expect(known).toMatchObject({ properties, modelVersion: null, accuracy: null })
  })

  test('with fewer than 500 properties is not due', async () => {
    await insertFit(0, properties)
    expect(await isDue()).toBe(false)
  })
})

test('a job that must stop during a fit is requeued, and stores no model', async () => {
  const stopping = new AbortController()
  const running = runJob({ signal: stopping.signal })
  setTimeout(() => stopping.abort(), 300)
  await expect(running).rejects.toThrow(RequeueJob)
  expect(await readModelVersions()).toEqual([])
  expect(await isDue()).toBe(true)
})
