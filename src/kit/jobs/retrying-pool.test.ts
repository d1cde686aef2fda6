/** The queue while the database is unavailable: the process survives, and every job is done once it is back. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { eventually, makeDatabase } from '../../../test/harness.ts'
import { makeWorkspace } from '../../../test/make.ts'
import { openDatabase } from '../db/index.ts'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics.ts'
import { enqueue } from './enqueue.ts'
import { type JobDefinition, job } from './job.ts'
import { startQueue } from './queue.ts'

/** A proxy to the database that can be interrupted: open connections break, new ones are refused. */
async function openProxy(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const socketPath = `${url.searchParams.get('host')}/.s.PGSQL.${url.port}`
  const sockets = new Set<Socket>()
  const server = createServer(clientSocket => {
    const serverSocket = connect(socketPath)
    for (const socket of [clientSocket, serverSocket]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        clientSocket.destroy()
        serverSocket.destroy()
      })
    }
    clientSocket.pipe(serverSocket).pipe(clientSocket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String(port)
  const close = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return {
    url: url.href,
    close,
    async interrupt(ms: number) {
      await close()
      await sleep(ms)
      await once(server.listen(port, '127.0.0.1'), 'listening')
    },
  }
}

it('waits for the database at every outage, and does every job', async () => {
  const proxy = await openProxy(await makeDatabase())
  const database = openDatabase(proxy.url, { onError: () => {} })
  const { testTenantId: tenantId } = await makeWorkspace(database)
  const done = new Set<number>()
  const work = job<{ number: number }>({
    name: 'work',
    async run({ number }, { database, tenantId }) {
      await database.withTenant({ tenantId }, tx => tx.selectFrom('leads').selectAll().execute())
      await sleep(100)
      done.add(number)
    },
  }) as JobDefinition<never>
  const queue = await startQueue({
    jobs: [work],
    database,
    log: createLog('silent'),
    metrics: createMetrics(async () => 0),
    concurrency: { main: 4 },
  })
  onTestFinished(async () => {
    await queue.stop()
    await database.close()
    await proxy.close()
  })
  await database.withTenant({ tenantId }, async tx => {
    for (let number = 0; number < 24; number++) await enqueue(tx, 'work', { number })
  })
  for (let count = 0; count < 3; count++) {
    await sleep(150)
    await proxy.interrupt(400)
  }
  await eventually(
    async () => (await database.ownerPool.query('select from graphile_worker.jobs')).rowCount,
    count => count === 0,
  )
  expect(done.size).toBe(24)
  expect(queue.ready()).toBe(true)
})
