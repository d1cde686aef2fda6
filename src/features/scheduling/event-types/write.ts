/** Creates, changes, copies and deletes event types. */
import type { Tx } from '../../../kit/db/index.ts'
import { type InputError, Problem, throwIfInvalid } from '../../../kit/problem.ts'
import { findUsers, validateUser } from '../../identity/service.ts'
import { getWorkspaceLocale } from '../../leads/service.ts'
import { findExistingAgendas } from '../agendas/queries.ts'
import { createAgenda } from '../agendas/write.ts'
import { findHolidayErrors } from '../holidays.ts'
import { eventTypesMax, notATemplate, slugTaken, tooManyEventTypes } from '../problems.ts'
import { applyChanges, type EventTypeFields, toNewFields } from './apply-input.ts'
import { checkLocation, checkMembers } from './check.ts'
import { findNoticeErrors } from './notice-references.ts'
import { assertCodesStillSent } from './page-share.ts'
import {
  countEventTypes,
  type EventTypeRow,
  getEventType,
  insertEventType,
  isSlugTaken,
  lockEventTypes,
  updateEventType,
} from './queries.ts'
import type { EventTypeChanges, EventTypeCopy, NewEventType } from './schemas.ts'

type References = Pick<EventTypeChanges, 'ownerAgentUserId' | 'config'> & { agendaId?: string | null }

/** The users, agendas, accounts, templates and regions that the request names and that do not exist. */
export async function findReferenceErrors(
  tx: Tx,
  { ownerAgentUserId, agendaId, config = {} }: References,
): Promise<InputError[]> {
  const members = config.assignment?.members ?? []
  const named = [agendaId, ...members.map(member => member.agendaId)].filter(id => typeof id === 'string')
  const [users, agendas, noticeErrors, holidayErrors] = await Promise.all([
    findUsers(tx, ownerAgentUserId ? [ownerAgentUserId] : []),
    findExistingAgendas(tx, named),
    findNoticeErrors(tx, config),
    findHolidayErrors(config.holidays ?? {}, '/config/holidays'),
  ])
  return [
    ...validateUser(ownerAgentUserId, users, '/ownerAgentUserId'),
    ...validateAgenda(agendaId, agendas, '/agendaId'),
    ...members.flatMap((member, index) =>
      validateAgenda(member.agendaId, agendas, `/config/assignment/members/${index}/agendaId`),
    ),
    ...noticeErrors,
    ...holidayErrors,
  ]
}

function validateAgenda(
  id: string | null | undefined,
  agendas: ReadonlySet<string>,
  path: string,
): InputError[] {
  if (!id || agendas.has(id.toLowerCase())) return []
  return [{ path, code: 'UNKNOWN_AGENDA', message: 'There is no agenda with this id.' }]
}

/** Returns the id of the new event type. The values were checked. Throws 400, 409 SLUG_TAKEN, 422. */
export async function createEventType(tx: Tx, input: NewEventType): Promise<string> {
  throwIfInvalid(await findReferenceErrors(tx, input))
  await assertRoom(tx)
  const { timezone } = await getWorkspaceLocale(tx)
  return insertWithAgenda(tx, toNewFields(input, timezone), { agendaId: input.agendaId, templateId: null })
}

async function assertRoom(tx: Tx): Promise<void> {
  if ((await countEventTypes(tx)) >= eventTypesMax)
    throw new Problem(tooManyEventTypes, tooManyEventTypes.example)
}

/** Without an agenda, the agent gets a new one. */
async function insertWithAgenda(
  tx: Tx,
  fields: EventTypeFields,
  { agendaId, templateId }: { agendaId: string | null | undefined; templateId: string | null },
): Promise<string> {
  const { ownerAgentUserId, slug, availability } = fields
  await assertSlugFree(tx, { ownerAgentUserId, slug, exceptId: null })
  const ownAgendaId =
    agendaId ??
    (await createAgenda(tx, {
      agentUserId: ownerAgentUserId,
      timezone: availability.timezone,
    }))
  return insertEventType(tx, { ...fields, agendaId: ownAgendaId, templateId })
}

async function assertSlugFree(
  tx: Tx,
  owned: { ownerAgentUserId: string; slug: string; exceptId: string | null },
): Promise<void> {
  if (!(await isSlugTaken(tx, owned))) return
  const message = `Another event type of this agent has the slug "${owned.slug}". Choose another one.`
  throw new Problem(slugTaken, message, { errors: [{ path: '/slug', code: 'SLUG_TAKEN', message }] })
}

/** Rules that depend on the stored event type: its mode and its members. */
export const findChangeErrors = (row: EventTypeRow, changes: EventTypeChanges): InputError[] => [
  ...checkLocation(changes.locationMode ?? row.locationMode, changes.locationDetails, row),
  ...checkMembers(changes.config?.assignment ?? {}, row.config.assignment),
]

/** Omitted fields keep their value. Throws 400, 404, 409 SLUG_TAKEN, 422 NO_EMAIL_ACCOUNT. */
export async function changeEventType(tx: Tx, id: string, changes: EventTypeChanges): Promise<void> {
  await lockEventTypes(tx)
  const row = await getEventType(tx, id)
  throwIfInvalid([...findChangeErrors(row, changes), ...(await findReferenceErrors(tx, changes))])
  const fields = applyChanges(row, changes)
  await assertSlugFree(tx, { ...fields, exceptId: id })
  await assertCodesStillSent(tx, row, fields)
  await updateEventType(tx, id, { ...fields, agendaId: changes.agendaId ?? row.agendaId })
}

/** Copies an event type for an agent. Returns the id of the copy. Throws 400, 404, 409 SLUG_TAKEN, 422 NOT_A_TEMPLATE. */
export async function copyEventType(tx: Tx, id: string, copy: EventTypeCopy): Promise<string> {
  const template = await getEventType(tx, id)
  throwIfInvalid(await findReferenceErrors(tx, copy))
  await assertRoom(tx)
  const { ownerAgentUserId, agendaId, name = template.name, slug = template.slug } = copy
  if (template.visibility === 'agent_private' && ownerAgentUserId !== template.ownerAgentUserId)
    throw new Problem(
      notATemplate,
      `The event type "${template.name}" belongs to one agent. Make it a template of the workspace, then copy it.`,
    )
  const fields = applyChanges(template, { ownerAgentUserId, name, slug, visibility: 'agent_private' })
  return insertWithAgenda(tx, fields, { agendaId, templateId: id })
}
