/** The agent of the examples of scheduling, as a user of one workspace at a time. */

import { calendarExample } from '../src/features/calendars/examples.ts'
import { newEventTypeExample } from '../src/features/scheduling/event-types/examples.ts'
import { sql } from '../src/kit/db/index.ts'
import { newId } from '../src/kit/id.ts'
import { hashKeyValue } from '../src/kit/key.ts'
import type { TestApp } from './harness.ts'

/** From now on the agent is a user of the workspace of the key. */
export async function storeAgent({ database }: Pick<TestApp, 'database'>, key: string): Promise<void> {
  const { tenantId } = (await database.findApiKey(hashKeyValue(key)))!
  const id = newEventTypeExample.ownerAgentUserId
  await database.ownerPool.query(
    `insert into aldaba.users (id, workspace_id, email, name, role)
    select $1::uuid, workspace_id, $1 || '@agents.test', 'Agent', 'agent' from aldaba.tenants where id = $2
    on conflict (id) do update set workspace_id = excluded.workspace_id`,
    [id, tenantId],
  )
}

/** Stores the agenda that the examples of calendars name. */
export async function storeAgenda({ database }: Pick<TestApp, 'database'>, key: string): Promise<void> {
  const { tenantId } = (await database.findApiKey(hashKeyValue(key)))!
  await database.withTenant({ tenantId }, tx =>
    sql`
      insert into agendas (tenant_id, id, agent_user_id, name, timezone, created_at, updated_at)
      values (${tenantId}, ${calendarExample.agendaId}, ${newEventTypeExample.ownerAgentUserId}, 'Ana', 'Europe/Madrid', now(), now())
      on conflict do nothing`.execute(tx),
  )
}

/** Stores a calendar without credentials, so that nothing is called. Returns its id. */
export async function storeCalendar(app: Pick<TestApp, 'database'>, key: string): Promise<string> {
  await storeAgenda(app, key)
  const { tenantId } = (await app.database.findApiKey(hashKeyValue(key)))!
  const id = newId()
  await app.database.withTenant({ tenantId }, tx =>
    sql`
      insert into calendars (tenant_id, id, agenda_id, provider, name, external_id, blocks, receives, status, status_changed_at,
        created_at, updated_at)
      values (${tenantId}, ${id}, ${calendarExample.agendaId}, 'ical_feed', 'Ana', 'sandbox', true, false, 'CONNECTED', now(),
        now(), now())`.execute(tx),
  )
  return id
}
