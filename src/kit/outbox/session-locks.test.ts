/** Session locks have one holder among all processes, and end with their connection. */
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

/** Simulates the locks of another process. `disconnect` terminates its connection in the database. */
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

/** A proxy to the database. Once silenced it forwards nothing, not even the end of a connection. */
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

const makeName = () => `lock ${Math.random()}`

test('a lock has one holder at a time and is re-entrant; another takes it after the release', async () => {
  const [here, there, lock] = [startHolder(), startHolder(), makeName()]
  expect([await here.acquire(lock), await here.acquire(lock), await there.acquire(lock)]).toEqual([
    true,
    true,
    false,
  ])
  expect([here.isHeld(lock), there.isHeld(lock)]).toEqual([true, false])
  expect(await there.acquire(makeName())).toBe(true)

  await here.release(lock)
  expect(here.isHeld(lock)).toBe(false)
  expect([await there.acquire(lock), await here.acquire(lock)]).toEqual([true, false])
})

test('releasing a lock of another holder has no effect', async () => {
  const [here, there, lock] = [startHolder(), startHolder(), makeName()]
  expect([await here.acquire(lock), await there.acquire(lock)]).toEqual([true, false])
  await there.release(lock)
  expect([here.isHeld(lock), await there.acquire(lock)]).toEqual([true, false])
})

test('exactly one of two concurrent attempts succeeds', async () => {
  const [here, there] = [startHolder(), startHolder()]
  const locks = Array.from({ length: 50 }, makeName)
  const answers = await Promise.all(
    locks.map(lock => Promise.all([here, there].map(holder => holder.acquire(lock)))),
  )
  expect(answers.map(both => both.filter(isAcquired => isAcquired).length)).toEqual(locks.map(() => 1))
})

test('all locks are lost with their connection; the former holder notices and can take them again later', async () => {
  const [here, there] = [startHolder(), startHolder()]
  const [lock, second] = [makeName(), makeName()]
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

test('a lock whose connection breaks during the reply has no holder', async () => {
  const [here, there] = [startHolder(), startHolder()]
  for (let i = 0; i < 20; i++) {
    const [earlier, lock] = [makeName(), makeName()]
    await here.acquire(earlier)
    const acquiring = here.acquire(lock).catch(() => {})
    await Promise.resolve()
    const broken = here.disconnect()
    // Blocks the event loop, so that all replies of the database arrive together.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    await Promise.all([acquiring, broken])
    await eventually(
      async () => [here.isHeld(earlier), here.isHeld(lock)],
      held => held.every(isHeld => !isHeld),
    )
    await eventually(
      () => there.acquire(lock),
      isAcquired => isAcquired,
    )
  }
})

test('two holders in one process share its session, but no lock', async () => {
  const here = startHolder()
  const secondHolder = createSessionLocks(here.direct)
  const there = startHolder()
  const locks = Array.from({ length: 20 }, makeName)
  const answers = await Promise.all(
    locks.map(lock => Promise.all([here, secondHolder].map(holder => holder.acquire(lock)))),
  )
  expect(answers.map(both => both.filter(isAcquired => isAcquired).length)).toEqual(locks.map(() => 1))
  const own = locks.filter(lock => here.isHeld(lock))
  await here.close()
  // The other holder's locks stay held.
  for (const lock of locks) expect(await there.acquire(lock)).toBe(own.includes(lock))
})

test('a lock counts as lost when the database has been silent for a while, since another may hold it by then', async () => {
  const proxyUrl = await openProxy()
  const [here, there, lock] = [startHolder(proxyUrl.url), startHolder(), makeName()]
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
  )
})

test('close releases all locks', async () => {
  const [here, there, lock] = [startHolder(), startHolder(), makeName()]
  await here.acquire(lock)
  await here.close()
  await eventually(
    () => there.acquire(lock),
    isAcquired => isAcquired,
  )
  expect(here.isHeld(lock)).toBe(false)
})
