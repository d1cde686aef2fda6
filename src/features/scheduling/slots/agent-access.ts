/** Agents whose access to the workspace was revoked receive nobody: nothing of their agendas is offered. */
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { EventTypeRow } from '../event-types/queries.ts'
import { findMembers } from './members.ts'
import { readAgendas, readNamesWithoutAccess, type StoredAgenda } from './queries.ts'

interface AgentAccess {
  /** Those whose agent has access; of a collective event type, which needs all its agents, all or none. */
  agendas: StoredAgenda[]
  /** Those whose agent has none, with the name. */
  withoutAccess: { agendaId: string; name: string }[]
}

/** `names`: of the users without access, by their id. */
export function checkAccess(
  { config }: Pick<EventTypeRow, 'config'>,
  agendas: readonly StoredAgenda[],
  names: ReadonlyMap<string, string>,
): AgentAccess {
  const withoutAccess = agendas.flatMap(({ agendaId, agentUserId }) => {
    const name = names.get(agentUserId)
    return name === undefined ? [] : { agendaId, name }
  })
  const needsAll = config.assignment.kind === 'collective'
  const isLeft = ({ agentUserId }: StoredAgenda) => !names.has(agentUserId)
  return {
    agendas: needsAll && withoutAccess.length > 0 ? [] : agendas.filter(isLeft),
    withoutAccess,
  }
}

/** False: nobody can receive visitors. */
export async function hasAgents(tx: Tx, eventType: EventTypeRow): Promise<boolean> {
  const agendaIds = findMembers(eventType, null).map(({ agendaId }) => agendaId)
  const nowMs = getNow(tx).getTime()
  const [agendas, names] = await Promise.all([
    readAgendas(tx, agendaIds, { startMs: nowMs, endMs: nowMs }),
    readNamesWithoutAccess(tx),
  ])
  return checkAccess(eventType, agendas, names).agendas.length > 0
}
