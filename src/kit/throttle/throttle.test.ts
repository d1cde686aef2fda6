/** One pace for all processes: two databases opened on one server stand for two of them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, makeDatabase } from '../../../test/harness.ts'
import { type Database, openDatabase, sql } from '../db/index.ts'
import { HandBack } from '../jobs/job.ts'
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
async function turnsOf({ one, other }: { one: Throttle; other: Throttle }, count: number): Promise<number[]> {
  const startMs = performance.now()
  const turns = Array.from({ length: count }, (_, at) =>
    (at % 2 === 0 ? one : other).inTurn(async () => performance.now() - startMs),
  )
  return (await Promise.all(turns)).sort((a, b) => a - b)
}

/** A request that takes a moment, and how many of them there were at once. */
function crowd() {
  let [now, most] = [0, 0]
  const ask = async () => {
    most = Math.max(most, ++now)
    await sleep(15)
    now--
  }
  return { ask, most: () => most }
}

/** Timers may fire a little early. */
const earlyMs = 5

const rowOf = async (key: string) => {
  const { rows } = await sql<{
    slowness: number
    slowFactor: number
    nextInMs: number
    hourCount: number
    turns: number
  }>`
    select slowness(slow_factor, slowed_at), slow_factor as "slowFactor", hour_count as "hourCount",
      extract(epoch from next_at - clock_timestamp())::float8 * 1000 as "nextInMs",
      (select count(*) from throttle_turns t where t.key = p.key)::int as turns
    from throttles p where key = ${key}`.execute(processes[0].outside)
  return rows[0]!
}

/** As if what happened to it had happened so long ago. */
const age = (key: string, ago: string) =>
  sql`update throttles set slowed_at = slowed_at - ${ago}::interval, hour_started_at = hour_started_at - ${ago}::interval
    where key = ${key}`.execute(processes[0].outside)

const caughtFrom = (promise: Promise<unknown>) => promise.catch((error: unknown) => error)

describe('the rate', () => {
  test('holds over both processes together', async () => {
    const turns = await turnsOf(makeThrottles({ intervalMs: 50 }), 12)
    for (const [at, ms] of turns.entries()) expect(ms).toBeGreaterThan(at * 50 - earlyMs)
  })

  test('of one key is not that of another', async () => {
    const slow = makeThrottles({ intervalMs: 100_000 })
    await slow.one.inTurn(async () => {})
    // It would take minutes otherwise.
    await turnsOf(makeThrottles(), 5)
  })

  test('so slow that a turn comes after minutes is waited for', async () => {
    const stopping = new AbortController()
    const { one, other, key } = makeThrottles({ intervalMs: 600_000, signal: stopping.signal })
    await one.inTurn(async () => {})
    const waiting = [one, other, one].map(pace => caughtFrom(pace.inTurn(async () => {})))
    stopping.abort()
    for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ runAt: undefined })
    expect((await rowOf(key)).turns).toBe(0)
  })

  test('is not used up by those who wait: many may wait for a slow one', async () => {
    const { one, key } = makeThrottles({ intervalMs: 10_000 })
    await one.inTurn(async () => {})
    for (let reader = 0; reader < 8; reader++) {
      const { rows } = await sql<{ waitMs: number }>`
        select wait_ms as "waitMs" from take_turn(${key}, gen_random_uuid(), 10000, 8, null, 20000)`.execute(
        processes[1].outside,
      )
      expect(rows[0]!.waitMs).toBeLessThan(20_000)
    }
    expect((await rowOf(key)).nextInMs).toBeLessThan(20_000)
  })
})

describe('requests at once', () => {
  test('are never more than allowed, over both processes together', async () => {
    const { one, other } = makeThrottles({ concurrency: 3 })
    const { ask, most } = crowd()
    await Promise.all(Array.from({ length: 15 }, (_, at) => (at % 2 === 0 ? one : other).inTurn(ask)))
    expect(most()).toBe(3)
  })

  test('give their turn back when they fail, and hand on what they failed of', async () => {
    const { one, other, key } = makeThrottles({ concurrency: 1 })
    await expect(one.inTurn(() => Promise.reject(new TypeError('x')))).rejects.toThrow(TypeError)
    expect((await rowOf(key)).turns).toBe(0)
    expect(await other.inTurn(async () => 'the answer')).toBe('the answer')
  })

  test('whose process was killed free their turn when it lapses, not before', async () => {
    const { one, other, key } = makeThrottles({ concurrency: 1, leaseMs: 300 })
    const startMs = performance.now()
    // Nothing comes back from it.
    void one.inTurn(() => new Promise(() => {}))
    await eventually(
      () => rowOf(key),
      row => row?.turns === 1,
    )
    await other.inTurn(async () => {})
    expect(performance.now() - startMs).toBeGreaterThan(300 - earlyMs)
  })

  test('are fewer while it goes slowly, and one at least', async () => {
    const { one, other, key } = makeThrottles({ concurrency: 4 })
    for (const [factor, atOnce] of [
      [2, 2],
      [64, 1],
    ]) {
      await one.inTurn(async () => {})
      await sql`update throttles set slow_factor = ${factor}, slowed_at = clock_timestamp() + interval '1 s' where key = ${key}`.execute(
        processes[0].outside,
      )
      const { ask, most } = crowd()
      await Promise.all([one, other, one, other, one].map(pace => pace.inTurn(ask)))
      expect(most()).toBeLessThanOrEqual(atOnce!)
    }
  })
})

describe('a key that was slowed down', () => {
  test('goes half as fast in both processes', async () => {
    const both = makeThrottles({ intervalMs: 50 })
    await both.one.slowDown(0)
    const turns = await turnsOf(both, 6)
    // In the meantime it recovers a little.
    for (const [at, ms] of turns.entries()) expect(ms).toBeGreaterThan(at * 99 - earlyMs)
  })

  test('rests for as long as was asked', async () => {
    const both = makeThrottles()
    const startMs = performance.now()
    await both.one.slowDown(400)
    const passedMs = performance.now() - startMs
    const [first] = await turnsOf(both, 4)
    expect(first! + passedMs).toBeGreaterThan(400 - earlyMs)
  })

  test('for longer than is waited for hands the job back until then, and stays as it is', async () => {
    const { one, other, key } = makeThrottles()
    await one.slowDown(300_000)
    const before = await rowOf(key)
    for (const pace of [one, other, other]) {
      const error = (await caughtFrom(pace.inTurn(async () => {}))) as HandBack
      expect(error).toBeInstanceOf(HandBack)
      const inMs = error.runAt!.getTime() - Date.now()
      expect(inMs).toBeGreaterThan(290_000)
      expect(inMs).toBeLessThan(301_000)
    }
    const after = await rowOf(key)
    expect([after.turns, after.hourCount]).toEqual([0, before.hourCount])
    expect(after.nextInMs).toBeLessThanOrEqual(before.nextInMs)
  })

  test('asks for it once, however many requests are refused at that moment', async () => {
    const { one, other, key } = makeThrottles()
    await Promise.all([one, other, one, other, one].map(pace => pace.slowDown(0)))
    const { slowness } = await rowOf(key)
    expect(slowness).toBeGreaterThan(1.9)
    expect(slowness).toBeLessThanOrEqual(2)
  })

  test('again and again goes more and more slowly, to a bound', async () => {
    const { one, other, key } = makeThrottles()
    const factors: number[] = []
    for (let time = 0; time < 9; time++) {
      await (time % 2 === 0 ? one : other).slowDown(0)
      factors.push(Math.round((await rowOf(key)).slowFactor))
      await age(key, '6 s')
    }
    expect(factors.slice(0, 4)).toEqual([2, 4, 8, 15])
    expect(Math.max(...factors)).toBe(64)
  })

  test('recovers with time', async () => {
    const { one, key } = makeThrottles()
    for (const time of [1, 2, 3]) {
      await one.slowDown(time)
      await age(key, '6 s')
    }
    const slow = (await rowOf(key)).slowness
    expect(slow).toBeGreaterThan(7)
    await age(key, '5 min')
    expect((await rowOf(key)).slowness).toBeCloseTo(slow / 2, 1)
    await age(key, '1 h')
    expect((await rowOf(key)).slowness).toBe(1)
  })

  test.each(['5 days', '10 years'])('and did so %s ago goes as before', async ago => {
    const both = makeThrottles()
    await both.one.slowDown(0)
    await age(both.key, ago)
    await turnsOf(both, 3)
    await both.other.slowDown(0)
    expect((await rowOf(both.key)).slowFactor).toBe(2)
  })
})

describe('a quota by the hour', () => {
  test('hands the job back until the hour is over, in both processes', async () => {
    const both = makeThrottles({ perHour: 3 })
    await turnsOf(both, 3)
    for (const pace of [both.one, both.other]) {
      const error = (await caughtFrom(pace.inTurn(async () => {}))) as HandBack
      expect(error).toBeInstanceOf(HandBack)
      const inMs = error.runAt!.getTime() - Date.now()
      expect(inMs).toBeGreaterThan(3_500_000)
      expect(inMs).toBeLessThan(3_601_000)
    }
    expect((await rowOf(both.key)).turns).toBe(0)
  })

  test('begins anew when the hour is over', async () => {
    const both = makeThrottles({ perHour: 3 })
    await turnsOf(both, 3)
    await age(both.key, '1 h')
    await turnsOf(both, 3)
    expect(await caughtFrom(both.one.inTurn(async () => {}))).toBeInstanceOf(HandBack)
  })

  test('that is over in a moment is waited for', async () => {
    const both = makeThrottles({ perHour: 1 })
    const startMs = performance.now()
    await both.one.inTurn(async () => {})
    await age(both.key, '59 min 59.5 s')
    await both.other.inTurn(async () => {})
    expect(performance.now() - startMs).toBeGreaterThan(500 - earlyMs)
  })
})

describe('a process that stops', () => {
  test('hands back what waits, and leaves no turn behind', async () => {
    const stopping = new AbortController()
    const { one, key } = makeThrottles({ intervalMs: 900, signal: stopping.signal })
    await one.inTurn(async () => {})
    const waiting = caughtFrom(one.inTurn(async () => {}))
    await eventually(
      () => rowOf(key),
      ({ turns }) => turns === 1,
    )
    stopping.abort()
    expect(await waiting).toBeInstanceOf(HandBack)
    expect((await rowOf(key)).turns).toBe(0)
  })

  test('pauses no more, nor for longer', async () => {
    for (const ms of [0, 600_000])
      await expect(pause(ms, AbortSignal.abort())).rejects.toBeInstanceOf(HandBack)
    expect(await caughtFrom(pause(600_000, AbortSignal.timeout(5)))).toBeInstanceOf(HandBack)
  })
})
