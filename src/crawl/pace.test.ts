/** One pace for all processes: two databases opened on one server stand for two of them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, makeDatabase } from '../../test/harness.ts'
import { type Database, openDatabase, sql } from '../kit/db/index.ts'
import { HandBack } from '../kit/jobs/job.ts'
import { keepPace, type Pace, type PaceOptions, pause } from './pace.ts'

let processes: [Database, Database]
beforeAll(async () => {
  const url = await makeDatabase()
  const open = () => openDatabase(url, { onError: () => {} })
  processes = [open(), open()]
})
afterAll(() => Promise.all(processes.map(database => database.close())))

let portals = 0

type Options = Partial<Omit<PaceOptions, 'database' | 'politeness'> & PaceOptions['politeness']>

/** A portal of a test's own, as each of the two processes reads it. */
function portalOf({ requestsPerSecond = 1000, concurrency = 8, requestsPerHour, ...options }: Options = {}) {
  const origin = `https://portal-${portals++}.example`
  const politeness = {
    ...{ requestsPerSecond, concurrency },
    ...(requestsPerHour === undefined ? {} : { requestsPerHour }),
  }
  const paces = processes.map(database =>
    keepPace({
      ...{ database, origin, politeness, intervalMinMs: 0, requestMaxMs: 20_000 },
      signal: new AbortController().signal,
      ...options,
    }),
  ) as [Pace, Pace]
  return { origin, one: paces[0], other: paces[1] }
}

/** Milliseconds from the start until each of `count` turns, taken by both processes together. */
async function turnsOf({ one, other }: { one: Pace; other: Pace }, count: number): Promise<number[]> {
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

const rowOf = async (origin: string) => {
  const { rows } = await sql<{
    slowness: number
    slowFactor: number
    nextInMs: number
    hourCount: number
    turns: number
  }>`
    select slowness(slow_factor, slowed_at), slow_factor as "slowFactor", hour_count as "hourCount",
      extract(epoch from next_at - clock_timestamp())::float8 * 1000 as "nextInMs",
      (select count(*) from portal_turns t where t.origin = p.origin)::int as turns
    from portal_pace p where origin = ${origin}`.execute(processes[0].outside)
  return rows[0]!
}

/** As if what the portal last told had been told so long ago. */
const age = (origin: string, ago: string) =>
  sql`update portal_pace set slowed_at = slowed_at - ${ago}::interval, hour_started_at = hour_started_at - ${ago}::interval
    where origin = ${origin}`.execute(processes[0].outside)

const caughtFrom = (promise: Promise<unknown>) => promise.catch((error: unknown) => error)

describe('the rate', () => {
  test('holds over both processes together', async () => {
    const turns = await turnsOf(portalOf({ requestsPerSecond: 20 }), 12)
    for (const [at, ms] of turns.entries()) expect(ms).toBeGreaterThan(at * 50 - earlyMs)
  })

  test('is the slower one of the two that are asked for', async () => {
    const turns = await turnsOf(portalOf({ requestsPerSecond: 1000, intervalMinMs: 100 }), 5)
    for (const [at, ms] of turns.entries()) expect(ms).toBeGreaterThan(at * 100 - earlyMs)
  })

  test('of one portal is not that of another', async () => {
    const slow = portalOf({ requestsPerSecond: 0.01 })
    await slow.one.inTurn(async () => {})
    // It would take minutes otherwise.
    await turnsOf(portalOf(), 5)
  })

  test('so slow that a turn comes after minutes is waited for', async () => {
    const stopping = new AbortController()
    const { one, other, origin } = portalOf({ intervalMinMs: 600_000, signal: stopping.signal })
    await one.inTurn(async () => {})
    const waiting = [one, other, one].map(pace => caughtFrom(pace.inTurn(async () => {})))
    stopping.abort()
    for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ runAt: undefined })
    expect((await rowOf(origin)).turns).toBe(0)
  })

  test('is not used up by those who wait: many may wait for a slow one', async () => {
    const { one, origin } = portalOf({ intervalMinMs: 10_000 })
    await one.inTurn(async () => {})
    for (let reader = 0; reader < 8; reader++) {
      const { rows } = await sql<{ waitMs: number }>`
        select wait_ms as "waitMs" from take_portal_turn(${origin}, gen_random_uuid(), 10000, 8, null, 20000)`.execute(
        processes[1].outside,
      )
      expect(rows[0]!.waitMs).toBeLessThan(20_000)
    }
    expect((await rowOf(origin)).nextInMs).toBeLessThan(20_000)
  })
})

describe('requests at once', () => {
  test('are never more than allowed, over both processes together', async () => {
    const { one, other } = portalOf({ concurrency: 3 })
    const { ask, most } = crowd()
    await Promise.all(Array.from({ length: 15 }, (_, at) => (at % 2 === 0 ? one : other).inTurn(ask)))
    expect(most()).toBe(3)
  })

  test('give their turn back when they fail, and hand on what they failed of', async () => {
    const { one, other, origin } = portalOf({ concurrency: 1 })
    await expect(one.inTurn(() => Promise.reject(new TypeError('x')))).rejects.toThrow(TypeError)
    expect((await rowOf(origin)).turns).toBe(0)
    expect(await other.inTurn(async () => 'the answer')).toBe('the answer')
  })

  test('whose process was killed free their turn when it lapses, not before', async () => {
    const { one, other, origin } = portalOf({ concurrency: 1, requestMaxMs: 300 })
    const startMs = performance.now()
    // Nothing comes back from it.
    void one.inTurn(() => new Promise(() => {}))
    await eventually(
      () => rowOf(origin),
      row => row?.turns === 1,
    )
    await other.inTurn(async () => {})
    expect(performance.now() - startMs).toBeGreaterThan(300 - earlyMs)
  })

  test('are fewer while the portal is read slowly, and one at least', async () => {
    const { one, other, origin } = portalOf({ concurrency: 4 })
    for (const [factor, atOnce] of [
      [2, 2],
      [64, 1],
    ]) {
      await one.inTurn(async () => {})
      await sql`update portal_pace set slow_factor = ${factor}, slowed_at = clock_timestamp() + interval '1 s' where origin = ${origin}`.execute(
        processes[0].outside,
      )
      const { ask, most } = crowd()
      await Promise.all([one, other, one, other, one].map(pace => pace.inTurn(ask)))
      expect(most()).toBeLessThanOrEqual(atOnce!)
    }
  })
})

describe('a portal that asks for rest', () => {
  test('is read half as fast by both processes', async () => {
    const portal = portalOf({ requestsPerSecond: 20 })
    await portal.one.slowDown(0)
    const turns = await turnsOf(portal, 6)
    // In the meantime it recovers a little.
    for (const [at, ms] of turns.entries()) expect(ms).toBeGreaterThan(at * 99 - earlyMs)
  })

  test('is asked by nobody for as long as it wants', async () => {
    const portal = portalOf()
    const startMs = performance.now()
    await portal.one.slowDown(400)
    const passedMs = performance.now() - startMs
    const [first] = await turnsOf(portal, 4)
    expect(first! + passedMs).toBeGreaterThan(400 - earlyMs)
  })

  test('for longer than is waited for hands the job back until then, and stays as it is', async () => {
    const { one, other, origin } = portalOf()
    await one.slowDown(300_000)
    const before = await rowOf(origin)
    for (const pace of [one, other, other]) {
      const error = (await caughtFrom(pace.inTurn(async () => {}))) as HandBack
      expect(error).toBeInstanceOf(HandBack)
      const inMs = error.runAt!.getTime() - Date.now()
      expect(inMs).toBeGreaterThan(290_000)
      expect(inMs).toBeLessThan(301_000)
    }
    const after = await rowOf(origin)
    expect([after.turns, after.hourCount]).toEqual([0, before.hourCount])
    expect(after.nextInMs).toBeLessThanOrEqual(before.nextInMs)
  })

  test('asks for it once, however many requests are refused at that moment', async () => {
    const { one, other, origin } = portalOf()
    await Promise.all([one, other, one, other, one].map(pace => pace.slowDown(0)))
    const { slowness } = await rowOf(origin)
    expect(slowness).toBeGreaterThan(1.9)
    expect(slowness).toBeLessThanOrEqual(2)
  })

  test('again and again is read more and more slowly, to a bound', async () => {
    const { one, other, origin } = portalOf()
    const factors: number[] = []
    for (let time = 0; time < 9; time++) {
      await (time % 2 === 0 ? one : other).slowDown(0)
      factors.push(Math.round((await rowOf(origin)).slowFactor))
      await age(origin, '6 s')
    }
    expect(factors.slice(0, 4)).toEqual([2, 4, 8, 15])
    expect(Math.max(...factors)).toBe(64)
  })

  test('recovers with time', async () => {
    const { one, origin } = portalOf()
    for (const time of [1, 2, 3]) {
      await one.slowDown(time)
      await age(origin, '6 s')
    }
    const slow = (await rowOf(origin)).slowness
    expect(slow).toBeGreaterThan(7)
    await age(origin, '5 min')
    expect((await rowOf(origin)).slowness).toBeCloseTo(slow / 2, 1)
    await age(origin, '1 h')
    expect((await rowOf(origin)).slowness).toBe(1)
  })

  test.each(['5 days', '10 years'])('and did so %s ago is read as ever', async ago => {
    const portal = portalOf()
    await portal.one.slowDown(0)
    await age(portal.origin, ago)
    await turnsOf(portal, 3)
    await portal.other.slowDown(0)
    expect((await rowOf(portal.origin)).slowFactor).toBe(2)
  })
})

describe('a quota by the hour', () => {
  test('hands the job back until the hour is over, in both processes', async () => {
    const portal = portalOf({ requestsPerHour: 3 })
    await turnsOf(portal, 3)
    for (const pace of [portal.one, portal.other]) {
      const error = (await caughtFrom(pace.inTurn(async () => {}))) as HandBack
      expect(error).toBeInstanceOf(HandBack)
      const inMs = error.runAt!.getTime() - Date.now()
      expect(inMs).toBeGreaterThan(3_500_000)
      expect(inMs).toBeLessThan(3_601_000)
    }
    expect((await rowOf(portal.origin)).turns).toBe(0)
  })

  test('begins anew when the hour is over', async () => {
    const portal = portalOf({ requestsPerHour: 3 })
    await turnsOf(portal, 3)
    await age(portal.origin, '1 h')
    await turnsOf(portal, 3)
    expect(await caughtFrom(portal.one.inTurn(async () => {}))).toBeInstanceOf(HandBack)
  })

  test('that is over in a moment is waited for', async () => {
    const portal = portalOf({ requestsPerHour: 1 })
    const startMs = performance.now()
    await portal.one.inTurn(async () => {})
    await age(portal.origin, '59 min 59.5 s')
    await portal.other.inTurn(async () => {})
    expect(performance.now() - startMs).toBeGreaterThan(500 - earlyMs)
  })
})

describe('a process that stops', () => {
  test('hands back what waits, and leaves no turn behind', async () => {
    const stopping = new AbortController()
    const { one, origin } = portalOf({ intervalMinMs: 900, signal: stopping.signal })
    await one.inTurn(async () => {})
    const waiting = caughtFrom(one.inTurn(async () => {}))
    await eventually(
      () => rowOf(origin),
      ({ turns }) => turns === 1,
    )
    stopping.abort()
    expect(await waiting).toBeInstanceOf(HandBack)
    expect((await rowOf(origin)).turns).toBe(0)
  })

  test('pauses no more, nor for longer', async () => {
    for (const ms of [0, 600_000])
      await expect(pause(ms, AbortSignal.abort())).rejects.toBeInstanceOf(HandBack)
    expect(await caughtFrom(pause(600_000, AbortSignal.timeout(5)))).toBeInstanceOf(HandBack)
  })
})
