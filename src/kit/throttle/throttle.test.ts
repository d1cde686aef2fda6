/** One pace for all processes: two databases opened on one server stand for two of them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, makeDatabase } from '../../../test/harness.ts'
import { type Database, openDatabase, sql } from '../db/index.ts'
import { RequeueJob } from '../jobs/job.ts'
import { pause } from '../jobs/pause.ts'
import { createThrottle, type Throttle, type ThrottleOptions } from './throttle.ts'

let processes: [Database, Database]
beforeAll(async () => {
  const url = await makeDatabase()
  const open = () => openDatabase(url, { onError: () => {} })
  processes = [open(), open()]
})
afterAll(() => Promise.all(processes.map(database => database.close())))

let keys = 0

/** A key of a test's own, as each of the two processes has it. */
function makeThrottles(options: Partial<ThrottleOptions> = {}) {
  const key = `key-${keys++}`
  const [one, other] = processes.map(database =>
    createThrottle({
      database,
      key,
      intervalMs: 1,
      concurrency: 8,
      leaseMs: 20_000,
      signal: new AbortController().signal,
      ...options,
    }),
  ) as [Throttle, Throttle]
  return { key, one, other }
}

/** Milliseconds from the start until each of `count` turns, taken by both processes together. */
async function measureTurns(
  { one, other }: { one: Throttle; other: Throttle },
  count: number,
): Promise<number[]> {
  const startMs = performance.now()
  const leases = Array.from({ length: count }, (_, index) =>
    (index % 2 === 0 ? one : other).runThrottled(async () => performance.now() - startMs),
  )
  return (await Promise.all(leases)).sort((a, b) => a - b)
}

/** A request that takes a moment, and how many of them there were at once. */
function crowd() {
  let [now, maxConcurrent] = [0, 0]
  const sendRequest = async () => {
    maxConcurrent = Math.max(maxConcurrent, ++now)
    await sleep(15)
    now--
  }
  return { sendRequest, maxConcurrent: () => maxConcurrent }
}

/** Timers may fire a little early. */
const earlyMs = 5

const readRow = async (key: string) => {
  const { rows } = await sql<{
    currentSlowFactor: number
    slowFactor: number
    nextInMs: number
    hourCount: number
    leases: number
  }>`
    select current_slow_factor(slow_factor, slowed_at) as "currentSlowFactor", slow_factor as "slowFactor", hour_count as "hourCount",
      extract(epoch from next_at - clock_timestamp())::float8 * 1000 as "nextInMs",
      (select count(*) from throttle_leases t where t.key = p.key)::int as leases
    from throttles p where key = ${key}`.execute(processes[0].unscoped)
  return rows[0]!
}

/** As if what happened to it had happened so long ago. */
const backdate = (key: string, ago: string) =>
  sql`update throttles set slowed_at = slowed_at - ${ago}::interval, hour_started_at = hour_started_at - ${ago}::interval
    where key = ${key}`.execute(processes[0].unscoped)

const catchError = (promise: Promise<unknown>) => promise.catch((error: unknown) => error)

describe('the rate', () => {
  test('holds over both processes together', async () => {
    const leases = await measureTurns(makeThrottles({ intervalMs: 50 }), 12)
    for (const [index, ms] of leases.entries()) expect(ms).toBeGreaterThan(index * 50 - earlyMs)
  })

  test('of one key is not that of another', async () => {
    const slow = makeThrottles({ intervalMs: 100_000 })
    await slow.one.runThrottled(async () => {})
    // It would take minutes otherwise.
    await measureTurns(makeThrottles(), 5)
  })

  test('so slow that a turn comes after minutes is waited for', async () => {
    const stopping = new AbortController()
    const { one, other, key } = makeThrottles({ intervalMs: 600_000, signal: stopping.signal })
    await one.runThrottled(async () => {})
    const waiting = [one, other, one].map(pace => catchError(pace.runThrottled(async () => {})))
    stopping.abort()
    for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ runAt: undefined })
    expect((await readRow(key)).leases).toBe(0)
  })

  test('is not used up by those who wait: many may wait for a slow one', async () => {
    const { one, key } = makeThrottles({ intervalMs: 10_000 })
    await one.runThrottled(async () => {})
    for (let reader = 0; reader < 8; reader++) {
      const { rows } = await sql<{ waitMs: number }>`
        select wait_ms as "waitMs" from acquire_throttle(${key}, gen_random_uuid(), 10000, 8, null, 20000)`.execute(
        processes[1].unscoped,
      )
      expect(rows[0]!.waitMs).toBeLessThan(20_000)
    }
    expect((await readRow(key)).nextInMs).toBeLessThan(20_000)
  })
})

describe('requests at once', () => {
  test('are never more than allowed, over both processes together', async () => {
    const { one, other } = makeThrottles({ concurrency: 3 })
    const { sendRequest, maxConcurrent } = crowd()
    await Promise.all(
      Array.from({ length: 15 }, (_, index) => (index % 2 === 0 ? one : other).runThrottled(sendRequest)),
    )
    expect(maxConcurrent()).toBe(3)
  })

  test('give their turn back when they fail, and hand on what they failed of', async () => {
    const { one, other, key } = makeThrottles({ concurrency: 1 })
    await expect(one.runThrottled(() => Promise.reject(new TypeError('x')))).rejects.toThrow(TypeError)
    expect((await readRow(key)).leases).toBe(0)
    expect(await other.runThrottled(async () => 'the answer')).toBe('the answer')
  })

  test('whose process was killed free their turn when it lapses, not before', async () => {
    const { one, other, key } = makeThrottles({ concurrency: 1, leaseMs: 300 })
    const startMs = performance.now()
    // Nothing comes back from it.
    void one.runThrottled(() => new Promise(() => {}))
    await eventually(
      () => readRow(key),
      row => row?.leases === 1,
    )
    await other.runThrottled(async () => {})
    expect(performance.now() - startMs).toBeGreaterThan(300 - earlyMs)
  })

  test('are fewer while it goes slowly, and one at least', async () => {
    const { one, other, key } = makeThrottles({ concurrency: 4 })
    for (const [factor, atOnce] of [
      [2, 2],
      [64, 1],
    ]) {
      await one.runThrottled(async () => {})
      await sql`update throttles set slow_factor = ${factor}, slowed_at = clock_timestamp() + interval '1 s' where key = ${key}`.execute(
        processes[0].unscoped,
      )
      const { sendRequest, maxConcurrent } = crowd()
      await Promise.all([one, other, one, other, one].map(pace => pace.runThrottled(sendRequest)))
      expect(maxConcurrent()).toBeLessThanOrEqual(atOnce!)
    }
  })
})

describe('a key that was slowed down', () => {
  test('goes half as fast in both processes', async () => {
    const both = makeThrottles({ intervalMs: 50 })
    await both.one.slowDown(0)
    const leases = await measureTurns(both, 6)
    // In the meantime it recovers a little.
    for (const [index, ms] of leases.entries()) expect(ms).toBeGreaterThan(index * 99 - earlyMs)
  })

  test('rests for as long as was asked', async () => {
    const both = makeThrottles()
    const startMs = performance.now()
    await both.one.slowDown(400)
    const passedMs = performance.now() - startMs
    const [first] = await measureTurns(both, 4)
    expect(first! + passedMs).toBeGreaterThan(400 - earlyMs)
  })

  test('for longer than is waited for hands the job back until then, and stays as it is', async () => {
    const { one, other, key } = makeThrottles()
    await one.slowDown(300_000)
    const before = await readRow(key)
    for (const pace of [one, other, other]) {
      const error = (await catchError(pace.runThrottled(async () => {}))) as RequeueJob
      expect(error).toBeInstanceOf(RequeueJob)
      const inMs = error.runAt!.getTime() - Date.now()
      expect(inMs).toBeGreaterThan(290_000)
      expect(inMs).toBeLessThan(301_000)
    }
    const after = await readRow(key)
    expect([after.leases, after.hourCount]).toEqual([0, before.hourCount])
    expect(after.nextInMs).toBeLessThanOrEqual(before.nextInMs)
  })

  test('asks for it once, however many requests are refused at that moment', async () => {
    const { one, other, key } = makeThrottles()
    await Promise.all([one, other, one, other, one].map(pace => pace.slowDown(0)))
    const { currentSlowFactor } = await readRow(key)
    expect(currentSlowFactor).toBeGreaterThan(1.9)
    expect(currentSlowFactor).toBeLessThanOrEqual(2)
  })

  test('again and again goes more and more slowly, to a bound', async () => {
    const { one, other, key } = makeThrottles()
    const factors: number[] = []
    for (let time = 0; time < 9; time++) {
      await (time % 2 === 0 ? one : other).slowDown(0)
      factors.push(Math.round((await readRow(key)).slowFactor))
      await backdate(key, '6 s')
    }
    expect(factors.slice(0, 4)).toEqual([2, 4, 8, 15])
    expect(Math.max(...factors)).toBe(64)
  })

  test('recovers with time', async () => {
    const { one, key } = makeThrottles()
    for (const time of [1, 2, 3]) {
      await one.slowDown(time)
      await backdate(key, '6 s')
    }
    const slow = (await readRow(key)).currentSlowFactor
    expect(slow).toBeGreaterThan(7)
    await backdate(key, '5 min')
    expect((await readRow(key)).currentSlowFactor).toBeCloseTo(slow / 2, 1)
    await backdate(key, '1 h')
    expect((await readRow(key)).currentSlowFactor).toBe(1)
  })

  test.each(['5 days', '10 years'])('and did so %s ago goes as before', async ago => {
    const both = makeThrottles()
    await both.one.slowDown(0)
    await backdate(both.key, ago)
    await measureTurns(both, 3)
    await both.other.slowDown(0)
    expect((await readRow(both.key)).slowFactor).toBe(2)
  })
})

describe('a quota by the hour', () => {
  test('hands the job back until the hour is over, in both processes', async () => {
    const both = makeThrottles({ perHour: 3 })
    await measureTurns(both, 3)
    for (const pace of [both.one, both.other]) {
      const error = (await catchError(pace.runThrottled(async () => {}))) as RequeueJob
      expect(error).toBeInstanceOf(RequeueJob)
      const inMs = error.runAt!.getTime() - Date.now()
      expect(inMs).toBeGreaterThan(3_500_000)
      expect(inMs).toBeLessThan(3_601_000)
    }
    expect((await readRow(both.key)).leases).toBe(0)
  })

  test('begins anew when the hour is over', async () => {
    const both = makeThrottles({ perHour: 3 })
    await measureTurns(both, 3)
    await backdate(both.key, '1 h')
    await measureTurns(both, 3)
    expect(await catchError(both.one.runThrottled(async () => {}))).toBeInstanceOf(RequeueJob)
  })

  test('that is over in a moment is waited for', async () => {
    const both = makeThrottles({ perHour: 1 })
    const startMs = performance.now()
    await both.one.runThrottled(async () => {})
    await backdate(both.key, '59 min 59.5 s')
    await both.other.runThrottled(async () => {})
    expect(performance.now() - startMs).toBeGreaterThan(500 - earlyMs)
  })
})

describe('a process that stops', () => {
  test('hands back what waits, and leaves no turn behind', async () => {
    const stopping = new AbortController()
    const { one, key } = makeThrottles({ intervalMs: 900, signal: stopping.signal })
    await one.runThrottled(async () => {})
    const waiting = catchError(one.runThrottled(async () => {}))
    await eventually(
      () => readRow(key),
      ({ leases }) => leases === 1,
    )
    stopping.abort()
    expect(await waiting).toBeInstanceOf(RequeueJob)
    expect((await readRow(key)).leases).toBe(0)
  })

  test('pauses no more, nor for longer', async () => {
    for (const ms of [0, 600_000])
      await expect(pause(ms, AbortSignal.abort())).rejects.toBeInstanceOf(RequeueJob)
    expect(await catchError(pause(600_000, AbortSignal.timeout(5)))).toBeInstanceOf(RequeueJob)
  })
})
