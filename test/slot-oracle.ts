/**
 * Which slots a request has, decided minute by minute from the wall clock: slow, and without the code of the calculator. All times are
 * whole minutes.
 */
import type {
  AgendaState,
  GroupSlot,
  Interval,
  SlotRequest,
  WorkingHours,
} from '../src/domain/slots/types.ts'

const minuteMs = 60_000

interface Wall {
  date: string
  weekday: number
  minute: number
}

const walls = new Map<string, Map<number, Wall>>()

function readWall(timeMs: number, timezone: string): Wall {
  const ofZone = walls.get(timezone) ?? new Map<number, Wall>()
  walls.set(timezone, ofZone)
  let wall = ofZone.get(timeMs)
  if (wall === undefined) {
    const zoned = Temporal.Instant.fromEpochMilliseconds(timeMs).toZonedDateTimeISO(timezone)
    const { dayOfWeek: weekday, hour, minute } = zoned
    wall = { date: zoned.toPlainDate().toString(), weekday, minute: hour * 60 + minute }
    ofZone.set(timeMs, wall)
  }
  return wall
}

export interface ExpectedSlot extends Interval {
  bookedSlotId: string | null
  agendaIds: string[]
}

export function listExpectedSlots(request: SlotRequest): ExpectedSlot[] {
  const slots: ExpectedSlot[] = []
  const firstMs = Math.ceil(request.range.startMs / minuteMs) * minuteMs
  for (let startMs = firstMs; startMs < request.range.endMs; startMs += minuteMs) {
    const slot = expectSlot(request, startMs)
    if (slot) slots.push(slot)
  }
  return slots
}

function expectSlot(request: SlotRequest, startMs: number): ExpectedSlot | undefined {
  if (!isInTime(request, startMs)) return undefined
  const endMs = startMs + request.durationMin * minuteMs
  const open = request.groupSlots.filter(slot => slot.seatsLeft > 0 && isInTime(request, slot.startMs))
  const joined = open.filter(slot => slot.startMs === startMs).sort(compareFullness)[0]
  if (joined) {
    const { bookedSlotId, agendaIds } = joined
    return { startMs, endMs: joined.endMs, bookedSlotId, agendaIds }
  }
  if (open.some(slot => slot.startMs < endMs && startMs < slot.endMs)) return undefined
  if (!isOnGrid(request, startMs) || !isWithin(request.availability, { startMs, endMs })) return undefined
  const free = request.agendas.filter(agenda => isFree(agenda, request, { startMs, endMs }))
  const isOffered =
    request.assignment === 'collective' ? free.length === request.agendas.length : free.length > 0
  if (!isOffered || free.length === 0) return undefined
  return { startMs, endMs, bookedSlotId: null, agendaIds: free.map(({ agendaId }) => agendaId) }
}

function compareFullness(one: GroupSlot, other: GroupSlot): number {
  return one.seatsLeft - other.seatsLeft || one.bookedSlotId.localeCompare(other.bookedSlotId)
}

function isInTime({ nowMs, availability }: SlotRequest, startMs: number): boolean {
  const { timezone, minimumNoticeMin, horizonDays } = availability
  if (startMs - nowMs < minimumNoticeMin * minuteMs) return false
  const today = readWall(nowMs, timezone).date
  return readWall(startMs, timezone).date <= addDays(today, horizonDays)
}

const laterDays = new Map<string, string>()

function addDays(date: string, days: number): string {
  const key = `${date} ${days}`
  const later = laterDays.get(key) ?? Temporal.PlainDate.from(date).add({ days }).toString()
  laterDays.set(key, later)
  return later
}

/** For every minute of a day: the first minute that there is of the hours that it belongs to; -1: it is outside. */
type DayTable = number[]
const tables = new WeakMap<WorkingHours, Map<string, DayTable>>()

function readDay(hours: WorkingHours, { date, weekday }: Wall): DayTable {
  const days = tables.get(hours) ?? new Map<string, DayTable>()
  tables.set(hours, days)
  let table = days.get(date)
  if (table === undefined) {
    const override = hours.overrides.findLast(one => one.date === date)
    const isHoliday = override === undefined && hours.closedDates.includes(date)
    const weekly = hours.weekly.filter(({ day }) => day === weekday)
    const intervals = override?.intervals ?? (isHoliday ? [] : weekly)
    table = []
    for (let minute = 0; minute < 1440; minute += 1) {
      const isOpen = intervals.some(({ from, to }) => toMinute(from) <= minute && minute < toMinute(to))
      const before = table[minute - 1] ?? -1
      const first = isOpen && before < 0 && exists(date, minute, hours.timezone) ? minute : before
      table.push(isOpen ? first : -1)
    }
    days.set(date, table)
  }
  return table
}

function exists(date: string, minute: number, timezone: string): boolean {
  const local = Temporal.PlainDate.from(date).toPlainDateTime({
    hour: Math.floor(minute / 60),
    minute: minute % 60,
  })
  return local.toZonedDateTime(timezone).toPlainDateTime().equals(local)
}

function toMinute(time: string): number {
  const [hour, minute] = time.split(':').map(Number)
  return hour! * 60 + minute!
}

/** The wall clock shows a multiple of the interval since the hours of the day began. */
function isOnGrid({ availability }: SlotRequest, startMs: number): boolean {
  const wall = readWall(startMs, availability.timezone)
  const first = readDay(availability, wall)[wall.minute]!
  return first >= 0 && (wall.minute - first) % availability.slotIntervalMin === 0
}

function isWithin(hours: WorkingHours, { startMs, endMs }: Interval): boolean {
  return everyMinute(startMs, endMs, timeMs => {
    const wall = readWall(timeMs, hours.timezone)
    return readDay(hours, wall)[wall.minute]! >= 0
  })
}

function isFree(agenda: AgendaState, request: SlotRequest, slot: Interval): boolean {
  const { availability, bufferBeforeMin, bufferAfterMin } = request
  if (agenda.workingHours && !isWithin(agenda.workingHours, slot)) return false
  const booked = agenda.bookedPerDay[readWall(slot.startMs, availability.timezone).date] ?? 0
  if (availability.dailyLimit !== null && booked >= availability.dailyLimit) return false
  const occupied = agenda.reservations.map(one => ({
    startMs: one.startMs - one.bufferBeforeMin * minuteMs,
    endMs: one.endMs + one.bufferAfterMin * minuteMs,
  }))
  const blocked = [...agenda.busy, ...occupied]
  const isUntouched = everyMinute(
    slot.startMs - bufferBeforeMin * minuteMs,
    slot.endMs + bufferAfterMin * minuteMs,
    timeMs => blocked.every(({ startMs, endMs }) => timeMs < startMs || timeMs >= endMs),
  )
  return isUntouched && isReachable(agenda, request, slot)
}

function isReachable({ reservations }: AgendaState, { travel }: SlotRequest, slot: Interval): boolean {
  if (travel === null) return true
  const onSite = reservations.filter(({ place }) => place !== null)
  const previous = onSite.filter(({ endMs }) => endMs <= slot.startMs).sort((a, b) => b.endMs - a.endMs)[0]
  const next = onSite.filter(({ startMs }) => startMs >= slot.endMs).sort((a, b) => a.startMs - b.startMs)[0]
  const comesInTime =
    !previous || slot.startMs - previous.endMs >= travel.estimateMin(previous.place!, travel.place) * minuteMs
  const leavesInTime =
    !next || next.startMs - slot.endMs >= travel.estimateMin(travel.place, next.place!) * minuteMs
  return comesInTime && leavesInTime
}

function everyMinute(startMs: number, endMs: number, holds: (timeMs: number) => boolean): boolean {
  for (let timeMs = startMs; timeMs < endMs; timeMs += minuteMs) if (!holds(timeMs)) return false
  return true
}
