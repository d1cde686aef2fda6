/** The SQL statement of the route of a day. */
import { sql } from 'kysely'
import type { Interval } from '../../../domain/slots/types.ts'
import { subtractDays } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { AppointmentLocation } from '../appointments/schemas.ts'

export interface StopRow {
  eventTypeId: string
  eventTypeName: string
  start: Date
  end: Date
  location: AppointmentLocation
  speedKmh: number
  appointmentIds: string[]
  visitorNames: (string | null)[]
}

/** More than fit in a day: appointments last five minutes at least. */
const stopsMax = 300
/** The most visitors of one stop. */
export const visitorsMax = 100

/**
 * The appointments of an agenda that begin in the range, in order, without cancelled ones; also those of `collective` event
 * types in which it takes part. Visitors of a group viewing are one stop.
 */
export async function readStops(tx: Tx, agendaId: string, { startMs, endMs }: Interval): Promise<StopRow[]> {
  const tenantId = getTenantId(tx)
  const [from, to] = [new Date(startMs), new Date(endMs)]
  const { rows } = await sql<StopRow>`
    with found as (
      select a.id from appointments a
      where a.tenant_id = ${tenantId} and a.agenda_id = ${agendaId} and a.starts_at >= ${from} and a.starts_at < ${to}
      union
      select a.id from agenda_reservations r
      join appointments a on a.tenant_id = ${tenantId} and a.booked_slot_id = r.booked_slot_id
      where r.tenant_id = ${tenantId} and r.agenda_id = ${agendaId}
        and r.starts_at > ${subtractDays(from, 2)} and r.starts_at < ${to} and a.starts_at >= ${from} and a.starts_at < ${to})
    select a.event_type_id as "eventTypeId", e.name as "eventTypeName", a.starts_at as start, a.ends_at as end, a.location,
      (e.config -> 'travel' ->> 'speedKmh')::float8 as "speedKmh",
      (array_agg(a.id::text order by a.id))[1:${sql.lit(visitorsMax)}] as "appointmentIds",
      (array_agg(a.visitor ->> 'name' order by a.id))[1:${sql.lit(visitorsMax)}] as "visitorNames"
    from found f
    join appointments a on a.tenant_id = ${tenantId} and a.id = f.id
    join event_types e on e.tenant_id = ${tenantId} and e.id = a.event_type_id
    where a.status <> 'cancelled'
    group by a.event_type_id, e.name, a.starts_at, a.ends_at, a.location, e.config
    order by a.starts_at, a.ends_at, min(a.id::text) limit ${stopsMax}`.execute(tx)
  return rows
}
