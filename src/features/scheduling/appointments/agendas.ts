/** The agendas that an appointment of an event type may occupy. */
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { EventTypeRow } from '../event-types/queries.ts'

export const listAgendaIds = ({ agendaId, config: { assignment } }: EventTypeRow): string[] =>
  assignment.kind === 'single' ? [agendaId] : assignment.members.map(member => member.agendaId)

export async function getAgentUserId(tx: Tx, agendaId: string): Promise<string> {
  const { agent_user_id: userId } = await tx
    .selectFrom('agendas')
    .select('agent_user_id')
    .where('tenant_id', '=', getTenantId(tx))
    .where('id', '=', agendaId)
    .executeTakeFirstOrThrow()
  return userId
}
