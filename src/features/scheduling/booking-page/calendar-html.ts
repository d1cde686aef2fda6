/** The calendar of a month, whose free days are links, and the times of a day. */
import { escapeMarkup } from '../../../documents/markup.ts'
import type { Slot } from '../../../domain/slots/types.ts'
import { renderHidden } from './about-html.ts'
import { formatZone } from './time-zones.ts'
import { toQuery, type Visit } from './visit.ts'
import { createDayFormat, createTimeFormat } from './when.ts'

export interface MonthView {
  /** ISO: `2026-12`. */
  month: string
  /** Free slots by ISO day. */
  days: Record<string, Slot[]>
  /** The day whose times are shown; null: none is free. */
  day: string | null
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
    ...Array.from({ length: first.dayOfWeek - 1 }, () => '<td></td>'),
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
  if (count === 0) return `<td><span>${dayOfMonth}</span></td>`
  const label = visit.words.freeTimes(createDayFormat(visit)(day), count)
  const current = day === shown ? ' aria-current="date"' : ''
  return `<td><a href="${escapeMarkup(toQuery(visit, { day }))}#times" aria-label="${escapeMarkup(label)}"${current}>${dayOfMonth}</a></td>`
}

/** The times of the day are buttons of a form: shorter than links, because there may be hundreds. */
export function renderTimes(visit: Visit, { day, days, isGroup }: MonthView): string {
  if (day === null) return ''
  const { words } = visit
  const slots = days[day] ?? []
  const toTime = createTimeFormat(visit)
  const zone = formatZone(visit.timezone, slots[0]?.startMs ?? Date.parse(day))
  const items = slots.map(
    ({ startMs, seatsLeft }) =>
      `<li><button name="start" value="${toStart(startMs)}">${toTime(startMs)}${isGroup ? ` <small>${words.places(seatsLeft)}</small>` : ''}</button></li>`,
  )
  const list =
    slots.length === 0
      ? `<p role="status">${words.noTimesOnDay}</p>`
      : `<form method="get">${renderHidden(visit.carried)}<ul class="slots">${items.join('\n')}</ul></form>`
  return `<section class="times" id="times" aria-labelledby="day">
<h2 id="day">${escapeMarkup(createDayFormat(visit)(day))}</h2>
<p class="soft">${escapeMarkup(words.timesIn(zone))}</p>
${list}
</section>`
}

/** A start as a value of the query: UTC, by the minute. */
export const toStart = (startMs: number): string => `${new Date(startMs).toISOString().slice(0, 16)}Z`
