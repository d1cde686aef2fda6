/** The event type that the examples of appointments name, and appointments of it. */
import { type RawBuilder, sql } from 'kysely'
import { appointmentExample } from '../src/features/scheduling/appointments/examples.ts'
import { defaultConfig } from '../src/features/scheduling/event-types/config-schemas.ts'
import { bookAppointment } from '../src/features/scheduling/service.ts'
import type { TestApp } from './harness.ts'

const { eventTypeId, agendaId, agentUserId } = appointmentExample
const everyDay = Array.from({ length: 7 }, (_, index) => ({ day: index + 1, from: '00:00', to: '24:00' }))
const availability = {
  timezone: 'UTC',
  weekly: everyDay,
  overrides: [],
  minimumNoticeMin: 0,
  horizonDays: 365,
  slotIntervalMin: 30,
  dailyLimit: null,
}
const config = {
  ...defaultConfig,
  questions: Object.entries(appointmentExample.answers).map(([id, answer]) => ({
    id,
    label: id,
    type: typeof answer === 'boolean' ? 'checkbox' : 'text',
    required: false,
    options: [],
  })),
}

/** Stores the event type, which can be booked at any time, and the agendas of the examples. */
export async function storeBookable(
  { database }: Pick<TestApp, 'database'>,
  tenantId: string,
): Promise<void> {
  const otherAgendaId = agendaId.replace('7777', '6666')
  await database.withTenant({ tenantId }, async tx => {
    await sql`
      insert into agendas (tenant_id, id, agent_user_id, name, timezone, created_at, updated_at)
      select ${tenantId}, id, ${agentUserId}, 'Agent', 'UTC', now(), now()
      from unnest(${[agendaId, otherAgendaId]}::uuid[]) as t (id) on conflict do nothing`.execute(tx)
    await sql`
      insert into event_types (tenant_id, id, owner_agent_user_id, agenda_id, name, slug, duration_min, location_mode,
        location_details, visibility, config, availability, created_at, updated_at)
      values (${tenantId}, ${eventTypeId}, ${agentUserId}, ${agendaId}, 'Viewing', 'example', 30, 'call',
        '{"phone": "+34931234567", "whoCalls": "visitor"}', 'agent_private', ${JSON.stringify(config)}::jsonb,
        ${JSON.stringify(availability)}::jsonb, now(), now()) on conflict do nothing`.execute(tx)
  })
}

let chosen = 0

/** A slot that nothing else has taken, from tomorrow on. */
export function chooseStart(): string {
  const tomorrow = new Date(Date.now() + 86_400_000)
  tomorrow.setUTCHours(0, ++chosen * 30, 0, 0)
  return tomorrow.toISOString()
}

/** Returns the id. */
export async function storeAppointment(
  app: Pick<TestApp, 'database' | 'deployment'>,
  tenantId: string,
): Promise<string> {
  await storeBookable(app, tenantId)
  const { database, deployment } = app
  const { appointment } = await database.withTenant({ tenantId }, tx =>
    bookAppointment(
      tx,
      { eventTypeId, start: chooseStart(), visitor: { name: 'Marta' }, source: 'api', isChecked: false },
      { cipher: deployment.cipher, baseUrl: 'https://aldaba.example' },
    ),
  )
  return appointment.id
}

/** The agent has not confirmed it yet. */
export const awaitConfirmation = (app: Pick<TestApp, 'database'>, tenantId: string, id: string) =>
  changeAppointment(app, tenantId, sql`status = 'pending', expires_at = starts_at where id = ${id}`)

/** It has begun, and has not ended. */
export const beginAppointment = (app: Pick<TestApp, 'database'>, tenantId: string, id: string) =>
  changeAppointment(
    app,
    tenantId,
    sql`starts_at = now() - interval '1 hour', ends_at = now() + interval '1 hour' where id = ${id}`,
  )

async function changeAppointment(
  { database }: Pick<TestApp, 'database'>,
  tenantId: string,
  change: RawBuilder<unknown>,
): Promise<void> {
  await database.withTenant({ tenantId }, tx =>
    sql`update appointments set ${change} and tenant_id = ${tenantId}`.execute(tx),
  )
}
