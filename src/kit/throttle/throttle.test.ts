/** The throttle is shared by all processes. Two open databases on one server represent two processes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, makeDatabase } from '../../../test/harness.ts'
import { type Database, openDatabase, sql } from '../db/index.ts'
import { RequeueJob } from '../jobs/job.ts'
import { pause } from '../jobs/pause.ts'
import { createThrottle, type Throttle, type ThrottleOptions } from './throttle.ts'

let url: string
let processes: [Database, Database]
beforeAll(async () => {
  url = await makeDatabase()
  const open = () => openDatabase(url, { onError: () => {} })
  processes = [open(), open()]
})
afterAll(() => Promise.all(processes.map(database => database.close())))

let keys = 0

/** Creates a throttle with a new key in each of the two processes. */
function makeThrottles(options: Partial<ThrottleOptions> = {}) {
  const key = `key-${keys++}`
  const [one, other] = processes.map(database => makeThrottle(database, key, options)) as [Throttle, Throttle]
  return { key, one, other }
}

const makeThrottle = (database: Database, key: string, options: Partial<ThrottleOptions>): Throttle =>
  createThrottle({
    database,
    key,
    intervalMs: 1,
    concurrency: 8,
    leaseMs: 20_000,
    signal: new AbortController().signal,
    ...options,
  })

/** Runs `count` requests in both processes together. Returns the milliseconds from the start until each of them. */
async function measureStarts(
  { one, other }: { one: Throttle; other: Throttle },
  count: number,
): Promise<number[]> {
  const startMs = performance.now()
  const requests = Array.from({ length: count }, (_, index) =>
    (index % 2 === 0 ? one : other).runThrottled(async () => performance.now() - startMs),
  )
  return (await Promise.all(requests)).sort((a, b) => a - b)
}

/** Creates a request of 15 ms, and counts the largest number of concurrent ones. */
function createRequest() {
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

/** Moves the recorded times of a key into the past. */
const backdate = (key: string, ago: string) =>
  sql`update throttles set slowed_at = slowed_at - ${ago}::interval, hour_started_at = hour_started_at - ${ago}::interval
    where key = ${key}`.execute(processes[0].unscoped)

const catchError = (promise: Promise<unknown>) => promise.catch((error: unknown) => error)

describe('the rate', () => {
  test('is shared by both processes', async () => {
    const startsMs = await measureStarts(makeThrottles({ intervalMs: 50 }), 12)
    for (const [index, ms] of startsMs.entries()) expect(ms).toBeGreaterThan(index * 50 - earlyMs)
  })

  test('is separate for each key', async () => {
    const slow = makeThrottles({ intervalMs: 100_000 })
    await slow.one.runThrottled(async () => {})
    // With a shared rate, this would take minutes.
    await measureStarts(makeThrottles(), 5)
  })

  test('makes requests wait even for an interval of minutes', async () => {
    const stopping = new AbortController()
    const { one, other, key } = makeThrottles({ intervalMs: 600_000, signal: stopping.signal })
    await one.runThrottled(async () => {})
    const waiting = [one, other, one].map(throttle => catchError(throttle.runThrottled(async () => {})))
    stopping.abort()
    for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ runAt: undefined })
    expect((await readRow(key)).leases).toBe(0)
  })

  test('is not used up by waiting requests', async () => {
    const { one, key } = makeThrottles({ intervalMs: 10_000 })
    await one.runThrottled(async () => {})
    for (let reader = 0; reader < 8; reader++) {
      const { rows } = await sql<{ waitMs: number }>`
        select wait_ms as "waitMs" from acquire_throttle(${key}, gen_random_uuid(), gen_random_uuid(), 10000, 8, null, 20000)`.execute(
        processes[1].unscoped,
      )
      expect(rows[0]!.waitMs).toBeLessThan(20_000)
    }
    expect((await readRow(key)).nextInMs).toBeLessThan(20_000)
  })
})

describe('concurrent requests', () => {
  test('never exceed the limit, over both processes', async () => {
    const { one, other } = makeThrottles({ concurrency: 3 })
    const { sendRequest, maxConcurrent } = createRequest()
    await Promise.all(
      Array.from({ length: 15 }, (_, index) => (index % 2 === 0 ? one : other).runThrottled(sendRequest)),
    )
    expect(maxConcurrent()).toBe(3)
  })

  test('release their lease when they fail, and throw their error', async () => {
    const { one, other, key } = makeThrottles({ concurrency: 1 })
    await expect(one.runThrottled(() => Promise.reject(new TypeError('x')))).rejects.toThrow(TypeError)
    expect((await readRow(key)).leases).toBe(0)
    expect(await other.runThrottled(async () => 'the reply')).toBe('the reply')
  })

  /** Takes the only lease, and keeps it. */
  const holdLease = async ({ one, key }: { one: Throttle; key: string }) => {
    // It never ends.
    void one.runThrottled(() => new Promise(() => {}))
    await eventually(
      () => readRow(key),
      row => row?.leases === 1,
    )
  }

  test('keep their lease until it expires, if they do not end', async () => {
    const both = makeThrottles({ concurrency: 1, leaseMs: 300 })
    const startMs = performance.now()
    await holdLease(both)
    await both.other.runThrottled(async () => {})
    expect(performance.now() - startMs).toBeGreaterThan(300 - earlyMs)
  })

  test('lose their lease long before it expires when their process dies', async () => {
    const dying = openDatabase(url, { onError: () => {} })
    const { key, other } = makeThrottles({ concurrency: 1, leaseMs: 60_000 })
    await holdLease({ one: makeThrottle(dying, key, { concurrency: 1, leaseMs: 60_000 }), key })
    await dying.close()
    const startMs = performance.now()
    await other.runThrottled(async () => {})
    expect(performance.now() - startMs).toBeLessThan(30_000)
  })

  test('keep their lease while their process lives, also when its connections break', async () => {
    const both = makeThrottles({ concurrency: 1 })
    await holdLease(both)
    const readPid = async () => {
      const session = await processes[0].direct.getSession()
      return (await session.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid
    }
    const pid = await readPid()
    await sql`select pg_terminate_backend(${pid})`.execute(processes[1].owner)
    await eventually(
      () => readPid().catch(() => pid),
      current => current !== pid,
    )
    const waiting = both.other.runThrottled(async () => 'done')
    expect(await Promise.race([waiting, sleep(2500)])).toBe(undefined)
    await sql`delete from throttle_leases where key = ${both.key}`.execute(processes[0].unscoped)
    expect(await waiting).toBe('done')
  })

  test('are fewer after a slowdown, but at least one', async () => {
    const { one, other, key } = makeThrottles({ concurrency: 4 })
    for (const [factor, max] of [
      [2, 2],
      [64, 1],
    ]) {
      await one.runThrottled(async () => {})
      await sql`update throttles set slow_factor = ${factor}, slowed_at = clock_timestamp() + interval '1 s' where key = ${key}`.execute(
        processes[0].unscoped,
      )
      const { sendRequest, maxConcurrent } = createRequest()
      await Promise.all([one, other, one, other, one].map(throttle => throttle.runThrottled(sendRequest)))
      expect(maxConcurrent()).toBeLessThanOrEqual(max!)
    }
  })
})

describe('a slowdown', () => {
  test('halves the rate in both processes', async () => {
    const both = makeThrottles({ intervalMs: 50 })
    await both.one.slowDown(0)
    const startsMs = await measureStarts(both, 6)
    // The rate recovers a little in the meantime.
    for (const [index, ms] of startsMs.entries()) expect(ms).toBeGreaterThan(index * 99 - earlyMs)
  })

  test('pauses for the requested time', async () => {
    const both = makeThrottles()
    const startMs = performance.now()
    await both.one.slowDown(400)
    const passedMs = performance.now() - startMs
    const [first] = await measureStarts(both, 4)
    expect(first! + passedMs).toBeGreaterThan(400 - earlyMs)
  })

  test('with a long pause requeues the job until then, and changes nothing else', async () => {
    const { one, other, key } = makeThrottles()
    await one.slowDown(300_000)
    const before = await readRow(key)
    for (const throttle of [one, other, other]) {
      const error = (await catchError(throttle.runThrottled(async () => {}))) as RequeueJob
      expect(error).toBeInstanceOf(RequeueJob)
      const inMs = error.runAt!.getTime() - Date.now()
      expect(inMs).toBeGreaterThan(290_000)
      expect(inMs).toBeLessThan(301_000)
    }
    const after = await readRow(key)
    expect([after.leases, after.hourCount]).toEqual([0, before.hourCount])
    expect(after.nextInMs).toBeLessThanOrEqual(before.nextInMs)
  })

  test('counts once if several requests are refused at the same time', async () => {
    const { one, other, key } = makeThrottles()
    await Promise.all([one, other, one, other, one].map(throttle => throttle.slowDown(0)))
    const { currentSlowFactor } = await readRow(key)
    expect(currentSlowFactor).toBeGreaterThan(1.9)
    expect(currentSlowFactor).toBeLessThanOrEqual(2)
  })

  test('doubles each time, up to a limit', async () => {
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

  test.each(['5 days', '10 years'])('has no effect %s later', async ago => {
    const both = makeThrottles()
    await both.one.slowDown(0)
    await backdate(both.key, ago)
    await measureStarts(both, 3)
    await both.other.slowDown(0)
    expect((await readRow(both.key)).slowFactor).toBe(2)
  })
})

describe('a limit per hour', () => {
  test('requeues the job until the hour is over, in both processes', async () => {
    const both = makeThrottles({ perHour: 3 })
    await measureStarts(both, 3)
    for (const throttle of [both.one, both.other]) {
      const error = (await catchError(throttle.runThrottled(async () => {}))) as RequeueJob
      expect(error).toBeInstanceOf(RequeueJob)
      const inMs = error.runAt!.getTime() - Date.now()
      expect(inMs).toBeGreaterThan(3_500_000)
      expect(inMs).toBeLessThan(3_601_000)
    }
    expect((await readRow(both.key)).leases).toBe(0)
  })

  test('is renewed when the hour is over', async () => {
    const both = makeThrottles({ perHour: 3 })
    await measureStarts(both, 3)
    await backdate(both.key, '1 h')
    await measureStarts(both, 3)
    expect(await catchError(both.one.runThrottled(async () => {}))).toBeInstanceOf(RequeueJob)
  })

  test('makes requests wait if it is renewed in a moment', async () => {
    const both = makeThrottles({ perHour: 1 })
    const startMs = performance.now()
    await both.one.runThrottled(async () => {})
    await backdate(both.key, '59 min 59.5 s')
    await both.other.runThrottled(async () => {})
    expect(performance.now() - startMs).toBeGreaterThan(500 - earlyMs)
  })
})

describe('a process that stops', () => {
  test('requeues waiting jobs, and leaves no lease behind', async () => {
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

  test('ends pauses at once', async () => {
    for (const ms of [0, 600_000])
      await expect(pause(ms, AbortSignal.abort())).rejects.toBeInstanceOf(RequeueJob)
    expect(await catchError(pause(600_000, AbortSignal.timeout(5)))).toBeInstanceOf(RequeueJob)
  })
})
