/** The calendar of a month, whose free days are links, and the times of a day. */
import { escapeMarkup } from '../../../documents/markup.ts'
import type { Slot } from '../../../domain/slots/types.ts'
import { formatOffset, formatZone } from '../../../domain/time-zones/format-zone.ts'
import { renderHidden } from './about-html.ts'
import { toQuery, type Visit } from './visit.ts'
import { createDayFormat, createTimeFormat } from './when.ts'

export interface MonthView {
  /** ISO: `2026-12`. */
  month: string
  /** Free slots by ISO day. */
  days: Record<string, Slot[]>
  /** The day whose times are shown; null: none is free. */
  day: string | null
  /** Which part of a long day is shown, from 0; see `splitDay`. */
  part: number
  /** Null: nothing can be booked before. */
  previous: string | null
  /** Null: nothing can be booked after. */
  next: string | null
  /** Slots have several places: how many are left is shown. */
  isGroup: boolean
}

const chevrons = { previous: 'M15 5l-7 7 7 7', next: 'M9 5l7 7-7 7' }

export function renderMonth(visit: Visit, view: MonthView): string {
  const { words } = visit
  const title = new Intl.DateTimeFormat(words.locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const move = (month: string | null, label: string, path: string) => {
    const icon = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`
    if (month === null) return `<span aria-hidden="true">${icon}</span>`
    return `<a href="${escapeMarkup(toQuery(visit, { month }))}" aria-label="${escapeMarkup(label)}">${icon}</a>`
  }
  const empty = Object.keys(view.days).length === 0 ? `<p role="status">${words.noTimesInMonth}</p>\n` : ''
  return `<section aria-labelledby="month">
<div class="month"><h2 id="month">${title.format(Date.parse(`${view.month}-15`))}</h2>
<nav aria-label="${escapeMarkup(words.chooseTime)}">${move(view.previous, words.previousMonth, chevrons.previous)}${move(view.next, words.nextMonth, chevrons.next)}</nav></div>
${empty}${renderTable(visit, view)}
</section>`
}

function renderTable(visit: Visit, view: MonthView): string {
  const { words } = visit
  const names = (weekday: 'short' | 'long') =>
    new Intl.DateTimeFormat(words.locale, { weekday, timeZone: 'UTC' })
  const [short, long] = [names('short'), names('long')]
  // 1 January 2024 is a Monday.
  const heads = [1, 2, 3, 4, 5, 6, 7].map(day => {
    const ms = Date.UTC(2024, 0, day)
    return `<th scope="col" abbr="${long.format(ms)}">${short.format(ms)}</th>`
  })
  const first = Temporal.PlainDate.from(`${view.month}-01`)
  const cells = [
    ...Array.from({ length: first.dayOfWeek - 1 }, () => '<td>'),
    ...Array.from({ length: first.daysInMonth }, (_, at) => renderDay(visit, view, at + 1)),
  ]
  const rows: string[] = []
  for (let at = 0; at < cells.length; at += 7) rows.push(`<tr>${cells.slice(at, at + 7).join('')}</tr>`)
  return `<table aria-labelledby="month"><thead><tr>${heads.join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`
}

function renderDay(visit: Visit, { month, days, day: shown }: MonthView, dayOfMonth: number): string {
  const day = `${month}-${String(dayOfMonth).padStart(2, '0')}`
  const count = days[day]?.length ?? 0
  if (count === 0) return `<td><span>${dayOfMonth}</span>`
  const label = visit.words.freeTimes(createDayFormat(visit)(day), count)
  const current = day === shown ? ' aria-current="date"' : ''
  return `<td><a href="${escapeMarkup(toQuery(visit, { day }))}#times" aria-label="${escapeMarkup(label)}"${current}>${dayOfMonth}</a>`
}

/** From 9:00 to 18:00 every five minutes. */
const shownMax = 108

/** Equal parts, none with more slots than a page shows: a whole day may have hundreds. */
export function splitDay(slots: Slot[]): Slot[][] {
  const size = Math.ceil(slots.length / Math.ceil(slots.length / shownMax))
  const parts: Slot[][] = []
  for (let at = 0; at < slots.length; at += size) parts.push(slots.slice(at, at + size))
  return parts
}

/** Links to the parts of a day by their first and last time, such as `08:00–15:55`. */
function renderParts(visit: Visit, day: string, parts: Slot[][], shown: number): string {
  if (parts.length < 2) return ''
  const toTime = createTimeFormat(visit)
  const links = parts.map((slots, at) => {
    const href = escapeMarkup(toQuery(visit, { day, part: String(at) }))
    const current = at === shown ? ' aria-current="true"' : ''
    return `<a href="${href}#times"${current}>${toTime(slots[0]!.startMs)}–${toTime(slots.at(-1)!.startMs)}</a>`
  })
  return `<nav class="parts" aria-labelledby="day">${links.join('')}</nav>\n`
}

/** The times of the day are buttons of a form: shorter than links. The end tags of items are optional. */
export function renderTimes(visit: Visit, { day, part, days, isGroup }: MonthView): string {
  if (day === null) return ''
  const { words } = visit
  const parts = splitDay(days[day] ?? [])
  const shown = Math.min(part, parts.length - 1)
  const slots = parts[shown] ?? []
  const toTime = createTimeFormat(visit)
  const firstMs = slots[0]?.startMs ?? Date.parse(day)
  const zone = formatZone(visit.timezone, firstMs, words.locale)
  const firstOffset = formatOffset(visit.timezone, firstMs)
  const items = slots.map(({ startMs, seatsLeft }) => {
    const offset = formatOffset(visit.timezone, startMs)
    // When clocks go back, a time comes twice.
    const notes = [...(offset === firstOffset ? [] : [offset]), ...(isGroup ? [words.places(seatsLeft)] : [])]
    return `<li><button name="start" value="${toStart(startMs)}">${toTime(startMs)}${notes.map(note => ` <small>${note}</small>`).join('')}</button>`
  })
  const list =
    slots.length === 0
      ? `<p role="status">${words.noTimesOnDay}</p>`
      : `<form method="get">${renderHidden(visit.carried)}<ul class="slots">${items.join('\n')}</ul></form>`
  return `<section class="times" id="times" aria-labelledby="day">
<h2 id="day">${escapeMarkup(createDayFormat(visit)(day))}</h2>
<p class="soft">${escapeMarkup(words.timesIn(zone))}</p>
${renderParts(visit, day, parts, shown)}${list}
</section>`
}

/** A start as a value of the query: UTC, by the minute. */
export const toStart = (startMs: number): string => `${new Date(startMs).toISOString().slice(0, 16)}Z`
