/** Waits that a portal requests: when they fail a run, and how long they bind other runs. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDatabase } from '../../test/harness.ts'
import { type Database, openDatabase, sql } from '../kit/db/index.ts'
import { RequeueJob } from '../kit/jobs/job.ts'
import type { Throttle } from '../kit/throttle/throttle.ts'
import { createPortalThrottle } from './portal-throttle.ts'

let database: Database
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), { onError: () => {} })
})
afterAll(() => database.close())

const hourMs = 3_600_000

/** Creates the throttle of a run that ends at `deadlineMs`. */
const createThrottle = (origin: string, deadlineMs: number, requestsPerHour = 1000) =>
  createPortalThrottle({
    database,
    origin,
    intervalMinMs: 0,
    requestMaxMs: 20_000,
    deadlineMs,
    politeness: { requestsPerSecond: 1000, concurrency: 8, requestsPerHour },
    signal: new AbortController().signal,
  })

const catchError = (throttle: Throttle) =>
  throttle.runThrottled(async () => {}).catch((error: unknown) => error)

async function readRemainingMs(origin: string): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from next_at - clock_timestamp())::float8 * 1000 as ms from throttles where key = ${origin}`.execute(
    database.unscoped,
  )
  return rows[0]!.ms
}

test('a wait beyond the deadline fails the run; a shorter one requeues the job', async () => {
  const [origin, nowMs] = ['https://away.example', Date.now()]
  await createThrottle(origin, nowMs + 9 * hourMs).slowDown(5 * hourMs)
  expect(await catchError(createThrottle(origin, nowMs + 4 * hourMs))).toMatchObject({
    code: 'PORTAL_UNAVAILABLE',
    message: expect.stringMatching(/no requests until \d{4}-/),
  })
  expect(await catchError(createThrottle(origin, nowMs + 6 * hourMs))).toBeInstanceOf(RequeueJob)
})

test.each([
  ['later', hourMs, hourMs],
  ['already', -hourMs, 0],
])(
  'a wait binds other runs no longer than the deadline of the run that received it: deadline %s',
  async (when, deadlineInMs, waitMaxMs) => {
    const origin = `https://${when}.example`
    await createThrottle(origin, Date.now() + deadlineInMs).slowDown(24 * hourMs)
    expect(await readRemainingMs(origin)).toBeLessThan(waitMaxMs + 1000)
  },
)

test('a wait for the hourly quota never fails the run, even beyond its deadline', async () => {
  const throttle = createThrottle('https://quota.example', Date.now(), 1)
  await throttle.runThrottled(async () => {})
  expect(await catchError(throttle)).toBeInstanceOf(RequeueJob)
})

test("the slower of the definition's rate and the crawl delay applies", async () => {
  const throttle = createPortalThrottle({
    database,
    origin: 'https://slow.example',
    politeness: { requestsPerSecond: 1000, concurrency: 8 },
    intervalMinMs: 100,
    requestMaxMs: 20_000,
    signal: new AbortController().signal,
  })
  const startMs = performance.now()
  await Promise.all([1, 2, 3].map(() => throttle.runThrottled(async () => {})))
  expect(performance.now() - startMs).toBeGreaterThan(195)
})
