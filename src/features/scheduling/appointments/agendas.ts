/** The agents of agendas. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { fixedPlan } from '../../../kit/db/plans.ts'

export async function getAgentUserId(tx: Tx, agendaId: string): Promise<string> {
  const { rows } = await sql<{ userId: string }>`
    ${fixedPlan} select agent_user_id as "userId" from agendas
    where tenant_id = ${getTenantId(tx)} and id = ${agendaId}`.execute(tx)
  return rows[0]!.userId
}
