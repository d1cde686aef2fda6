/** Reads the route of a day. */
import { listDrives, toWays, type Visit, type Way } from '../../../domain/scheduling/day-route.ts'
import { toMapLinks } from '../../../domain/scheduling/map-links.ts'
import { toDayRange } from '../../../domain/slots/group-by-day.ts'
import type { Drive } from '../../../domain/slots/travel.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { getAgendaJson } from '../agendas/queries.ts'
import { toVisitPlace } from '../appointments/location.ts'
import { readDrivingTimes } from '../travel/queries.ts'
import { readStops, type StopRow } from './queries.ts'
import type { DayRoute } from './schemas.ts'

interface Day {
  day: string
  timezone: string
  rows: StopRow[]
  visits: Visit[]
}

/** `date` undefined: today. Throws 404. */
async function readDay(tx: Tx, agendaId: string, date: string | undefined): Promise<Day> {
  const { timezone } = JSON.parse(await getAgendaJson(tx, agendaId)) as { timezone: string }
  const day = date ?? toToday(getNow(tx), timezone)
  const rows = await readStops(tx, agendaId, toDayRange(day, day, timezone))
  const visits = rows.map(row => ({
    startMs: row.start.getTime(),
    endMs: row.end.getTime(),
    place: toVisitPlace(row.location).place,
    speedKmh: row.speedKmh,
  }))
  return { day, timezone, rows, visits }
}

/** Finds the drives of the route. Throws 404. */
export const findRouteDrives = async (tx: Tx, agendaId: string, date: string | undefined): Promise<Drive[]> =>
  listDrives((await readDay(tx, agendaId, date)).visits)

/** `date` undefined: today. Throws 404. */
export async function readDayRoute(tx: Tx, agendaId: string, date: string | undefined): Promise<DayRoute> {
  const { day, timezone, rows, visits } = await readDay(tx, agendaId, date)
  const ways = toWays(visits, await readDrivingTimes(tx, listDrives(visits)))
  const stops = rows.map((row, index) => toStop(row, ways[index]!, rows))
  const known = ways.filter(way => way !== null)
  return {
    date: day,
    timezone,
    stops,
    totals: {
      stops: stops.length,
      withoutPlace: stops.filter(({ place }) => place === 'unknown').length,
      tight: known.filter(({ isTight }) => isTight).length,
      distanceMeters: sum(known.map(({ distanceMeters }) => distanceMeters)),
      travelMin: sum(known.map(({ travelMin }) => travelMin)),
    },
    mapLinks: toMapLinks(visits.map(({ place }) => place).filter(place => place !== null)),
  }
}

const toToday = (now: Date, timezone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone).toPlainDate().toString()

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)

function toStop(row: StopRow, way: Way | null, rows: StopRow[]): DayRoute['stops'][number] {
  const { eventTypeId, eventTypeName, location, appointmentIds, visitorNames } = row
  return {
    eventTypeId,
    eventTypeName,
    start: row.start.toISOString(),
    end: row.end.toISOString(),
    appointments: appointmentIds.map((id, index) => ({ id, visitorName: visitorNames[index] ?? null })),
    location,
    place: toPlaceName(row),
    way: way && toReply(way, rows[way.from]!),
  }
}

function toPlaceName({ location }: StopRow): 'known' | 'unknown' | 'not_onsite' {
  if (location.mode !== 'onsite') return 'not_onsite'
  return toVisitPlace(location).place === null ? 'unknown' : 'known'
}

const toReply = ({ distanceMeters, travelMin, gapMin, isTight }: Way, { appointmentIds }: StopRow) => ({
  fromAppointmentId: appointmentIds[0]!,
  distanceMeters,
  travelMin,
  gapMin,
  isTight,
})
