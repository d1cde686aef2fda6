/** Creates, changes and deletes agendas. */
import type { Tx } from '../../../kit/db/index.ts'
import { callHook } from '../../../kit/hook.ts'
import { Problem, throwIfInvalid } from '../../../kit/problem.ts'
import { toTimezone } from '../../../kit/time-zone.ts'
import { findUserErrors } from '../../identity/service.ts'
import { getWorkspaceLocale } from '../../leads/service.ts'
import { agendaDeleted } from '../hooks.ts'
import type { WorkingHoursInput } from '../hours-schemas.ts'
import { agendaInUse, agendasMax, tooManyAgendas } from '../problems.ts'
import {
  type AgendaFields,
  countAgendas,
  deleteAgenda,
  findEventTypeName,
  getLockedAgenda,
  getUserName,
  insertAgenda,
  isBookedAhead,
  updateAgenda,
} from './queries.ts'
import type { AgendaChanges, NewAgenda } from './schemas.ts'

/** Returns the id of the new agenda. The values were checked. Throws 400 for an unknown agent, and 422 if there are too many. */
export async function createAgenda(tx: Tx, input: NewAgenda): Promise<string> {
  throwIfInvalid(await findUserErrors(tx, input.agentUserId, '/agentUserId'))
  if ((await countAgendas(tx)) >= agendasMax) throw new Problem(tooManyAgendas, tooManyAgendas.example)
  const base: AgendaFields = {
    agentUserId: input.agentUserId,
    name: input.name ?? (await getUserName(tx, input.agentUserId)),
    timezone: input.timezone ?? (await getWorkspaceLocale(tx)).timezone,
    workingHours: null,
    failsClosed: false,
  }
  return insertAgenda(tx, applyChanges(base, input))
}

/** Omitted fields keep their value. Throws 400 for an unknown agent, and 404. */
export async function changeAgenda(tx: Tx, id: string, changes: AgendaChanges): Promise<void> {
  const base = await getLockedAgenda(tx, id)
  throwIfInvalid(await findUserErrors(tx, changes.agentUserId, '/agentUserId'))
  await updateAgenda(tx, id, applyChanges(base, changes))
}

function applyChanges(base: AgendaFields, changes: AgendaChanges): AgendaFields {
  const { agentUserId, name, timezone = base.timezone, workingHours, failsClosed } = { ...base, ...changes }
  return {
    agentUserId,
    name: name.trim(),
    timezone: toTimezone(timezone) ?? timezone,
    workingHours: workingHours && toWorkingHours(workingHours),
    failsClosed,
  }
}

const toWorkingHours = ({ weekly, overrides = [] }: WorkingHoursInput) => ({ weekly, overrides })

/** Throws 404, and 409 while it is used. */
export async function removeAgenda(tx: Tx, id: string): Promise<void> {
  await getLockedAgenda(tx, id)
  if (await isBookedAhead(tx, id))
    throw new Problem(agendaInUse, 'The agenda has appointments to come. Cancel them or move them first.')
  const name = await findEventTypeName(tx, id)
  if (name !== null)
    throw new Problem(
      agendaInUse,
      `The event type "${name}" uses the agenda. Delete it, or give it another agenda, first.`,
    )
  await deleteAgenda(tx, id)
  await callHook(tx, agendaDeleted, id)
}
