/** Held locks: one holder among all processes, and nobody believes in a lock that went with its connection. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { eventually, makeDatabase } from '../../../test/harness.ts'
import { createDirectConnection, type DirectConnection } from '../db/direct.ts'
import { createSessionLocks, type SessionLocks } from './session-locks.ts'

let url: string
let superuser: pg.Client
beforeAll(async () => {
  url = await makeDatabase()
  superuser = new pg.Client({ connectionString: inject('superuserUrl') })
  await superuser.connect()
})
afterAll(() => superuser.end())

const terminate = 'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1'

/** As a process of its own has them. `breakOff` ends its connection on the side of the database. */
function startHolder(
  through = url,
): SessionLocks & { direct: DirectConnection; breakOff(): Promise<unknown> } {
  const application_name = `holder ${Math.random()}`
  const address = new URL(through)
  address.searchParams.set('application_name', application_name)
  const direct = createDirectConnection(address.href, () => {}, { everyMs: 50, replyMaxMs: 200 })
  onTestFinished(() => direct.close())
  return {
    ...createSessionLocks(direct),
    direct,
    breakOff: () => superuser.query(terminate, [application_name]),
  }
}

/** A way to the database that passes nothing on any more once it is silenced, not even that a connection was closed. */
async function openWay(): Promise<{ url: string; silence(): void }> {
  const sockets: Socket[] = []
  const way = new URL(url)
  const socketPath = `${way.searchParams.get('host')}/.s.PGSQL.${way.port}`
  const server = createServer({ allowHalfOpen: true }, near => {
    const far = connect({ path: socketPath, allowHalfOpen: true })
    sockets.push(near, far)
    for (const socket of [near, far]) socket.on('error', () => {})
    near.pipe(far).pipe(near)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  way.searchParams.delete('host')
  way.hostname = '127.0.0.1'
  way.port = String((server.address() as AddressInfo).port)
  return {
    url: way.href,
    silence: () => {
      for (const socket of sockets) socket.unpipe().pause()
    },
  }
}

const name = () => `lock ${Math.random()}`

test('a lock has one holder at a time, who may ask again; another takes it once it is released', async () => {
  const [here, there, lock] = [startHolder(), startHolder(), name()]
  expect([await here.hold(lock), await here.hold(lock), await there.hold(lock)]).toEqual([true, true, false])
  expect([here.holds(lock), there.holds(lock)]).toEqual([true, false])
  expect(await there.hold(name())).toBe(true)

  await here.release(lock)
  expect(here.holds(lock)).toBe(false)
  expect([await there.hold(lock), await here.hold(lock)]).toEqual([true, false])
})

test('releasing what another holds takes nothing from it', async () => {
  const [here, there, lock] = [startHolder(), startHolder(), name()]
  expect([await here.hold(lock), await there.hold(lock)]).toEqual([true, false])
  await there.release(lock)
  expect([here.holds(lock), await there.hold(lock)]).toEqual([true, false])
})

test('of two that ask at the same moment one gets it, every time', async () => {
  const [here, there] = [startHolder(), startHolder()]
  const locks = Array.from({ length: 50 }, name)
  const answers = await Promise.all(
    locks.map(lock => Promise.all([here, there].map(holder => holder.hold(lock)))),
  )
  expect(answers.map(both => both.filter(isOurs => isOurs).length)).toEqual(locks.map(() => 1))
})

test('all locks go with their connection, to whoever asks next; the loser knows and can take them later', async () => {
  const [here, there] = [startHolder(), startHolder()]
  const [lock, second] = [name(), name()]
  expect([await here.hold(lock), await here.hold(second), await there.hold(lock)]).toEqual([
    true,
    true,
    false,
  ])
  await here.breakOff()
  await eventually(
    async () => [here.holds(lock), here.holds(second)],
    held => held.every(isHeld => !isHeld),
  )
  expect([await there.hold(lock), await here.hold(lock)]).toEqual([true, false])
  expect(await here.hold(second)).toBe(true)

  await there.release(lock)
  expect([await here.hold(lock), here.holds(lock)]).toEqual([true, true])
})

test("a lock whose connection breaks with the very answer is nobody's", async () => {
  const [here, there] = [startHolder(), startHolder()]
  for (let i = 0; i < 20; i++) {
    const [earlier, lock] = [name(), name()]
    await here.hold(earlier)
    const asking = here.hold(lock).catch(() => {})
    await Promise.resolve()
    const broken = here.breakOff()
    // Whatever the database says meanwhile is read at once.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    await Promise.all([asking, broken])
    await eventually(
      async () => [here.holds(earlier), here.holds(lock)],
      held => held.every(isHeld => !isHeld),
      1000,
    )
    await eventually(
      () => there.hold(lock),
      isOurs => isOurs,
      1000,
    )
  }
})

test('two holders of one process share its session, and yet no lock', async () => {
  const here = startHolder()
  const beside = createSessionLocks(here.direct)
  const there = startHolder()
  const locks = Array.from({ length: 20 }, name)
  const answers = await Promise.all(
    locks.map(lock => Promise.all([here, beside].map(holder => holder.hold(lock)))),
  )
  expect(answers.map(both => both.filter(isOurs => isOurs).length)).toEqual(locks.map(() => 1))
  const own = locks.filter(lock => here.holds(lock))
  await here.close()
  // What one gives back the other keeps.
  for (const lock of locks) expect(await there.hold(lock)).toBe(own.includes(lock))
})

test('a lock is given up when the database has been silent for a while: another may hold it by then', async () => {
  const way = await openWay()
  const [here, there, lock] = [startHolder(way.url), startHolder(), name()]
  expect(await here.hold(lock)).toBe(true)
  way.silence()
  await here.breakOff()
  await eventually(
    () => there.hold(lock),
    isOurs => isOurs,
  )
  await eventually(
    async () => here.holds(lock),
    isHeld => !isHeld,
    2000,
  )
})

test('close gives them back', async () => {
  const [here, there, lock] = [startHolder(), startHolder(), name()]
  await here.hold(lock)
  await here.close()
  await eventually(
    () => there.hold(lock),
    isOurs => isOurs,
  )
  expect(here.holds(lock)).toBe(false)
})
