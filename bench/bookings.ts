/**
 * Bookings over HTTP. Limit: the bare inserts of a booked slot, its reservation and its appointment, under the constraint.
 * Then a thousand requests for one slot at once, and how long another agency waits meanwhile.
 */
import pg from 'pg'
import { createKey, createWorkspace } from '../src/features/identity/service.ts'
import { newId } from '../src/kit/id.ts'
import { callApi } from './chat-accounts.ts'
import type { Ratios } from './guard.ts'
import { median, type PostFigures, percentile, postAll } from './load.ts'
import { type Bench, type BenchProcess, withBench } from './processes.ts'

const concurrency = 8
const agendaCount = 20
const bookings = 2000
const stampede = 1000

export async function run(): Promise<void> {
  await withAgency(async ({ server, agency, other, bareInsert }) => {
    await bookAll(server, agency, 200)
    const booked = await bookAll(server, agency, bookings)
    const bare = await bareInsert(bookings)
    console.table({
      [`POST /scheduling/appointments, ${concurrency} concurrently, ${agendaCount} agents`]:
        toFigures(booked),
      [`bare insert under the constraint, ${concurrency} connections`]: toFigures(bare),
    })
    const quiet = await bookAll(server, other, 200, 1)
    const { tookMs, statuses, meanwhile } = await rush(server, agency, other)
    console.log(
      `${stampede} bookings of one slot at once: ${Math.round(tookMs)} ms, ${JSON.stringify(statuses)}`,
    )
    console.table({
      'another agency, quiet': toFigures(quiet),
      'another agency, meanwhile': toFigures(meanwhile),
    })
  })
}

/** Short form: bookings and bare inserts in turn. */
export async function short(): Promise<Ratios> {
  return withAgency(async ({ server, agency, other, bareInsert }) => {
    await bookAll(server, agency, 100)
    const ratios: number[] = []
    for (let round = 0; round < 5; round++) {
      const booked = await bookAll(server, agency, 200)
      ratios.push(booked.perSecond / (await bareInsert(200)).perSecond)
    }
    const { statuses } = await rush(server, agency, other)
    return {
      'bookings/s of the bare insert': median(ratios),
      'one of a thousand booked, all others refused': Number(
        statuses[201] === 1 && statuses[409] === stampede - 1,
      ),
    }
  })
}

interface Agency {
  key: string
  eventTypeIds: string[]
  /** The next free slot of the first event type; every event type has one at the same time. */
  nextSlot: number
}

interface Agencies {
  server: BenchProcess
  agency: Agency
  other: Agency
  bareInsert(count: number): Promise<PostFigures>
}

async function withAgency<T>(work: (agencies: Agencies) => Promise<T>): Promise<T> {
  return withBench(async bench => {
    const server = await bench.startAldaba({})
    const agency = await createAgency(bench, server, agendaCount)
    const other = await createAgency(bench, server, 1)
    const superuserUrl = bench.deployment.embedded!.superuserUrl.replace('/postgres?', '/aldaba?')
    const pool = new pg.Pool({
      connectionString: superuserUrl,
      max: concurrency,
      options: '-c search_path=aldaba,public',
    })
    try {
      return await work({ server, agency, other, bareInsert: count => insertBare(pool, agency, count) })
    } finally {
      await pool.end()
      await server.stop()
    }
  })
}

let created = 0

async function createAgency({ deployment }: Bench, server: BenchProcess, agents: number): Promise<Agency> {
  const { owner } = deployment.database
  const slug = `bookings-${++created}`
  await createWorkspace(owner, { name: slug, slug })
  await owner.updateTable('workspaces').set({ requests_per_minute: 1_000_000_000 }).execute()
  const key = await createKey(owner, { workspace: slug, environment: 'live', name: slug })
  const { id: userId } = await owner
    .selectFrom('users')
    .innerJoin('workspaces', 'workspaces.id', 'users.workspace_id')
    .select('users.id')
    .where('workspaces.slug', '=', slug)
    .executeTakeFirstOrThrow()
  const weekly = Array.from({ length: 7 }, (_, index) => ({ day: index + 1, from: '00:00', to: '24:00' }))
  const eventTypeIds: string[] = []
  for (let agent = 0; agent < agents; agent++) {
    const { id } = await callApi<{ id: string }>(server.url, key, 'POST', '/scheduling/event-types', {
      ownerAgentUserId: userId,
      name: 'Viewing',
      slug: `viewing-${agent}`,
      durationMin: 15,
      bufferAfterMin: 15,
      locationMode: 'call',
      availability: { timezone: 'UTC', weekly, slotIntervalMin: 30, horizonDays: 365 },
    })
    eventTypeIds.push(id)
  }
  return { key, eventTypeIds, nextSlot: 0 }
}

const tomorrowMs = Math.ceil(Date.now() / 86_400_000 + 1) * 86_400_000
const slotMs = 30 * 60_000

/** Bodies of bookings of free slots, each by another visitor. */
function toBodies(agency: Agency, count: number): object[] {
  return Array.from({ length: count }, () => {
    const number = agency.nextSlot++
    const { length } = agency.eventTypeIds
    return {
      eventTypeId: agency.eventTypeIds[number % length],
      start: new Date(tomorrowMs + Math.floor(number / length) * slotMs).toISOString(),
      visitor: {
        name: `Visitor ${number}`,
        email: `visitor${number}@example.com`,
        phone: `+34600${String(number % 1_000_000).padStart(6, '0')}`,
      },
    }
  })
}

const toRequest = (server: BenchProcess, { key }: Agency, body: object) => ({
  url: `${server.url}/public/v1/scheduling/appointments`,
  headers: { 'x-api-key': key, 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const bookAll = (server: BenchProcess, agency: Agency, count: number, connections = concurrency) =>
  postAll(
    toBodies(agency, count).map(body => toRequest(server, agency, body)),
    connections,
  )

const insertSql = `
  with slot as (
    insert into booked_slots (tenant_id, id, event_type_id, starts_at, ends_at, seats, seats_taken, created_at)
    select tenant_id, $1::uuid, id, $3::timestamptz, $3::timestamptz + interval '15 minutes', 1, 1, now()
    from event_types where id = $2 returning tenant_id, id, event_type_id, starts_at, ends_at
  ), reservation as (
    insert into agenda_reservations (tenant_id, booked_slot_id, agenda_id, occupied)
    select s.tenant_id, s.id, e.agenda_id, tstzrange(s.starts_at, s.ends_at + interval '15 minutes')
    from slot s join event_types e on e.tenant_id = s.tenant_id and e.id = s.event_type_id
  )
  insert into appointments (tenant_id, id, event_type_id, booked_slot_id, agenda_id, agent_user_id, status, starts_at, ends_at,
    timezone, visitor, location, source, ical_uid, created_at, updated_at)
  select s.tenant_id, $1::uuid, s.event_type_id, s.id, e.agenda_id, e.owner_agent_user_id, 'confirmed', s.starts_at, s.ends_at,
    'UTC', '{"name": "Visitor"}', '{"mode": "call"}', 'api', $1, now(), now()
  from slot s join event_types e on e.tenant_id = s.tenant_id and e.id = s.event_type_id`

/** Each is a transaction. */
async function insertBare(pool: pg.Pool, agency: Agency, count: number): Promise<PostFigures> {
  const bodies = toBodies(agency, count) as { eventTypeId: string; start: string }[]
  const left = bodies.values()
  const latenciesMs: number[] = []
  const startedMs = performance.now()
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const { eventTypeId, start } of left) {
        const beganMs = performance.now()
        await pool.query({ name: 'insert', text: insertSql, values: [newId(), eventTypeId, start] })
        latenciesMs.push(performance.now() - beganMs)
      }
    }),
  )
  return { perSecond: count / ((performance.now() - startedMs) / 1000), latenciesMs }
}

/** Everybody wants the next slot of the agency. Another agency books meanwhile, one after the other. */
async function rush(server: BenchProcess, agency: Agency, other: Agency) {
  const [body] = toBodies(agency, 1)
  const { url, ...request } = toRequest(server, agency, body!)
  let isOver = false
  const startedMs = performance.now()
  const replies = Promise.all(
    Array.from({ length: stampede }, async () => {
      const reply = await fetch(url, { method: 'POST', ...request })
      await reply.arrayBuffer()
      return reply.status
    }),
  ).finally(() => {
    isOver = true
  })
  const latenciesMs: number[] = []
  while (!isOver) latenciesMs.push(...(await bookAll(server, other, 1, 1)).latenciesMs)
  const found = await replies
  const tookMs = performance.now() - startedMs
  const statuses = Object.fromEntries(
    [...Map.groupBy(found, status => status)].map(([status, group]) => [status, group.length]),
  )
  return { tookMs, statuses, meanwhile: { perSecond: (latenciesMs.length / tookMs) * 1000, latenciesMs } }
}

const toFigures = ({ perSecond, latenciesMs }: PostFigures) => ({
  'per second': Math.round(perSecond),
  'p50, ms': Number(median(latenciesMs).toFixed(1)),
  'p99, ms': Number(percentile(latenciesMs, 0.99).toFixed(1)),
})
