/** A clock that is moved: what waits for time happens in order, and every process knows of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDatabase } from '../../../test/harness.ts'
import { makeWorkspace } from '../../../test/make.ts'
import { type Database, openDatabase, sql } from '../db/index.ts'
import { getNow, getTenantNow, onClockChanged, setClock } from './clock.ts'
import { advanceClock, type ScheduledTask } from './scheduled-tasks.ts'

let database: Database
let other: Database
beforeAll(async () => {
  const url = await makeDatabase()
  database = openDatabase(url, { poolMax: 4, onError: () => {} })
  other = openDatabase(url, { poolMax: 4, onError: () => {} })
})
afterAll(() => Promise.all([database.close(), other.close()]))

const hourMs = 3_600_000
const makeTenantId = async () => (await makeWorkspace(database)).testTenantId
const hoursAhead = (time: Date) => Math.round(((time.getTime() - Date.now()) / hourMs) * 100) / 100 || 0
const move = (tenantId: string, tasks: ScheduledTask[], hours: number, timeoutMs = 5000) =>
  advanceClock(database, tasks, {
    tenantId,
    timeoutMs,
    signal: new AbortController().signal,
    to: new Date(Date.now() + hours * hourMs),
  })

/** Waits until these hours from now; each is done when it is begun, which `log` notes. */
function createTask(name: string, hours: number[], log: string[]): ScheduledTask {
  const times = hours.map(hour => new Date(Date.now() + hour * hourMs))
  return {
    nextAt: async () => times[0] ?? null,
    async start(of, tenantId) {
      times.shift()
      log.push(
        `${name} at ${Math.floor(hoursAhead(await of.readTenant({ tenantId }, async tx => getNow(tx))))}`,
      )
    },
  }
}

describe('what waits for time', () => {
  test('happens in order, whoever waits for it, and not what is later', async () => {
    const log: string[] = []
    const tasks = [createTask('a', [1, 4, 4, 9], log), createTask('b', [2, 3, 5], log)]
    const { now, isSettled } = await move(await makeTenantId(), tasks, 6)
    expect([hoursAhead(now), isSettled]).toEqual([6, true])
    expect(log).toEqual(['a at 1', 'b at 2', 'b at 3', 'a at 4', 'a at 4', 'b at 5'])
  })

  test('and is not done in time holds the clock where it is due; the next move goes on', async () => {
    const tenantId = await makeTenantId()
    const log: string[] = []
    let isDone = false
    const dueAt = new Date(Date.now() + 2 * hourMs)
    const slow: ScheduledTask = { nextAt: async () => (isDone ? null : dueAt) }
    const tasks = [slow, createTask('later', [3], log)]
    const { now, isSettled } = await move(tenantId, tasks, 6, 200)
    expect([hoursAhead(now), isSettled, log]).toEqual([2, false, []])
    isDone = true
    expect(await move(tenantId, tasks, 6)).toMatchObject({ isSettled: true })
    expect(log).toEqual(['later at 3'])
  })
})

describe('a clock', () => {
  test('that another process has moved is known in the next transaction, whose work has its effect once', async () => {
    const tenantId = await makeTenantId()
    await other.withTenant({ tenantId }, async tx => getNow(tx))
    await move(tenantId, [], 24)
    expect(hoursAhead(getTenantNow(other, tenantId))).toBe(0)
    const written = await other.withTenant({ tenantId }, async tx => {
      await sql`insert into event_sequences (tenant_id, object_id, last) values (${tenantId}, gen_random_uuid(), 1)`.execute(
        tx,
      )
      return getNow(tx)
    })
    expect(hoursAhead(written)).toBe(24)
    const { rows } = await other.readTenant({ tenantId }, tx => sql`select from event_sequences`.execute(tx))
    expect(rows).toHaveLength(1)
    await move(tenantId, [], 48)
    expect(hoursAhead(await other.readTenant({ tenantId }, async tx => getNow(tx)))).toBe(48)
  })

  test('that is moved wakes listeners in every process, which know the time then', async () => {
    const tenantId = await makeTenantId()
    const heard = Promise.withResolvers<number>()
    const stop = onClockChanged(other, of => {
      if (of === tenantId) heard.resolve(hoursAhead(getTenantNow(other, tenantId)))
    })
    // Until the connection listens, notices are lost.
    const again = setInterval(() => void move(tenantId, [], 5), 100)
    expect(await heard.promise).toBe(5)
    clearInterval(again)
    stop()
  })

  test('never goes back, and is one environment’s', async () => {
    const [tenantId, stranger] = [await makeTenantId(), await makeTenantId()]
    await move(tenantId, [], 10)
    const back = await database.withTenant({ tenantId }, async tx => {
      await setClock(tx, new Date())
      return getNow(tx)
    })
    expect(hoursAhead(back)).toBe(10)
    expect(hoursAhead(await database.readTenant({ tenantId: stranger }, async tx => getNow(tx)))).toBe(0)
  })

  test('that two move at once is where the one who moved it further left it', async () => {
    const tenantId = await makeTenantId()
    const ahead = (hours: number) => new Date(Date.now() + hours * hourMs)
    await database.withTenant({ tenantId }, async tx => {
      await sql`select`.execute(tx)
      await other.withTenant({ tenantId }, further => setClock(further, ahead(10)))
      await setClock(tx, ahead(5))
      expect(hoursAhead(getNow(tx))).toBe(10)
    })
    expect(hoursAhead(await database.readTenant({ tenantId }, async tx => getNow(tx)))).toBe(10)
  })

  test('stands still in a transaction', async () => {
    const tenantId = await makeTenantId()
    const [first, second] = await database.withTenant({ tenantId }, async tx => {
      const first = getNow(tx)
      await sql`select pg_sleep(0.02)`.execute(tx)
      return [first, getNow(tx)]
    })
    expect(second).toEqual(first)
  })
})
