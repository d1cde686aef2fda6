/** Stored conversations for tests that need one, whatever it is about. */
import { indexLabels } from '../src/features/messaging/conversations/labels.ts'
import { sql } from '../src/kit/db/index.ts'
import { newId } from '../src/kit/id.ts'
import type { TestApp } from './harness.ts'

/** Nobody else has it: other tests let people opt out. */
let phones = 0
const createPhone = () => `+34612${String(++phones).padStart(6, '0')}`

/** Stores an account of WhatsApp, which approves templates. An account with this id becomes one. */
export async function storeApprovingAccount(
  { database }: TestApp,
  tenantId: string,
  accountId: string,
): Promise<void> {
  await database.withTenant({ tenantId }, tx =>
    sql`
      insert into accounts (tenant_id, id, provider, mode, display_name, external_id, status, status_changed_at, created_at, updated_at)
      values (${tenantId}, ${accountId}, 'whatsapp_cloud', 'chat', 'Office', ${newId()}, 'CONNECTED', now(), now(), now())
      on conflict (tenant_id, id) do update set provider = excluded.provider`.execute(tx),
  )
}

/** Stores an account of the sandbox, a lead that has written, and their conversation. Returns its id. */
export async function storeConversation(
  { database }: TestApp,
  tenantId: string,
  { accountId, leadId }: { accountId: string; leadId: string } = { accountId: newId(), leadId: newId() },
): Promise<string> {
  const id = newId()
  await database.withTenant({ tenantId }, async tx => {
    await sql`
      insert into accounts (tenant_id, id, provider, mode, display_name, external_id, status, status_changed_at, created_at, updated_at)
      values (${tenantId}, ${accountId}, 'sandbox', 'chat', 'Office', ${newId()}, 'CONNECTED', now(), now(), now())
      on conflict do nothing`.execute(tx)
    await sql`
      insert into leads (tenant_id, id, created_at, updated_at)
      values (${tenantId}, ${leadId}, now(), now()) on conflict do nothing`.execute(tx)
    await sql`
      insert into conversations (tenant_id, id, account_id, lead_id, last_message_at, last_inbound_at, created_at, updated_at)
      values (${tenantId}, ${id}, ${accountId}, ${leadId}, now(), now(), now(), now())`.execute(tx)
    await sql`
      insert into conversation_identities (tenant_id, account_id, kind, value, conversation_id, last_seen_at, last_inbound_at)
      values (${tenantId}, ${accountId}, 'phone', ${createPhone()}, ${id}, now(), now())`.execute(tx)
  })
  return id
}

/** Stores a conversation with a label. Returns the label. */
export async function storeLabel(app: TestApp, tenantId: string): Promise<string> {
  const id = await storeConversation(app, tenantId)
  await app.database.withTenant({ tenantId }, async tx => {
    await sql`update conversations set labels = '{visita}' where tenant_id = ${tenantId} and id = ${id}`.execute(
      tx,
    )
    await indexLabels(tx, [id])
  })
  return 'visita'
}

/** Stores a conversation with a message that has failed. Returns the id of the message. */
export async function storeFailedMessage(app: TestApp, tenantId: string): Promise<string> {
  const conversationId = await storeConversation(app, tenantId)
  const id = newId()
  await app.database.withTenant({ tenantId }, async tx => {
    await sql`update conversations set last_sequence = 1 where tenant_id = ${tenantId} and id = ${conversationId}`.execute(
      tx,
    )
    await sql`
      insert into messages (tenant_id, id, conversation_id, account_id, sequence, direction, kind, text, status, created_at)
      select ${tenantId}::uuid, ${id}, id, account_id, 1, 'out', 'text', 'Buenos días', 'failed', now()
      from conversations where tenant_id = ${tenantId} and id = ${conversationId}`.execute(tx)
  })
  return id
}

/** Stores a message that a person sends by hand. Returns the id of its task. */
export async function storeTask(app: TestApp, tenantId: string): Promise<string> {
  const id = await storeFailedMessage(app, tenantId)
  await app.database.withTenant({ tenantId }, async tx => {
    await sql`update messages set status = 'queued' where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
    await sql`
      update accounts a set provider = 'manual', mode = 'chat-no-api' from messages m
      where a.tenant_id = ${tenantId} and m.tenant_id = a.tenant_id and m.id = ${id} and a.id = m.account_id`.execute(
      tx,
    )
    await sql`
      insert into message_tasks (tenant_id, message_id, account_id, expires_at, created_at)
      select tenant_id, id, account_id, now() + interval '1 day', now() from messages
      where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
  })
  return id
}
