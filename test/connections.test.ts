/** Under load a process has at most twelve connections, one of them direct to the server. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import { withDatabaseName } from './database.ts'
import { startTestAppForTest } from './harness.ts'
import { makeKey, makeWorkspace } from './make.ts'
import { startReceiver } from './receiver.ts'

it('has at most twelve connections under any load', async () => {
  const app = await startTestAppForTest()
  const observer = new pg.Client({
    connectionString: withDatabaseName(
      inject('superuserUrl'),
      new URL(app.config.databaseUrl!).pathname.slice(1),
    ),
    application_name: 'observer',
  })
  await observer.connect()
  onTestFinished(() => observer.end())
  let maxSeen = 0
  let isBusy = true
  const observe = async () => {
    while (isBusy) {
      const { rows } = await observer.query(
        `select count(*)::int as all from pg_stat_activity where datname = current_database() and application_name like 'aldaba pid ' || $1 || '%'`,
        [process.pid],
      )
      maxSeen = Math.max(maxSeen, rows[0].all)
      await sleep(5)
    }
  }
  // Once no transaction is open, the remaining locks are session locks.
  const countSessionsWithLocks = async () => {
    const { rows } = await observer.query(
      `select count(distinct pid)::int as count from pg_locks where locktype = 'advisory' and granted
         and database = (select oid from pg_database where datname = current_database())`,
    )
    return rows[0].count
  }
  const observing = observe()
  const receiver = await startReceiver()

  const keys = await Promise.all(
    [1, 2, 3].map(async () =>
      makeKey(app.database, { workspace: (await makeWorkspace(app.database)).slug, environment: 'test' }),
    ),
  )
  for (const key of keys)
    await app.call('POST', '/webhooks', { key, body: { url: receiver.url, events: ['lead.created'] } })
  const clients = keys.flatMap(key => Array.from({ length: 8 }, (_, client) => ({ key, client })))
  const statuses = await Promise.all(
    clients.map(async ({ key, client }) => {
      const answered: number[] = []
      for (let n = 0; n < 4; n++) {
        const name = `Rosa ${client}${n}`
        const body = {
          contact: { name, phone: `655443${100 + client * 10 + n}` },
          property: { title: `Ático ${n}` },
        }
        const made = await app.call('POST', '/leads', { key, body })
        const read = await app.call('GET', '/leads?limit=50', { key })
        answered.push(made.status, read.status)
      }
      return answered
    }),
  )
  isBusy = false
  await observing
  expect(new Set(statuses.flat())).toEqual(new Set([201, 200]))
  expect(maxSeen).toBeLessThanOrEqual(12)
  // The load was real: the process had more than its idle connections.
  expect(maxSeen).toBeGreaterThan(7)
  await expect.poll(countSessionsWithLocks).toBe(1)
})
