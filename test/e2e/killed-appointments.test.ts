/** Processes that are killed while they book, or notify: nothing is half done, and nothing is sent twice. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/kit/db/index.ts'
import { lockLeadWrites } from '../../src/kit/writer.ts'
import { connectAccount, type FlowApp, startFlowApp } from '../chat-flow.ts'
import { eventually } from '../harness.ts'
import { prepareMail } from '../mail-account.ts'
import { listNotices } from '../notices.ts'
import { book, makeEventType, makeVisitor, requestBooking, toTime } from '../scheduling.ts'
import { makeTenant } from '../tenant.ts'
import { createWorkers } from './worker.ts'

const server = prepareMail({ keepsSent: true })
let app: FlowApp
let workers: ReturnType<typeof createWorkers>
beforeAll(async () => {
  app = await startFlowApp({ ROLE: 'api' })
  workers = createWorkers(app)
  return () => app.stop()
})
afterAll(() => workers.stop())

async function findFreePort(): Promise<number> {
  const listening = createServer().listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  listening.close()
  await once(listening, 'close')
  return port
}

/** Statements that wait for the lock of another transaction. */
async function countWaiting(): Promise<number> {
  const { rows } = await app.database.ownerPool.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0]!.count
}

test('a booking whose process is killed after it took its slot leaves nothing, and the slot is free', async () => {
  const tenant = await makeTenant(app, 'live')
  const eventType = await makeEventType(tenant)
  const start = toTime(2)
  const port = await findFreePort()
  const api = workers.start({ ROLE: 'api', PORT: String(port) })
  const url = `http://127.0.0.1:${port}/public/v1/scheduling/appointments`
  await expect
    .poll(() =>
      fetch(url).then(
        ({ status }) => status,
        () => null,
      ),
    )
    .toBe(401)
  await tenant.inTenant(async tx => {
    // A booking waits for it once it has its seat.
    await lockLeadWrites(tx)
    const reply = fetch(url, {
      method: 'POST',
      headers: { 'X-Api-Key': tenant.key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ eventTypeId: eventType.id, start, visitor: makeVisitor() }),
    }).catch(() => null)
    await expect.poll(countWaiting).toBe(1)
    await api.end('SIGKILL')
    expect(await reply).toBeNull()
  })
  await expect.poll(countWaiting).toBe(0)
  const { rows } = await tenant.inTenant(tx =>
    sql`
      select (select count(*)::int from booked_slots where tenant_id = ${tenant.tenantId}) as slots,
        (select count(*)::int from agenda_reservations where tenant_id = ${tenant.tenantId}) as reservations,
        (select count(*)::int from appointments where tenant_id = ${tenant.tenantId}) as appointments,
        (select count(*)::int from appointment_notices where tenant_id = ${tenant.tenantId}) as notices,
        (select count(*)::int from leads where tenant_id = ${tenant.tenantId}) as leads,
        (select count(*)::int from events where tenant_id = ${tenant.tenantId} and type like 'appointment.%') as events`.execute(
      tx,
    ),
  )
  expect(rows).toEqual([{ slots: 0, reservations: 0, appointments: 0, notices: 0, leads: 0, events: 0 }])
  expect((await requestBooking(tenant, eventType, start)).status).toBe(201)
})

test('a notice to an agent whose process is killed after the mail server took it is not sent twice', async () => {
  const tenant = await makeTenant(app, 'live')
  await connectAccount(tenant, 'email', server.credentials)
  const eventType = await makeEventType(tenant, {
    locationMode: 'video',
    locationDetails: { url: 'https://meet.example/viewing' },
  })
  server.mail.addFault({ kind: 'slow', times: 1, delayMs: 300_000 })
  const first = workers.start()
  // Without an address, so that only the agent is notified.
  const { id } = await book(tenant, eventType, toTime(3), { visitor: { name: 'Marta Ruiz' } })
  const read = async () => (await listNotices(tenant, id)).find(({ recipient }) => recipient === 'agent')!
  await eventually(
    async () => server.mail.accepted.length,
    count => count === 1,
  )
  await first.end('SIGKILL')
  expect((await read()).status).toBe('queued')
  workers.start()
  const { status } = await eventually(read, notice => notice.status !== 'queued')
  expect([status, server.mail.accepted.length]).toEqual(['sent', 1])
})
