/** scratch */
import { Query } from 'pg'
import pg from 'pg'
import { withBench } from './processes.ts'
import { createWorkspace, getTenantIdBySlug } from '../src/features/identity/service.ts'
import { bookAppointment } from '../src/features/scheduling/service.ts'
import { defaultConfig } from '../src/features/scheduling/event-types/config-schemas.ts'
import { bindFeatures } from '../src/kit/feature.ts'
import { describeFeatures } from '../src/app.ts'
import { sql } from '../src/kit/db/index.ts'
import { newId } from '../src/kit/id.ts'
import { toAppointment } from '../src/features/scheduling/appointments/reply.ts'

const log: [string, number, number][] = []
let t0 = 0
const orig = pg.Client.prototype.query as any
;(pg.Client.prototype as any).query = function (q: any, ...rest: any[]) {
  const start = performance.now()
  const text = (typeof q === 'string' ? q : q.text ?? '').replace(/\s+/g, ' ').slice(0, 90)
  const r = orig.call(this, q, ...rest)
  if (r?.then) r.then(() => log.push([text, start - t0, performance.now() - t0]), () => {})
  else if (r && r.once) r.once('end', () => log.push([text, start - t0, performance.now() - t0]))
  return r
}
await withBench(async ({ deployment }) => {
  const { database, cipher } = deployment
  bindFeatures(database, describeFeatures())
  await createWorkspace(database.owner, { name: 'x', slug: 'x' })
  const tenantId = await getTenantIdBySlug(database.owner, 'x', 'live')
  const agendaId = newId(), eventTypeId = newId()
  const everyDay = Array.from({ length: 7 }, (_, i) => ({ day: i + 1, from: '00:00', to: '24:00' }))
  const availability = { timezone: 'UTC', weekly: everyDay, overrides: [], minimumNoticeMin: 0, horizonDays: 365, slotIntervalMin: 30, dailyLimit: null }
  await database.withTenant({ tenantId }, async tx => {
    await sql`insert into agendas (tenant_id, id, agent_user_id, name, timezone, created_at, updated_at) values (${tenantId}, ${agendaId}, ${agendaId}, 'A', 'UTC', now(), now())`.execute(tx)
    await sql`insert into event_types (tenant_id, id, owner_agent_user_id, agenda_id, name, slug, duration_min, location_mode, location_details, visibility, config, availability, created_at, updated_at)
      values (${tenantId}, ${eventTypeId}, ${agendaId}, ${agendaId}, 'V', 'e', 30, 'call', '{"phone": null, "whoCalls": "agent"}', 'agent_private', ${JSON.stringify(defaultConfig)}::jsonb, ${JSON.stringify(availability)}::jsonb, now(), now())`.execute(tx)
  })
  const base = Math.ceil(Date.now() / 86400000 + 1) * 86400000
  for (let i = 0; i < 60; i++) {
    log.length = 0
    t0 = performance.now()
    await database.withTenant({ tenantId }, async tx => {
      const deps = { cipher, baseUrl: 'https://a.example' }
      const row = await bookAppointment(tx, { eventTypeId, start: new Date(base + i * 1800000).toISOString(), visitor: { name: 'Marta', email: `m${i}@example.com`, phone: `+3461234${String(i).padStart(4, '0')}` }, source: 'api', isChecked: true }, deps)
      return toAppointment(tx, row, deps)
    })
    if (i === 59) { console.log('total', performance.now() - t0); for (const [t, s, e] of log) console.log(s.toFixed(1).padStart(7), (e - s).toFixed(1).padStart(6), t) }
  }
})
