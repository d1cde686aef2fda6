/** How the simulated model arranges a visit: it offers a slot of the day that the person names, and books the one that they accept. */
import { type MessageLanguage, messageLanguages } from '../../domain/messaging/opt-out-words.ts'
import { toPlainWords } from '../../domain/plain-words.ts'
import { type ChatRequest, type Completion, callTool, hasTool } from './request.ts'

export interface VisitWords {
  slots: (slots: string) => string
  noSlots: string
  booked: (slot: string) => string
  /** The person has an appointment. */
  known: (slot: string) => string
}

export interface VisitTurn {
  facts: Record<string, unknown>
  /** The last message of the person. */
  lastText: string
  /** The last message of the agency or of the model. */
  lastAnswer: string
  language: MessageLanguage
  /** How an offer begins, in all languages. */
  offers: readonly string[]
  words: VisitWords
  reply: (answer: string, about: string) => Completion
}

const visit =
  /\b(?:visit\p{L}*|ver el piso|cita|termin|besichtig\p{L}*|viewing|appointment|marcar|agendar)\b/u
const cancellation = /\b(?:cancel\p{L}*|anul\p{L}*|absag\p{L}*|stornier\p{L}*|desmarcar)\b/u
const acceptance =
  /\b(?:si|vale|ok|okay|perfecto|genial|de acuerdo|bien|primera|reserv\p{L}*|confirm\p{L}*|yes|sure|fine|perfect|great|book|ja|gerne|passt|perfekt|sim|pode ser|combinado|d.acord|oui|parfait|va bene|bai)\b/u
const refusal = /\b(?:no|nein|nicht|nao|non|ez|otr[oa]|another|andere\p{L}*|outr[oa])\b/u
const tomorrow = /(?<!\b(?:la|da|am|guten) )\b(?:manana|tomorrow|morgen|amanha)\b/u
const time = /\b(\d{1,2})[:.h](\d\d)\b|\b(?:a las|a la|at|um|as) (\d{1,2})\b/u

interface Slot {
  start: string
  label: string
}

/** Null: the person does not want a visit. */
export function arrangeVisit(chat: ChatRequest, turn: VisitTurn): Completion | null {
  if (!hasTool(chat, 'list_slots')) return null
  const { facts, lastText, lastAnswer, words, reply } = turn
  const said = toPlainWords(lastText)
  if (cancellation.test(said)) return callTool('hand_off', { reason: 'wants_person' })
  const isOffered = turn.offers.some(offer => lastAnswer.includes(offer))
  const wish = findWish(turn)
  const hasWish = wish.day !== null || wish.time !== null
  const isAccepted = isOffered && isAcceptance(said)
  if (!visit.test(said) && !isAccepted && !(isOffered && hasWish)) return null
  if (typeof facts.appointmentOfThePerson === 'string')
    return reply(words.known(facts.appointmentOfThePerson), 'appointment')
  // What a draft promises, a person books.
  if (isAccepted && !hasWish && !hasTool(chat, 'book_slot'))
    return callTool('hand_off', { reason: 'wants_person' })
  const day = wish.day ?? (isAccepted ? findDay(lastAnswer, turn) : null)
  return callTool('list_slots', day === null ? {} : { from: day.toString() })
}

/** After a tool was called. `content`: its result. */
export function continueVisit(chat: ChatRequest, turn: VisitTurn, content: string): Completion {
  const { lastText, lastAnswer, words, reply } = turn
  const { slots, booked, error } = JSON.parse(content) as { slots?: Slot[]; booked?: string; error?: string }
  if (booked !== undefined) return reply(words.booked(booked), 'appointment')
  const known = /already: (.+)\.$/.exec(error ?? '')?.[1]
  if (known !== undefined) return reply(words.known(known), 'appointment')
  // Somebody else may have taken the slot: another one is offered.
  if (slots === undefined)
    return hasTried(chat, 'book_slot') && !hasTried(chat, 'list_slots', 2)
      ? callTool('list_slots', {})
      : callTool('hand_off', { reason: 'not_known' })
  const wish = findWish(turn)
  const ofDay = slots.filter(slot => isOnDay(slot, wish, turn))
  const exact = ofDay.filter(({ label }) => wish.time === null || label.endsWith(wish.time))
  const fitting = [exact, ofDay, slots].find(each => each.length > 0) ?? []
  const slot = fitting.find(({ label }) => lastAnswer.includes(label)) ?? fitting[0]
  if (slot === undefined) return reply(words.noSlots, 'appointment')
  const said = toPlainWords(lastText)
  const isChosen = isAcceptance(said) || (!refusal.test(said) && (wish.day ?? wish.time) !== null)
  const isBookable = lastAnswer.includes(slot.label) && exact.includes(slot) && hasTool(chat, 'book_slot')
  return isChosen && isBookable && !hasTried(chat, 'book_slot')
    ? callTool('book_slot', { start: slot.start })
    : reply(words.slots(slot.label), 'appointment')
}

const isAcceptance = (said: string): boolean => acceptance.test(said) && !refusal.test(said)

const hasTried = ({ messages }: ChatRequest, name: string, times = 1): boolean =>
  messages.flatMap(({ tool_calls: calls = [] }) => calls).filter(call => call.function.name === name)
    .length >= times

const isOnDay = ({ label }: Slot, { day }: Wish, turn: VisitTurn): boolean =>
  day === null || findDay(label, turn)?.dayOfWeek === day.dayOfWeek

interface Wish {
  day: Temporal.PlainDate | null
  /** "10:30". */
  time: string | null
}

function findWish(turn: VisitTurn): Wish {
  const found = time.exec(toPlainWords(turn.lastText))
  const hour = found?.[1] ?? found?.[3]
  return {
    day: findDay(turn.lastText, turn),
    time: hour === undefined ? null : `${hour.padStart(2, '0')}:${found?.[2] ?? '00'}`,
  }
}

/** The next day of the week that the text names. */
function findDay(text: string, { facts, language }: VisitTurn): Temporal.PlainDate | null {
  const date = /\d{4}-\d\d-\d\d$/.exec(String(facts.now))?.[0]
  if (date === undefined) return null
  const today = Temporal.PlainDate.from(date)
  const plain = toPlainWords(text)
  if (tomorrow.test(plain)) return today.add({ days: 1 })
  // "segunda" is a day in Portuguese only.
  const languages = [language, ...messageLanguages.filter(each => each !== 'pt')]
  const index = languages.map(each => findWeekday(plain, each)).find(found => found > 0)
  return index === undefined ? null : today.add({ days: (index - today.dayOfWeek + 7) % 7 })
}

/** A Monday. */
const monday = Date.UTC(2024, 0, 1)
const dayMs = 86_400_000

/** 1 to 7; 0: the text names none. */
function findWeekday(plain: string, language: MessageLanguage): number {
  const format = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  const index = Array.from({ length: 7 }, (_, day) => {
    const [name] = toPlainWords(format.format(monday + day * dayMs)).split('-')
    return new RegExp(`\\b${name}\\b`, 'u').test(plain)
  }).indexOf(true)
  return index + 1
}
