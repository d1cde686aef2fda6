/** Erases people from appointments. */
import { type RawBuilder, sql } from 'kysely'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { callHook } from '../../../kit/hook.ts'
import type { ErasedPeople, Traces } from '../../privacy/service.ts'
import { appointmentChanged } from '../hooks.ts'
import { releaseAppointments } from './cancel.ts'
import { changeAppointment } from './change.ts'
import { eraseTexts, lockTexts } from './erase-texts.ts'
import { revokeLinks } from './links.ts'
import { type AppointmentUpdate, selectAppointments } from './queries.ts'
import type { AppointmentRow } from './row.ts'

/**
 * Handles `erasePersonData`: empties the appointments of the people, and cancels those to come without a notice. Texts about
 * the people in appointments of others are emptied too.
 */
export async function erasePeopleFromAppointments(tx: Tx, people: ErasedPeople): Promise<Traces> {
  const { leadIds, identifiers } = people
  const theirs = await selectAppointments(
    tx,
    isOfPeople(leadIds, identifiers),
    sql`order by a.id for no key update`,
  )
  const ids = theirs.map(({ id }) => id)
  const mentions = await lockTexts(tx, people, ids)
  const [coming, past] = partitionByTime(tx, theirs)
  const releases = coming.map(before => ({ before, update: toErasure(before) }))
  const changes = await releaseAppointments(tx, releases, { by: 'agent' }, true)
  await forgetPlaces(tx, coming)
  for (const change of changes) await callHook(tx, appointmentChanged, change)
  await revokeLinks(
    tx,
    coming.map(({ id }) => id),
  )
  await erasePast(tx, past)
  await eraseTexts(tx, mentions)
  return { changed: [...ids, ...mentions.map(({ id }) => id)] }
}

/** Empties locked appointments that are over, and ends their links. */
export async function erasePast(tx: Tx, rows: AppointmentRow[]): Promise<void> {
  await forgetPlaces(tx, rows)
  for (const row of rows)
    await changeAppointment(tx, row, { kind: 'updated', update: toErasure(row), isSilent: true })
  await revokeLinks(
    tx,
    rows.map(({ id }) => id),
  )
}

/** SQL: the appointments of leads, and of visitors with one of these identifiers. */
export const isOfPeople = (leadIds: string[], identifiers: string[]): RawBuilder<unknown> => sql`(
  a.lead_id = any(${leadIds}::uuid[]) or a.visitor ->> 'phone' = any(${identifiers}::text[])
  or a.visitor ->> 'email' = any(${identifiers}::text[]))`

function partitionByTime(tx: Tx, rows: AppointmentRow[]): [coming: AppointmentRow[], past: AppointmentRow[]] {
  const isComing = ({ status, end }: AppointmentRow) =>
    (status === 'pending' || status === 'confirmed') && end > getNow(tx)
  return [rows.filter(isComing), rows.filter(row => !isComing(row))]
}

const toErasure = ({ location, outcome }: AppointmentRow): AppointmentUpdate => ({
  visitor: {},
  answers: {},
  notes: null,
  leadId: null,
  cancelReason: null,
  visitorAnswer: null,
  // On site, it is where the person lives or owns a home.
  location: { ...location, address: null, latitude: null, longitude: null, phone: null },
  outcome: outcome && { ...outcome, feedback: { ...outcome.feedback, text: null } },
})

/** The slots of past appointments keep their time only. A group viewing keeps its place: others come too. */
async function forgetPlaces(tx: Tx, rows: AppointmentRow[]): Promise<void> {
  const bookedSlotIds = rows.flatMap(({ bookedSlotId }) => bookedSlotId ?? [])
  await sql`
    update booked_slots set latitude = null, longitude = null
    where tenant_id = ${getTenantId(tx)} and id = any(${bookedSlotIds}::uuid[]) and seats_taken = 1`.execute(
    tx,
  )
}
