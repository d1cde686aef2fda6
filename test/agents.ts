/** The agent of the examples of scheduling, as a user of one workspace at a time. */
import { newEventTypeExample } from '../src/features/scheduling/event-types/examples.ts'
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
