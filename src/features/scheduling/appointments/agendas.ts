/** The agents of agendas. */
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'

export async function getAgentUserId(tx: Tx, agendaId: string): Promise<string> {
  const { agent_user_id: userId } = await tx
    .selectFrom('agendas')
    .select('agent_user_id')
    .where('tenant_id', '=', getTenantId(tx))
    .where('id', '=', agendaId)
    .executeTakeFirstOrThrow()
  return userId
}
