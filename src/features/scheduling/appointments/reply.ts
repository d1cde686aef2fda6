/** Converts stored appointments to API replies. */
import type { Tx } from '../../../kit/db/index.ts'
import { type LinkDependencies, readLinks } from './links.ts'
import { findAppointments, getAppointment } from './queries.ts'
import type { AppointmentRow } from './row.ts'
import type { Appointment, AppointmentWithoutLinks } from './schemas.ts'

export function toAppointmentWithoutLinks(row: AppointmentRow): AppointmentWithoutLinks {
  const { visitor } = row
  const { bookedSlotId: _slot, confirmedAt: _confirmedAt, cancelledAt: _cancelledAt, ...fields } = row
  return {
    ...fields,
    start: row.start.toISOString(),
    end: row.end.toISOString(),
    visitor: {
      name: visitor.name ?? null,
      email: visitor.email ?? null,
      phone: visitor.phone ?? null,
      language: visitor.language ?? null,
    },
    expiresAt: row.expiresAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export async function toAppointments(
  tx: Tx,
  rows: AppointmentRow[],
  dependencies: LinkDependencies,
): Promise<Appointment[]> {
  const links = await readLinks(
    tx,
    rows.map(({ id }) => id),
    dependencies,
  )
  return rows.map(row => ({ ...toAppointmentWithoutLinks(row), links: links.get(row.id) ?? null }))
}

export async function toAppointment(
  tx: Tx,
  row: AppointmentRow,
  dependencies: LinkDependencies,
): Promise<Appointment> {
  const [appointment] = await toAppointments(tx, [row], dependencies)
  return appointment!
}

/** Throws 404. */
export const readAppointment = async (
  tx: Tx,
  id: string,
  dependencies: LinkDependencies,
): Promise<Appointment> => toAppointment(tx, await getAppointment(tx, id), dependencies)

/** The present state of appointments in messages. */
export async function readWithoutLinks(tx: Tx, ids: string[]): Promise<AppointmentWithoutLinks[]> {
  return (await findAppointments(tx, ids)).map(toAppointmentWithoutLinks)
}
