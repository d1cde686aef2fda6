/** Changes what is known of an appointment, not its time. */
import type { Tx } from '../../../kit/db/index.ts'
import { throwIfInvalid } from '../../../kit/problem.ts'
import { getWorkspaceLocale } from '../../leads/service.ts'
import { findEventType } from '../event-types/queries.ts'
import { changeAppointment } from './change.ts'
import { createLinks, type LinkDependencies, revokeLinks } from './links.ts'
import { type AppointmentUpdate, lockAppointment } from './queries.ts'
import type { AppointmentRow } from './row.ts'
import type { AppointmentChanges } from './schemas.ts'
import {
  findErrorsOfAnswers,
  findMissingPhone,
  findVisitorErrors,
  getNoticeAddress,
  normalizeVisitor,
  toAnswers,
} from './visitor.ts'

/** A corrected address gets a link of its own: whoever has the former one can't change the appointment any more. Throws 404 and 400. */
export async function updateDetails(
  tx: Tx,
  id: string,
  { notes, answers, visitor }: AppointmentChanges,
  dependencies: LinkDependencies,
): Promise<AppointmentRow> {
  const before = await lockAppointment(tx, id)
  const [eventType, { country }] = await Promise.all([
    findEventType(tx, before.eventTypeId),
    getWorkspaceLocale(tx),
  ])
  throwIfInvalid([
    ...findVisitorErrors(visitor ?? {}, country),
    ...findMissingPhone(eventType!, visitor?.phone),
    ...(answers ? findErrorsOfAnswers(eventType!, answers, country) : []),
  ])
  const update: AppointmentUpdate = {
    ...(notes === undefined ? {} : { notes }),
    ...(answers ? { answers: toAnswers(eventType!, answers) } : {}),
    ...(visitor ? toVisitorUpdate(before, visitor, country) : {}),
  }
  if (Object.keys(update).length === 0) return before
  if (isCorrected(before.visitor, update.visitor ?? before.visitor)) {
    await revokeLinks(tx, [id])
    await createLinks(tx, id, dependencies)
    // Whoever has the former address gave it.
    update.visitorAnswer = null
  }
  return changeAppointment(tx, before, { kind: 'updated', update })
}

/** Somebody else may have the former address, to which the link was sent. */
function isCorrected(before: AppointmentRow['visitor'], after: AppointmentRow['visitor']): boolean {
  const former = getNoticeAddress(before)
  return former !== null && getNoticeAddress(after) !== former
}

/** The number that the agent calls follows the visitor's. */
function toVisitorUpdate(
  { visitor: former, location }: AppointmentRow,
  changes: NonNullable<AppointmentChanges['visitor']>,
  country: string,
): AppointmentUpdate {
  const visitor = normalizeVisitor({ name: '', ...former, ...changes } as { name: string }, country)
  const isCalled = location.phone !== null && location.phone === former.phone
  return {
    visitor: { ...visitor, name: visitor.name || null },
    ...(isCalled ? { location: { ...location, phone: visitor.phone } } : {}),
  }
}
