/** Advancing a clock: scheduled tasks run in order, and every process is notified. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDatabase } from '../../../test/harness.ts'
import { makeWorkspace } from '../../../test/make.ts'
import { type Database, openDatabase, sql, type Tx } from '../db/index.ts'
import { newId } from '../id.ts'
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

/** Creates a task that is due in these hours from now. It is done as soon as it is started, and writes to `log`. */
function createTask(name: string, hours: number[], log: string[]): ScheduledTask {
  const times = hours.map(hour => new Date(Date.now() + hour * hourMs))
  return {
    findNextDueAt: async () => times[0] ?? null,
    async start(database, tenantId) {
      times.shift()
      log.push(
        `${name} at ${Math.floor(hoursAhead(await database.readTenant({ tenantId }, async tx => getNow(tx))))}`,
      )
    },
  }
}

/** Reads the time after some milliseconds. */
async function readLater(tx: Tx): Promise<Date> {
  await sql`select pg_sleep(0.005)`.execute(tx)
  return new Date()
}

describe('scheduled tasks', () => {
  test('run in order of time, and not if they are due later', async () => {
    const log: string[] = []
    const tasks = [createTask('a', [1, 4, 4, 9], log), createTask('b', [2, 3, 5], log)]
    const { now, isSettled } = await move(await makeTenantId(), tasks, 6)
    expect([hoursAhead(now), isSettled]).toEqual([6, true])
    expect(log).toEqual(['a at 1', 'b at 2', 'b at 3', 'a at 4', 'a at 4', 'b at 5'])
  })

  test('hold the clock at their due time if they time out; the next call continues', async () => {
    const tenantId = await makeTenantId()
    const log: string[] = []
    let isDone = false
    const dueAt = new Date(Date.now() + 2 * hourMs)
    const slow: ScheduledTask = { findNextDueAt: async () => (isDone ? null : dueAt) }
    const tasks = [slow, createTask('later', [3], log)]
    const { now, isSettled } = await move(tenantId, tasks, 6, 200)
    expect([hoursAhead(now), isSettled, log]).toEqual([2, false, []])
    isDone = true
    expect(await move(tenantId, tasks, 6)).toMatchObject({ isSettled: true })
    expect(log).toEqual(['later at 3'])
  })

  test('are waited for if their work becomes due while others are checked', async () => {
    const tenantId = await makeTenantId()
    const log: string[] = []
    let dueAt: Date | null = null
    const first: ScheduledTask = {
      findNextDueAt: async () => dueAt,
      async start() {
        dueAt = null
        log.push('first')
      },
    }
    let isPassed = false
    const second: ScheduledTask = {
      async findNextDueAt(tx) {
        if (!isPassed) dueAt = await readLater(tx)
        isPassed = true
        return null
      },
    }
    let isStarted = false
    const third: ScheduledTask = {
      findNextDueAt: async tx => (isStarted ? null : readLater(tx)),
      async start() {
        isStarted = true
        log.push('third')
      },
    }
    expect(await move(tenantId, [first, second], 0)).toMatchObject({ isSettled: true })
    expect(await move(tenantId, [third], 0)).toMatchObject({ isSettled: true })
    expect(log).toEqual(['first', 'third'])
  })

  test('are not passed by the clock while their work goes from a later one to an earlier one', async () => {
    const tenantId = await makeTenantId()
    const objectId = newId()
    const store = (step: number) =>
      other.withTenant({ tenantId }, tx =>
        sql`
          insert into event_sequences (tenant_id, object_id, last) values (${tenantId}, ${objectId}, ${step})
          on conflict (tenant_id, object_id) do update set last = excluded.last`.execute(tx),
      )
    const isAt = async (tx: Tx, step: number) => {
      const { rows } = await sql`select from event_sequences where last = ${step}`.execute(tx)
      return rows.length > 0
    }
    const doneAtHours: number[] = []
    const dueWhile = (isDue: Promise<boolean>) => isDue.then(due => (due ? new Date(0) : null))
    const second: ScheduledTask = {
      findNextDueAt: tx => dueWhile(isAt(tx, 2)),
      async start() {
        doneAtHours.push(hoursAhead(getTenantNow(database, tenantId)))
        await store(3)
      },
    }
    let hasChecked = false
    const first: ScheduledTask = {
      async findNextDueAt(tx) {
        // Its work is done between the check of the other task and its own.
        if (!hasChecked) await isAt(tx, 1).then(() => store(2))
        hasChecked = true
        return dueWhile(isAt(tx, 1))
      },
    }
    await store(1)
    await move(tenantId, [second, first], 6)
    expect(doneAtHours).toEqual([0])
  })
})

describe('a clock', () => {
  test('moved by another process is known in the next transaction, which runs its work once', async () => {
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

  test('notifies listeners in every process, which then know its time', async () => {
    const tenantId = await makeTenantId()
    const notified = Promise.withResolvers<number>()
    const stop = onClockChanged(other, changedTenantId => {
      if (changedTenantId === tenantId) notified.resolve(hoursAhead(getTenantNow(other, tenantId)))
    })
    // Notifications are lost until the connection listens.
    const again = setInterval(() => void move(tenantId, [], 5), 100)
    expect(await notified.promise).toBe(5)
    clearInterval(again)
    stop()
  })

  test('never moves back, and belongs to one environment', async () => {
    const [tenantId, stranger] = [await makeTenantId(), await makeTenantId()]
    await move(tenantId, [], 10)
    const back = await database.withTenant({ tenantId }, async tx => {
      await setClock(tx, new Date())
      return getNow(tx)
    })
    expect(hoursAhead(back)).toBe(10)
    expect(hoursAhead(await database.readTenant({ tenantId: stranger }, async tx => getNow(tx)))).toBe(0)
  })

  test('keeps the later time if two transactions move it', async () => {
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

  test('is constant in a transaction', async () => {
    const tenantId = await makeTenantId()
    const [first, second] = await database.withTenant({ tenantId }, async tx => {
      const first = getNow(tx)
      await sql`select pg_sleep(0.02)`.execute(tx)
      return [first, getNow(tx)]
    })
    expect(second).toEqual(first)
  })
})
