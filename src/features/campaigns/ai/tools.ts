/** What the model may do: list the slots of one event type, and book one of them for the person it writes to. */
import type { ModelCall } from '../../../domain/ai-replies/parse-calls.ts'
import type { Cipher } from '../../../kit/crypto.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import {
  bookAppointment,
  findBookingDrives,
  findListedDrives,
  listFreeSlots,
  type TravelTimes,
} from '../../scheduling/service.ts'
import { type Claim, hasClaim } from './conversations.ts'
import { findAppointment, type Situation } from './read-situation.ts'

export interface ToolDependencies {
  travelTimes: TravelTimes
  cipher: Cipher
  /** The public URL with the base path. */
  baseUrl: string
}

export interface ToolContext {
  database: Database
  tenantId: string
  situation: Situation
  claim: Claim
  /** The slots that this run has listed: their start, and how people read it. */
  listed: Map<string, string>
}

/** What the model gets. `appointmentId`: it has booked this one. */
export interface ToolResult {
  result: object
  appointmentId: string | null
}

const daysMax = 14
const daysListed = 4
const slotsPerDayMax = 3

const refuse = (error: string): ToolResult => ({ result: { error }, appointmentId: null })

export function runTool(
  dependencies: ToolDependencies,
  context: ToolContext,
  call: ModelCall & { tool: 'list_slots' | 'book_slot' },
): Promise<ToolResult> {
  const run =
    call.tool === 'list_slots'
      ? listSlots(dependencies, context, call.from)
      : bookSlot(dependencies, context, call.start)
  return run.catch(error => {
    // The model reads that it is not possible; the slots of the error are listed if it calls the tool again.
    if (error instanceof Problem) return refuse(error.code)
    throw error
  })
}

async function listSlots(
  { travelTimes }: ToolDependencies,
  { database, tenantId, situation, listed }: ToolContext,
  from: string | null,
): Promise<ToolResult> {
  const { settings, lead, timezone, language } = situation
  const eventTypeId = settings.eventTypeId!
  const filter = { ...toRange(from, situation), timezone, leadId: lead.id }
  await travelTimes.prepare(
    database,
    { tenantId },
    { purpose: 'offer', find: tx => findListedDrives(tx, eventTypeId, filter) },
  )
  const { data } = await database.readTenant({ tenantId }, tx => listFreeSlots(tx, eventTypeId, filter))
  const format = createStartFormat({ language, timezone })
  const days = Object.values(data).map(slots =>
    slots.map(({ start }) => ({ start, label: format.format(new Date(start)) })),
  )
  const slots = days.flatMap((ofDay, index) => selectSlots(ofDay, situation, index < daysListed))
  for (const { start, label } of slots) listed.set(start, label)
  return { result: { slots }, appointmentId: null }
}

/** Some of a day, and those that were offered: the person may accept one at any time. */
function selectSlots<T extends { label: string }>(
  slots: T[],
  { turns }: Situation,
  isListed: boolean,
): readonly T[] {
  const written = turns.flatMap(({ from, text }) => (from === 'person' || text === null ? [] : text))
  const picked = new Set(isListed ? pickEvenly(slots, slotsPerDayMax) : [])
  return slots.filter(slot => picked.has(slot) || written.some(text => text.includes(slot.label)))
}

/** Two weeks from a day on, or from now. */
function toRange(from: string | null, { now, timezone }: Situation): { from?: string; to: string } {
  const today = now.toTemporalInstant().toZonedDateTimeISO(timezone).toPlainDate()
  const first = from === null ? today : parseDay(from)
  const day = first === null || Temporal.PlainDate.compare(first, today) < 0 ? today : first
  const to = day.add({ days: daysMax }).toString()
  return day.equals(today) ? { to } : { from: day.toString(), to }
}

function parseDay(text: string): Temporal.PlainDate | null {
  try {
    return Temporal.PlainDate.from(text)
  } catch {
    return null
  }
}

const pickEvenly = <T>(values: readonly T[], count: number): T[] =>
  values.length <= count
    ? [...values]
    : Array.from({ length: count }, (_, index) => values[Math.floor((index * values.length) / count)]!)

/** "jueves, 3 de diciembre, 10:00". */
export const formatStart = (start: Date, place: Pick<Situation, 'language' | 'timezone'>): string =>
  createStartFormat(place).format(start)

const createStartFormat = ({ language, timezone }: Pick<Situation, 'language' | 'timezone'>) =>
  new Intl.DateTimeFormat(language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
    timeZone: timezone,
  })

async function bookSlot(
  { travelTimes, ...links }: ToolDependencies,
  { database, tenantId, situation, claim, listed }: ToolContext,
  start: string,
): Promise<ToolResult> {
  const { settings, lead, language, timezone } = situation
  const label = listed.get(start)
  if (label === undefined) return refuse('Call list_slots, and book one of its slots.')
  const name = lead.name ?? lead.phone ?? lead.email
  if (name === null) return refuse('The person has no name yet. Hand the conversation over.')
  const request = {
    eventTypeId: settings.eventTypeId!,
    start,
    timezone,
    visitor: { name, phone: lead.phone, email: lead.email, language },
    leadId: lead.id,
    source: 'api' as const,
  }
  await travelTimes.prepare(
    database,
    { tenantId },
    { purpose: 'booking', find: tx => findBookingDrives(tx, request) },
  )
  const book = async (tx: Tx): Promise<ToolResult> => {
    // After a crash, or for a run that is late, the appointment may exist.
    const existing = await findAppointment(tx, lead.id)
    if (existing) {
      const at = formatStart(existing.start, situation)
      listed.set(existing.start.toISOString(), at)
      return refuse(`The person has an appointment already: ${at}.`)
    }
    if (!(await hasClaim(tx, claim))) return refuse('It is not possible now.')
    const { appointment } = await bookAppointment(tx, { ...request, isChecked: false }, links)
    return { result: { booked: label, status: appointment.status }, appointmentId: appointment.id }
  }
  return database.withTenant({ tenantId }, book)
}
