/** Occupies agendas: a booked slot has seats, which holds and appointments take. */
import { sql } from 'kysely'
import type { BookableSlot } from '../../../domain/slots/types.ts'
import { createId, getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { fixedPlan } from '../../../kit/db/plans.ts'
import type { EventTypeRow } from '../event-types/queries.ts'
import { createTaken } from './free-slot.ts'
import type { WantedSlot } from './nearest-slots.ts'
import { getOwnPlace, type VisitPlace } from './place.ts'

export interface SlotReservation {
  eventType: EventTypeRow
  /** What `findSlot` returned. */
  slot: BookableSlot
  /** Omitted: unknown, or not on site. */
  place?: VisitPlace | undefined
}

export interface TakenSeat {
  bookedSlotId: string
  /** The agenda of the agent who receives the visitor. */
  agendaId: string
  /** All agendas that it occupies. */
  agendaIds: string[]
  /** A group viewing that somebody joins keeps its end, whatever the event type lasts by now. */
  endMs: number
}

/** Takes a seat: joins the group viewing of the slot, or occupies its agendas. Lock them before. Throws 409 SLOT_TAKEN. */
export function takeSeat(tx: Tx, reservation: SlotReservation): Promise<TakenSeat> {
  return reservation.slot.bookedSlotId === null ? reserveSlot(tx, reservation) : joinSlot(tx, reservation)
}

/** Occupies the agendas of a slot, and takes its first seat. Throws 409 SLOT_TAKEN. */
export async function reserveSlot(tx: Tx, { eventType, slot, place }: SlotReservation): Promise<TakenSeat> {
  const tenantId = getTenantId(tx)
  const bookedSlotId = createId(tx)
  const agendaIds = chooseAgendas(eventType, slot)
  const { latitude = null, longitude = null } = place?.place ?? {}
  const inserting = sql`
    ${fixedPlan} insert into booked_slots (tenant_id, id, event_type_id, starts_at, ends_at, seats, seats_taken, latitude, longitude, created_at)
    values (${tenantId}, ${bookedSlotId}, ${eventType.id}, ${new Date(slot.startMs)}, ${new Date(slot.endMs)},
      ${eventType.config.seats}, 1, ${latitude}, ${longitude}, ${getNow(tx)})`.execute(tx)
  // They are sent at once.
  const [, isFree] = await Promise.all([inserting, occupy(tx, bookedSlotId, agendaIds, { eventType, slot })])
  if (!isFree) {
    // What it has of the time must not hide the nearest slots.
    await sql`delete from booked_slots where tenant_id = ${tenantId} and id = ${bookedSlotId}`.execute(tx)
    throw await createTaken(tx, 'BUSY', toQuery({ eventType, slot, place }, null))
  }
  return { bookedSlotId, agendaId: getReceiver(eventType, agendaIds), agendaIds, endMs: slot.endMs }
}

/** The fairest agenda, or all agendas of a collective event type. */
const chooseAgendas = ({ config }: EventTypeRow, { agendaIds }: BookableSlot): string[] =>
  config.assignment.kind === 'collective' ? agendaIds : agendaIds.slice(0, 1)

/** The agent of the event type, if the slot occupies their agenda. */
export const getReceiver = ({ agendaId }: EventTypeRow, agendaIds: string[]): string =>
  agendaIds.includes(agendaId) ? agendaId : agendaIds[0]!

const toQuery = (
  { eventType, slot, place = getOwnPlace(eventType) }: SlotReservation,
  excludedSlotId: string | null,
): WantedSlot => ({ eventType, startMs: slot.startMs, place, excludedSlotId })

/**
 * Returns false if the time of an agenda overlaps with another reservation, buffers included: the constraint decides, and the transaction
 * goes on, so that the refusal can say what is free.
 */
async function occupy(
  tx: Tx,
  bookedSlotId: string,
  agendaIds: string[],
  { eventType, slot }: Pick<SlotReservation, 'eventType' | 'slot'>,
): Promise<boolean> {
  const from = new Date(slot.startMs - eventType.bufferBeforeMin * 60_000)
  const to = new Date(slot.endMs + eventType.bufferAfterMin * 60_000)
  const { rows } = await sql`
    ${fixedPlan} insert into agenda_reservations (tenant_id, booked_slot_id, agenda_id, occupied)
    select ${getTenantId(tx)}, ${bookedSlotId}::uuid, g.agenda_id, tstzrange(${from}::timestamptz, ${to}::timestamptz)
    from unnest(${agendaIds}::uuid[]) as g (agenda_id)
    on conflict do nothing returning agenda_id`.execute(tx)
  return rows.length === agendaIds.length
}

/** Takes a seat of a group viewing that has begun to fill. Throws 409 SLOT_TAKEN if none is left. */
export async function joinSlot(tx: Tx, { eventType, slot, place }: SlotReservation): Promise<TakenSeat> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ id: string }>`
    update booked_slots set seats_taken = seats_taken + 1
    where tenant_id = ${tenantId} and id = ${slot.bookedSlotId} and seats_taken < seats returning id`.execute(
    tx,
  )
  const [joined] = rows
  if (!joined) throw await createTaken(tx, 'NO_SEATS', toQuery({ eventType, slot, place }, null))
  const agendaIds = await readAgendaIds(tx, joined.id)
  return {
    bookedSlotId: joined.id,
    agendaId: getReceiver(eventType, agendaIds),
    agendaIds,
    endMs: slot.endMs,
  }
}

/** The agendas that a booked slot occupies, in the order of their ids. */
export async function readAgendaIds(tx: Tx, bookedSlotId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select agenda_id as id from agenda_reservations
    where tenant_id = ${getTenantId(tx)} and booked_slot_id = ${bookedSlotId} order by agenda_id`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Moves a seat to another slot. A booked slot with one seat taken moves as a whole and keeps its id. Otherwise the result
 * has another `bookedSlotId`: store it, then release the seat of the old one. Throws 409 SLOT_TAKEN.
 */
export async function moveSeat(
  tx: Tx,
  bookedSlotId: string,
  { eventType, slot, place }: SlotReservation,
): Promise<TakenSeat> {
  const tenantId = getTenantId(tx)
  if (slot.bookedSlotId !== null) return joinSlot(tx, { eventType, slot, place })
  const { latitude = null, longitude = null } = place?.place ?? {}
  const { rows } = await sql`
    update booked_slots set starts_at = ${new Date(slot.startMs)}, ends_at = ${new Date(slot.endMs)},
      seats = ${eventType.config.seats}, latitude = ${latitude}, longitude = ${longitude}
    where tenant_id = ${tenantId} and id = ${bookedSlotId} and seats_taken = 1 returning id`.execute(tx)
  if (rows.length === 0) return reserveSlot(tx, { eventType, slot, place })
  await sql`delete from agenda_reservations where tenant_id = ${tenantId} and booked_slot_id = ${bookedSlotId}`.execute(
    tx,
  )
  const agendaIds = chooseAgendas(eventType, slot)
  if (!(await occupy(tx, bookedSlotId, agendaIds, { eventType, slot })))
    throw await createTaken(tx, 'BUSY', toQuery({ eventType, slot, place }, bookedSlotId))
  return { bookedSlotId, agendaId: getReceiver(eventType, agendaIds), agendaIds, endMs: slot.endMs }
}

/** Releases a seat that nothing refers to any more. The slot of the last seat is deleted, and its agendas are free. */
export async function releaseSeat(tx: Tx, bookedSlotId: string): Promise<void> {
  const tenantId = getTenantId(tx)
  // Somebody may be joining: without the lock, a seat that is taken meanwhile would be deleted with the slot.
  await sql`select from booked_slots where tenant_id = ${tenantId} and id = ${bookedSlotId} for update`.execute(
    tx,
  )
  const { rows } = await sql`
    update booked_slots set seats_taken = seats_taken - 1
    where tenant_id = ${tenantId} and id = ${bookedSlotId} and seats_taken > 1 returning id`.execute(tx)
  if (rows.length > 0) return
  await sql`delete from booked_slots where tenant_id = ${tenantId} and id = ${bookedSlotId}`.execute(tx)
}
