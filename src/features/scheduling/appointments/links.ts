/** The links of visitors to their appointments. Whoever has the token can read, reschedule and cancel it. */
import type { Tx } from '../../../kit/db/index.ts'
import { addLink, findShares, revokeShares, type ShareDependencies } from '../../shares/service.ts'
import type { TravelDependencies } from '../travel/travel-times.ts'
import type { Appointment } from './schemas.ts'

export const appointmentObjectKind = 'appointment'

export type LinkDependencies = ShareDependencies

/** What routes need that book and move appointments. */
export type AppointmentDependencies = LinkDependencies & TravelDependencies

/** Gives a new appointment its links. */
export async function createLinks(
  tx: Tx,
  appointmentId: string,
  { cipher, baseUrl }: LinkDependencies,
): Promise<NonNullable<Appointment['links']>> {
  const object = { kind: appointmentObjectKind, objectId: appointmentId }
  return toLinks(await addLink(tx, cipher, object), baseUrl)
}

function toLinks(token: string, baseUrl: string): NonNullable<Appointment['links']> {
  const page = `${baseUrl}/appointment/${token}`
  return { page, reschedule: `${page}/reschedule`, cancel: `${page}/cancel`, ics: `${page}/invite.ics` }
}

export const revokeLinks = (tx: Tx, appointmentIds: string[]): Promise<void> =>
  revokeShares(tx, appointmentObjectKind, appointmentIds)

/** By the id of the appointment. One without a link is missing. */
export async function readLinks(
  tx: Tx,
  appointmentIds: string[],
  { cipher, baseUrl }: LinkDependencies,
): Promise<Map<string, Appointment['links']>> {
  const shares = await findShares(tx, appointmentObjectKind, appointmentIds)
  const links = [...shares].map(
    async ([id, { token }]) => [id, toLinks(await cipher.decrypt(token), baseUrl)] as const,
  )
  return new Map(await Promise.all(links))
}
