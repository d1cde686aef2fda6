/** The links of visitors to their appointments. Whoever has the token can read, reschedule and cancel it. */
import type { Tx } from '../../../kit/db/index.ts'
import {
  createLinkToken,
  findShares,
  replaceLink,
  revokeShares,
  type ShareDependencies,
} from '../../shares/service.ts'
import type { Appointment } from './schemas.ts'

export const appointmentObjectKind = 'appointment'

export type LinkDependencies = ShareDependencies

export async function createLink(tx: Tx, appointmentId: string, { cipher }: LinkDependencies): Promise<void> {
  const object = { kind: appointmentObjectKind, objectId: appointmentId }
  await replaceLink(tx, cipher, object, { token: createLinkToken() })
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
  const links = [...shares].map(async ([id, { token }]) => {
    const page = `${baseUrl}/appointment/${await cipher.decrypt(token)}`
    return [
      id,
      { page, reschedule: `${page}/reschedule`, cancel: `${page}/cancel`, ics: `${page}/invite.ics` },
    ] as const
  })
  return new Map(await Promise.all(links))
}
