/** Changes what is known of an appointment, not its time. */
import type { Tx } from '../../../kit/db/index.ts'
import { throwIfInvalid } from '../../../kit/problem.ts'
import { getWorkspaceLocale } from '../../leads/service.ts'
import { findEventType } from '../event-types/queries.ts'
import { changeAppointment } from './change.ts'
import { type AppointmentUpdate, lockAppointment } from './queries.ts'
import type { AppointmentRow } from './row.ts'
import type { AppointmentChanges } from './schemas.ts'
import {
  findErrorsOfAnswers,
  findMissingPhone,
  findVisitorErrors,
  normalizeVisitor,
  toAnswers,
} from './visitor.ts'

/** Throws 404 and 400. */
export async function updateDetails(
  tx: Tx,
  id: string,
  { notes, answers, visitor }: AppointmentChanges,
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
  return Object.keys(update).length === 0
    ? before
    : changeAppointment(tx, before, { kind: 'updated', update })
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
