/** Held locks: one holder among all processes, and nobody believes in a lock that went with its connection. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { eventually, makeDatabase } from '../../../test/harness.ts'
import { createDirectConnection, type DirectConnection } from '../db/direct-connection.ts'
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

/** As a process of its own has them. `disconnect` ends its connection on the side of the database. */
function startHolder(
  databaseUrl = url,
): SessionLocks & { direct: DirectConnection; disconnect(): Promise<unknown> } {
  const applicationName = `holder ${Math.random()}`
  const address = new URL(databaseUrl)
  address.searchParams.set('application_name', applicationName)
  const direct = createDirectConnection(address.href, () => {}, { everyMs: 50, replyMaxMs: 200 })
  onTestFinished(() => direct.close())
  return {
    ...createSessionLocks(direct),
    direct,
    disconnect: () => superuser.query(terminate, [applicationName]),
  }
}

/** A way to the database that passes nothing on any more once it is silenced, not even that a connection was closed. */
async function openProxy(): Promise<{ url: string; silence(): void }> {
  const sockets: Socket[] = []
  const proxyUrl = new URL(url)
  const socketPath = `${proxyUrl.searchParams.get('host')}/.s.PGSQL.${proxyUrl.port}`
  const server = createServer({ allowHalfOpen: true }, clientSocket => {
    const serverSocket = connect({ path: socketPath, allowHalfOpen: true })
    sockets.push(clientSocket, serverSocket)
    for (const socket of [clientSocket, serverSocket]) socket.on('error', () => {})
    clientSocket.pipe(serverSocket).pipe(clientSocket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  proxyUrl.searchParams.delete('host')
  proxyUrl.hostname = '127.0.0.1'
  proxyUrl.port = String((server.address() as AddressInfo).port)
  return {
    url: proxyUrl.href,
    silence: () => {
      for (const socket of sockets) socket.unpipe().pause()
    },
  }
}

const name = () => `lock ${Math.random()}`

test('a lock has one holder at a time, who may ask again; another takes it once it is released', async () => {
  const [here, there, lock] = [startHolder(), startHolder(), name()]
  expect([await here.acquire(lock), await here.acquire(lock), await there.acquire(lock)]).toEqual([
    true,
    true,
    false,
  ])
  expect([here.isHeld(lock), there.isHeld(lock)]).toEqual([true, false])
  expect(await there.acquire(name())).toBe(true)

  await here.release(lock)
  expect(here.isHeld(lock)).toBe(false)
  expect([await there.acquire(lock), await here.acquire(lock)]).toEqual([true, false])
})

test('releasing what another holds takes nothing from it', async () => {
  const [here, there, lock] = [startHolder(), startHolder(), name()]
  expect([await here.acquire(lock), await there.acquire(lock)]).toEqual([true, false])
  await there.release(lock)
  expect([here.isHeld(lock), await there.acquire(lock)]).toEqual([true, false])
})

test('of two that ask at the same moment one gets it, every time', async () => {
  const [here, there] = [startHolder(), startHolder()]
  const locks = Array.from({ length: 50 }, name)
  const answers = await Promise.all(
    locks.map(lock => Promise.all([here, there].map(holder => holder.acquire(lock)))),
  )
  expect(answers.map(both => both.filter(isAcquired => isAcquired).length)).toEqual(locks.map(() => 1))
})

test('all locks go with their connection, to whoever asks next; the loser knows and can take them later', async () => {
  const [here, there] = [startHolder(), startHolder()]
  const [lock, second] = [name(), name()]
  expect([await here.acquire(lock), await here.acquire(second), await there.acquire(lock)]).toEqual([
    true,
    true,
    false,
  ])
  await here.disconnect()
  await eventually(
    async () => [here.isHeld(lock), here.isHeld(second)],
    held => held.every(isHeld => !isHeld),
  )
  expect([await there.acquire(lock), await here.acquire(lock)]).toEqual([true, false])
  expect(await here.acquire(second)).toBe(true)

  await there.release(lock)
  expect([await here.acquire(lock), here.isHeld(lock)]).toEqual([true, true])
})

test("a lock whose connection breaks with the very answer is nobody's", async () => {
  const [here, there] = [startHolder(), startHolder()]
  for (let i = 0; i < 20; i++) {
    const [earlier, lock] = [name(), name()]
    await here.acquire(earlier)
    const asking = here.acquire(lock).catch(() => {})
    await Promise.resolve()
    const broken = here.disconnect()
    // Whatever the database says meanwhile is read at once.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    await Promise.all([asking, broken])
    await eventually(
      async () => [here.isHeld(earlier), here.isHeld(lock)],
      held => held.every(isHeld => !isHeld),
      1000,
    )
    await eventually(
      () => there.acquire(lock),
      isAcquired => isAcquired,
      1000,
    )
  }
})

test('two holders of one process share its session, and yet no lock', async () => {
  const here = startHolder()
  const secondHolder = createSessionLocks(here.direct)
  const there = startHolder()
  const locks = Array.from({ length: 20 }, name)
  const answers = await Promise.all(
    locks.map(lock => Promise.all([here, secondHolder].map(holder => holder.acquire(lock)))),
  )
  expect(answers.map(both => both.filter(isAcquired => isAcquired).length)).toEqual(locks.map(() => 1))
  const own = locks.filter(lock => here.isHeld(lock))
  await here.close()
  // What one gives back the other keeps.
  for (const lock of locks) expect(await there.acquire(lock)).toBe(own.includes(lock))
})

test('a lock is given up when the database has been silent for a while: another may hold it by then', async () => {
  const proxyUrl = await openProxy()
  const [here, there, lock] = [startHolder(proxyUrl.url), startHolder(), name()]
  expect(await here.acquire(lock)).toBe(true)
  proxyUrl.silence()
  await here.disconnect()
  await eventually(
    () => there.acquire(lock),
    isAcquired => isAcquired,
  )
  await eventually(
    async () => here.isHeld(lock),
    isHeld => !isHeld,
    2000,
  )
})

test('close gives them back', async () => {
  const [here, there, lock] = [startHolder(), startHolder(), name()]
  await here.acquire(lock)
  await here.close()
  await eventually(
    () => there.acquire(lock),
    isAcquired => isAcquired,
  )
  expect(here.isHeld(lock)).toBe(false)
})
