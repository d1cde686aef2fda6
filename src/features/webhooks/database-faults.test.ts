/** Faults of the database while events are delivered. */
import { join } from 'node:path'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { waitUntilIdle } from '../../../test/jobs.ts'
import {
  countDeliveries,
  emitWithdrawals,
  startReceiverForTest,
  subscribe,
  waitForDeliveries,
} from '../../../test/receiver.ts'
import { makeTenant } from '../../../test/tenant.ts'
import { openDatabase } from '../../kit/db/index.ts'
import { migrate } from '../../kit/db/migrate.ts'
import { openEmbeddedPostgres } from '../../kit/embedded-postgres.ts'

describe('a database', () => {
  const restart = async (own: TestApp) => {
    const { rows } = await own.database.ownerPool.query<{ pid: number }>('select pg_backend_pid() as pid')
    // If one server process is killed, PostgreSQL ends all of them and restarts.
    process.kill(rows[0]!.pid, 'SIGKILL')
  }
  const terminateConnections = (own: TestApp) =>
    own.database.ownerPool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )

  test.each<[string, (own: TestApp) => Promise<unknown>]>([
    ['that terminates every connection', terminateConnections],
    ['that is restarted', restart],
  ])('%s three times during deliveries: every event arrives exactly once', async (_what, disturb) => {
    const dataDir = join(inject('runDir'), `database-${Math.random()}`)
    const server = await openEmbeddedPostgres({
      dataDir,
      mode: 'own',
      log: () => {},
      passwords: { superuser: 'test', owner: 'test' },
      settings: { fsync: 'off' },
    })
    onTestFinished(() => server.stop())
    const database = openDatabase(server.databaseUrl, { onError: () => {} })
    await migrate(database.ownerPool)
    await database.close()

    const own = await startTestApp({ databaseUrl: server.databaseUrl })
    onTestFinished(async () => {
      await own.app.stop()
      await own.database.close()
    })
    const tenant = await makeTenant(own)
    let gate = Promise.resolve()
    const receiver = await startReceiverForTest(async () => {
      await gate
      return { status: 204 }
    })
    await subscribe(tenant, receiver)
    const eventIds = await emitWithdrawals(tenant, 500)
    for (const count of [50, 200, 350]) {
      await waitForDeliveries(receiver, count)
      const opened = Promise.withResolvers<void>()
      gate = opened.promise
      await waitForDeliveries(receiver, receiver.deliveries.length + 1)
      await disturb(own)
      opened.resolve()
    }
    await waitForDeliveries(receiver, 500)
    await waitUntilIdle(own.database, tenant.tenantId)
    expect(countDeliveries(eventIds, receiver)).toEqual({ sent: 500, received: 500, lost: 0, repeated: 0 })
  })
})
