/**
 * Notifications between processes: sent on commit, received by the listeners of their topic, and after an outage too.
 */
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { eventually, makeDatabase, stopSharedApps } from '../../../test/harness.ts'
import { makeWorkspace } from '../../../test/make.ts'
import { type Database, openDatabase } from './index.ts'
import { notifyOnCommit } from './notifications.ts'

beforeAll(stopSharedApps)

let url: string
/** Two processes. */
let here: Database
let there: Database
let tenantId: string
beforeEach(async () => {
  url = await makeDatabase()
  here = openDatabase(url, { onError: () => {} })
  there = openDatabase(url, { onError: () => {} })
  tenantId = (await makeWorkspace(here)).testTenantId
})
afterEach(() => Promise.all([here.close(), there.close()]))

const signal = new AbortController().signal
const notify = (topic: string, on = there) => on.withTenant({ tenantId }, tx => notifyOnCommit(tx, topic))

const listListeningPids = async () =>
  (
    await here.ownerPool.query<{ pid: number }>(
      `select pid from pg_stat_activity
       where datname = current_database() and query ~ '^(listen |select ''heartbeat)'`,
    )
  ).rows.map(row => row.pid)

/** Adds a listener, and waits until the connection listens, when every listener is called once. */
async function listen(topic: string, database = here) {
  const listener = vi.fn()
  const stop = database.notifications.on(topic, listener)
  await eventually(
    async () => listener.mock.calls.length,
    calls => calls > 0,
  )
  listener.mockClear()
  return { listener, stop, calls: async () => listener.mock.calls.length }
}

it('calls every listener of the topic in every process, and no other', async () => {
  const own = await listen('a')
  const second = vi.fn()
  here.notifications.on('a', second)
  const other = vi.fn()
  here.notifications.on('b', other)
  const remote = await listen('a', there)
  await notify('a')
  for (const { calls } of [own, remote]) await eventually(calls, count => count === 1)
  expect(second).toHaveBeenCalledTimes(1)
  await notify('a')
  await eventually(own.calls, count => count === 2)
  expect(other).not.toHaveBeenCalled()
})

it('sends a notification when its transaction commits, and not if it fails', async () => {
  const { listener, calls } = await listen('a')
  const failing = there.withTenant({ tenantId }, async tx => {
    await notifyOnCommit(tx, 'a')
    throw new Error('changed its mind')
  })
  await expect(failing).rejects.toThrow()
  await there.withTenant({ tenantId }, async tx => {
    await notifyOnCommit(tx, 'a')
    await notify('other')
    expect(listener).not.toHaveBeenCalled()
  })
  await eventually(calls, count => count === 1)
})

it('does not call a removed listener', async () => {
  const leaving = await listen('a')
  const staying = vi.fn()
  here.notifications.on('a', staying)
  leaving.stop()
  await notify('a')
  await eventually(
    async () => staying.mock.calls.length,
    count => count === 1,
  )
  expect(leaving.listener).not.toHaveBeenCalled()
})

it('opens one connection for the first listener, and closes it', async () => {
  await notify('a')
  expect(await listListeningPids()).toEqual([])
  await listen('a')
  here.notifications.on('b', () => {})
  expect(await listListeningPids()).toHaveLength(1)
  await here.direct.close()
  await eventually(listListeningPids, pids => pids.length === 0)
})

it('reconnects after the connection broke, and then calls every listener once', async () => {
  const first = await listen('a')
  const second = vi.fn()
  here.notifications.on('b', second)
  const [pid] = await listListeningPids()
  await here.ownerPool.query('select pg_terminate_backend($1)', [pid])
  await eventually(first.calls, count => count === 1)
  expect(second).toHaveBeenCalledTimes(1)
  await notify('a')
  await eventually(first.calls, count => count === 2)
  expect(second).toHaveBeenCalledTimes(1)
})

it('can be closed while the database is unavailable', async () => {
  const errors: Error[] = []
  const unreachable = openDatabase('postgresql://nobody@127.0.0.1:9/none', {
    onError: error => errors.push(error),
  })
  unreachable.notifications.on('a', () => {})
  await eventually(
    async () => errors.length,
    count => count >= 2,
  )
  await unreachable.close()
})

it('ends a wait at once if a notification was received before it, and counts the notification once', async () => {
  await listen('other')
  const watch = here.notifications.watch('a')
  await new Promise<void>(resolve => {
    here.notifications.on('a', () => resolve())
    void notify('a')
  })
  expect(await watch.next({ timeoutMs: 60_000, signal })).toBe(true)
  expect(await watch.next({ timeoutMs: 1, signal })).toBe(false)
  const waiting = watch.next({ timeoutMs: 60_000, signal })
  await notify('a')
  expect(await waiting).toBe(true)
  watch.stop()
})

it('misses no notification that is committed while the connection is being opened', async () => {
  const watch = here.notifications.watch('a')
  await notify('a')
  expect(await watch.next({ timeoutMs: 60_000, signal })).toBe(true)
})

it('stops waiting when the signal is aborted, and leaves no timer', async () => {
  await listen('other')
  const watch = here.notifications.watch('a')
  vi.useFakeTimers()
  const stopping = new AbortController()
  const waiting = watch.next({ timeoutMs: 60_000, signal: stopping.signal })
  stopping.abort()
  expect(await waiting).toBe(false)
  expect(await watch.next({ timeoutMs: 60_000, signal: stopping.signal })).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})
