/** A portal that asks us to stay away: how long is too long, and for whom. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDatabase } from '../../test/harness.ts'
import { type Database, openDatabase, sql } from '../kit/db/index.ts'
import { HandBack } from '../kit/jobs/job.ts'
import type { Throttle } from '../kit/throttle/throttle.ts'
import { keepPace } from './pace.ts'

let database: Database
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), { onError: () => {} })
})
afterAll(() => database.close())

const hourMs = 3_600_000

/** The pace of one who gives up then. */
const paceOf = (origin: string, giveUpAtMs: number, requestsPerHour = 1000) =>
  keepPace({
    ...{ database, origin, intervalMinMs: 0, requestMaxMs: 20_000, giveUpAtMs },
    politeness: { requestsPerSecond: 1000, concurrency: 8, requestsPerHour },
    signal: new AbortController().signal,
  })

const caughtFrom = (pace: Throttle) => pace.inTurn(async () => {}).catch((error: unknown) => error)

async function restMs(origin: string): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from next_at - clock_timestamp())::float8 * 1000 as ms from throttles where key = ${origin}`.execute(
    database.outside,
  )
  return rows[0]!.ms
}

test('until later than we wait for has failed; until earlier, the job is handed back', async () => {
  const [origin, nowMs] = ['https://away.example', Date.now()]
  await paceOf(origin, nowMs + 9 * hourMs).slowDown(5 * hourMs)
  expect(await caughtFrom(paceOf(origin, nowMs + 4 * hourMs))).toMatchObject({
    code: 'PORTAL_UNAVAILABLE',
    message: expect.stringMatching(/stay away until \d{4}-/),
  })
  expect(await caughtFrom(paceOf(origin, nowMs + 6 * hourMs))).toBeInstanceOf(HandBack)
})

test.each([
  ['later', hourMs, hourMs],
  ['already', -hourMs, 0],
])('binds nobody for longer than who was asked waits: who gives up %s', async (when, inMs, mostMs) => {
  const origin = `https://${when}.example`
  await paceOf(origin, Date.now() + inMs).slowDown(24 * hourMs)
  expect(await restMs(origin)).toBeLessThan(mostMs + 1000)
})

test('by a quota of the hour has not failed, however long the run has lasted', async () => {
  const pace = paceOf('https://quota.example', Date.now(), 1)
  await pace.inTurn(async () => {})
  expect(await caughtFrom(pace)).toBeInstanceOf(HandBack)
})

test("the slower of the definition's rate and the one of robots.txt holds", async () => {
  const pace = keepPace({
    database,
    origin: 'https://slow.example',
    politeness: { requestsPerSecond: 1000, concurrency: 8 },
    intervalMinMs: 100,
    requestMaxMs: 20_000,
    signal: new AbortController().signal,
  })
  const startMs = performance.now()
  await Promise.all([1, 2, 3].map(() => pace.inTurn(async () => {})))
  expect(performance.now() - startMs).toBeGreaterThan(195)
})
