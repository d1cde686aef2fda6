/** The SQL statements that find answers that are due. */
import { getNow, sqlNowFor } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { type Database, sql, type Tx } from '../../../kit/db/index.ts'

/** When the next answer is due; a time in the past while one is being written; null: none waits. */
export async function findNextAnswerAt(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(due_at) as at from ai_conversations where tenant_id = ${getTenantId(tx)} and due_at is not null`.execute(
    tx,
  )
  return rows[0]?.at ?? null
}

const startedMax = 500

/** The conversations whose answers are due. */
export async function listDueConversations(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select conversation_id as id from ai_conversations
    where tenant_id = ${getTenantId(tx)} and due_at <= ${getNow(tx)} and (claimed_until is null or claimed_until <= ${getNow(tx)})
    order by due_at limit ${startedMax}`.execute(tx)
  return rows.map(({ id }) => id)
}

export async function listTenantsWithDueAnswers({ owner }: Pick<Database, 'owner'>): Promise<string[]> {
  const { rows } = await sql<{ tenantId: string }>`
    select distinct tenant_id as "tenantId" from ai_conversations
    where due_at <= ${sqlNowFor('ai_conversations.tenant_id')}`.execute(owner)
  return rows.map(({ tenantId }) => tenantId)
}
