/** Why a time is not offered. Only called for times that the listing leaves out; it reads the listing's own rules, one by one. */
import { listJoinableSlots, listTimesBeside } from './group-slots.ts'
import { isClosed, listGridTimes, toDayPlan } from './hours.ts'
import { agendaRules, listStartsOutside } from './rules.ts'
import { isInside } from './spans.ts'
import type { AgendaState, SlotRequest, UnavailableReason } from './types.ts'
import { toBookablePeriod, toClockPeriods, toDayNumber } from './wall-clock.ts'

/** The first reason. The range of the request is that moment. */
export function explainUnavailable(request: SlotRequest): UnavailableReason {
  const { range, availability, agendas, groupSlots } = request
  const { startMs } = range
  const bookable = toBookablePeriod(request)
  if (startMs < bookable.startMs) return 'NOTICE'
  if (startMs >= bookable.endMs) return 'HORIZON'
  const plan = toDayPlan(availability)
  if (isInside(startMs, listStartsOutside(plan, request)))
    return isClosed(plan, toLocalDay(request)) ? 'CLOSED' : 'OUTSIDE_HOURS'
  if (listGridTimes(plan, availability.slotIntervalMin, range).length === 0) return 'NOT_A_SLOT_START'
  if (isInside(startMs, listTimesBeside(listJoinableSlots(request), request))) return 'JOIN_OPEN_SLOT'
  if (groupSlots.some(slot => slot.startMs === startMs)) return 'NO_SEATS'
  return explainAgendas(agendas, request)
}

function toLocalDay({ range, availability }: SlotRequest): number {
  const { offsetMs } = toClockPeriods(availability.timezone, range)[0]!
  return toDayNumber(range.startMs + offsetMs)
}

/** The reason of the agenda that comes closest to taking it: a slot is taken rather than outside hours. */
function explainAgendas(agendas: AgendaState[], request: SlotRequest): UnavailableReason {
  const found = agendas.map(agenda =>
    agendaRules.findIndex(([, rule]) => isInside(request.range.startMs, rule(agenda, request))),
  )
  return agendaRules[Math.max(...found)]?.[0] ?? 'NO_AGENDA'
}
