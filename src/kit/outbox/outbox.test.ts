/** Outboxes send in order, from one process at a time, and lose nothing; no destination delays another. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually, makeDatabase } from '../../../test/harness.ts'
import { makeWorkspace } from '../../../test/make.ts'
import { type Database, openDatabase } from '../db/index.ts'
import { notifyAfterCommit } from '../db/notifications.ts'
import type { RunningService } from '../jobs/background-service.ts'
import { createLog } from '../log.ts'
import type { Attempt, Outbox } from './outbox.ts'
import { outboxService } from './outbox-service.ts'
import { nextAttemptAt } from './retry-schedule.ts'

interface Letter {
  id: string
  to: string
  orderKey: string
  status: 'queued' | 'claimed' | 'sent' | 'unknown'
  attempts: number
  dueAt: number
}

/** An in-memory outbox of letters that must not arrive twice. `send` simulates the network. */
class Letters {
  readonly list: Letter[] = []
  readonly arrived: string[] = []
  /** The ids of each record. */
  readonly records: string[][] = []
  /** The highest number of letters in flight, by destination. */
  readonly maxConcurrent = new Map<string, number>()
  send: (letter: Letter) => Promise<Attempt> = async () => ({ error: null, retryAfterMs: 0 })
  /** How many claims fail, with their transaction rolled back. */
  failingClaims = 0
  #released: Letter[] = []
  readonly #inFlight = new Map<string, Letter[]>()

  add(to: string, ...ids: string[]): void {
    for (const id of ids)
      this.list.push({ id, to, orderKey: id.split('-')[0]!, status: 'queued', attempts: 0, dueAt: 0 })
  }

  outbox(tenantId: string): Outbox<string, Letter, Attempt> {
    return {
      name: 'letters',
      topics: { due: 'letters-due', changed: 'letters-changed', erased: 'letters-erased' },
      concurrency: { first: 2, max: 4 },
      batch: 8,
      listDue: async () => {
        const open = this.list.filter(({ status }) => status === 'queued' || status === 'claimed')
        return [...Map.groupBy(open, ({ to }) => to)].map(([destinationId, letters]) => ({
          tenantId,
          destinationId,
          dueAt: new Date(Math.min(...letters.map(({ dueAt }) => dueAt))),
        }))
      },
      claim: async (_tx, to, { excludedIds, limit }) => {
        const released = this.#released.splice(0)
        if (this.failingClaims > 0) {
          this.failingClaims--
          for (const letter of released) letter.status = 'claimed'
          throw new Error('the transaction failed')
        }
        const own = this.list.filter(letter => letter.to === to)
        for (const letter of own)
          if (letter.status === 'claimed' && !excludedIds.includes(letter.id)) letter.status = 'unknown'
        const items = own
          .filter(({ status, dueAt }) => status === 'queued' && dueAt <= Date.now())
          .slice(0, limit)
        for (const letter of items) letter.status = 'claimed'
        return { target: to, isFailing: false, items, isFull: items.length === limit, nextAt: null }
      },
      release: async (_tx, _to, items) => {
        for (const letter of items) letter.status = 'queued'
        this.#released.push(...items)
      },
      send: async (to, letter) => {
        const together = [...(this.#inFlight.get(to) ?? []), letter]
        this.#inFlight.set(to, together)
        this.maxConcurrent.set(to, Math.max(this.maxConcurrent.get(to) ?? 0, together.length))
        expect(new Set(together.map(({ orderKey }) => orderKey)).size).toBe(together.length)
        const attempt = await this.send(letter)
        this.#inFlight.set(
          to,
          this.#inFlight.get(to)!.filter(one => one !== letter),
        )
        if (attempt.error === null) this.arrived.push(letter.id)
        return attempt
      },
      record: async (_tx, _to, sent) => {
        this.records.push(sent.map(({ item }) => item.id))
        const nexts = sent.flatMap(({ item, attempt }) => {
          item.status = attempt.error === null ? 'sent' : 'queued'
          if (attempt.error === null) return []
          const next = nextAttemptAt([50, 50], {
            attemptsBefore: item.attempts++,
            retryAfterMs: attempt.retryAfterMs,
            now: new Date(),
          })
          item.dueAt = next!.getTime()
          return item.dueAt
        })
        const isPaused = sent.some(({ attempt }) => attempt.retryAfterMs > 0)
        return { continues: !isPaused, nextAt: nexts.length > 0 ? new Date(Math.min(...nexts)) : null }
      },
      logFailures: () => {},
    }
  }
}

let url: string
let database: Database
let tenantId: string
let letters: Letters
const running: RunningService[] = []
beforeAll(async () => {
  url = await makeDatabase()
  database = openDatabase(url, { onError: () => {} })
})
beforeEach(async () => {
  tenantId = (await makeWorkspace(database)).testTenantId
  letters = new Letters()
})
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop()
})
afterAll(() => database.close())

const start = (by = database) => {
  const one = outboxService(letters.outbox(tenantId)).start({ database: by, log: createLog('silent') })
  running.push(one)
  return one
}
const wake = () => database.withTenant({ tenantId }, async tx => notifyAfterCommit(tx, 'letters-due'))
const waitForArrivals = (count: number) =>
  eventually(
    async () => letters.arrived,
    list => list.length >= count,
  )

test('items of one order key arrive in order, others in parallel up to the limit', async () => {
  const ids = Array.from({ length: 40 }, (_, n) => `${'abcd'[n % 4]}-${n}`)
  letters.add('x', ...ids)
  letters.send = async () => {
    await sleep(Math.random() * 5)
    return { error: null, retryAfterMs: 0 }
  }
  start()
  await waitForArrivals(40)
  for (const key of 'abcd')
    expect(letters.arrived.filter(id => id.startsWith(key))).toEqual(ids.filter(id => id.startsWith(key)))
  expect(letters.maxConcurrent.get('x')).toBe(4)
})

test('results are recorded together, without a wait for one that hangs', async () => {
  const [both, hanging] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  letters.add('x', 'a-1', 'b-1', 'c-1')
  letters.send = async ({ id }) => {
    if (id === 'b-1') both.resolve()
    await (id === 'c-1' ? hanging : both).promise
    return { error: null, retryAfterMs: 0 }
  }
  start()
  await eventually(
    async () => letters.records,
    records => records.length > 0,
  )
  expect(letters.records).toEqual([['a-1', 'b-1']])
  hanging.resolve()
  await waitForArrivals(3)
})

test('two processes send nothing twice, and one takes over when the other stops', async () => {
  const other = openDatabase(url, { onError: () => {} })
  const first = start()
  start(other)
  letters.add('x', ...Array.from({ length: 50 }, (_, n) => `a-${n}`))
  await wake()
  await waitForArrivals(50)
  await first.stop()
  letters.add('x', 'a-50')
  await wake()
  await waitForArrivals(51)
  expect(letters.arrived).toEqual(Array.from({ length: 51 }, (_, n) => `a-${n}`))
  for (const one of running.splice(0)) await one.stop()
  await other.close()
})

test('a destination that hangs delays no other', async () => {
  const released = Promise.withResolvers<void>()
  letters.send = async ({ to }) => {
    if (to === 'slow') await released.promise
    return { error: null, retryAfterMs: 0 }
  }
  letters.add('slow', 'a-1', 'b-1', 'c-1')
  letters.add('fast', 'd-1', 'd-2')
  start()
  expect((await waitForArrivals(2)).toSorted()).toEqual(['d-1', 'd-2'])
  released.resolve()
  await waitForArrivals(5)
})

test('a failed item is retried, and Retry-After is respected', async () => {
  const calls: number[] = []
  letters.send = async () => {
    calls.push(Date.now())
    return calls.length === 1 ? { error: 'busy', retryAfterMs: 300 } : { error: null, retryAfterMs: 0 }
  }
  letters.add('x', 'a-1')
  start()
  await waitForArrivals(1)
  expect(calls[1]! - calls[0]!).toBeGreaterThanOrEqual(299)
})

test('an item whose process died is reconciled and not sent again', async () => {
  letters.add('x', 'a-1', 'a-2')
  // Another process had claimed it.
  letters.list[0]!.status = 'claimed'
  start()
  await waitForArrivals(1)
  expect(letters.arrived).toEqual(['a-2'])
  expect(letters.list.map(({ status }) => status)).toEqual(['unknown', 'sent'])
})

test('claimed items that were not sent are released when the process stops or the sender is refreshed', async () => {
  const released = Promise.withResolvers<void>()
  letters.send = async () => {
    await released.promise
    return { error: null, retryAfterMs: 0 }
  }
  letters.add('x', 'a-1', 'a-2', 'a-3')
  const first = start()
  await eventually(
    async () => letters.maxConcurrent.get('x'),
    maxConcurrent => maxConcurrent === 1,
  )
  await database.withTenant({ tenantId }, async tx => notifyAfterCommit(tx, 'letters-changed x'))
  const stopped = first.stop()
  released.resolve()
  await stopped
  expect(letters.arrived).toEqual(['a-1'])
  expect(letters.list.map(({ status }) => status)).toEqual(['sent', 'queued', 'queued'])
  start()
  expect(await waitForArrivals(3)).toEqual(['a-1', 'a-2', 'a-3'])
})

/** Claims three items of one order, and holds the first one until the promise is resolved. */
async function holdFirst(): Promise<PromiseWithResolvers<void>> {
  const released = Promise.withResolvers<void>()
  letters.send = async () => {
    await released.promise
    return { error: null, retryAfterMs: 0 }
  }
  letters.add('x', 'a-1', 'a-2', 'a-3')
  start()
  await eventually(
    async () => letters.maxConcurrent.get('x'),
    maxConcurrent => maxConcurrent === 1,
  )
  return released
}

test('items released by a failed claim are released by the next one', async () => {
  const released = await holdFirst()
  letters.failingClaims = 1
  await database.withTenant({ tenantId }, async tx => notifyAfterCommit(tx, 'letters-changed x'))
  await eventually(
    async () => letters.failingClaims,
    left => left === 0,
  )
  released.resolve()
  expect(await waitForArrivals(3)).toEqual(['a-1', 'a-2', 'a-3'])
})

test('claimed items are sent at once after the lock was lost with its connection', async () => {
  const released = await holdFirst()
  await database.ownerPool
    .query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
    .catch(() => {})
  await sleep(5)
  released.resolve()
  expect(await waitForArrivals(3)).toEqual(['a-1', 'a-2', 'a-3'])
  await eventually(
    async () => letters.list.map(({ status }) => status),
    statuses => statuses.every(status => status === 'sent'),
  )
})
