/** What is booked: the column beside the calendar and the form. */
import { escapeMarkup, toPrintable } from '../../../documents/markup.ts'
import { sanitizeText } from '../../../kit/sanitize-text.ts'
import { listZones } from './time-zones.ts'
import type { Visit } from './visit.ts'
import { formatLength } from './when.ts'

export interface About {
  name: string
  /** Null: there is none. */
  description: string | null
  durationMin: number
  /** How and where they meet; the first line is the mode. */
  place: string[]
  /** Null: one of several, or unknown. */
  agent: string | null
}

/** `extra`: HTML below it. `isShort`: without the description, which the visitor has read. */
export function renderAbout(
  { words }: Visit,
  about: About,
  { extra = '', level = 1, isShort = false }: { extra?: string; level?: 1 | 2; isShort?: boolean } = {},
): string {
  const description =
    about.description && !isShort ? `<p class="text">${escapeMarkup(toLines(about.description))}</p>\n` : ''
  const rows = [
    [words.details.length, formatLength(about.durationMin)],
    [
      words.details.place,
      about.place
        .map(toPrintable)
        .filter(line => line)
        .join('\n'),
    ],
    ...(about.agent ? [[words.details.agent, toPrintable(about.agent)]] : []),
  ]
  return `<div class="about">
<h${level}>${escapeMarkup(toPrintable(about.name))}</h${level}>
${description}${renderRows(rows as [string, string][])}
${extra}</div>`
}

/** A list of names and values, which may have several lines. */
export function renderRows(rows: [name: string, value: string][]): string {
  const lines = rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `<dt>${escapeMarkup(name)}</dt><dd class="text">${escapeMarkup(value)}</dd>`)
  return `<dl>${lines.join('')}</dl>`
}

const lineEnd = /\r\n|[\n\r\u2028\u2029]/

/** Keeps line ends, and removes what may not be shown. */
const toLines = (text: string): string => sanitizeText(text).split(lineEnd).map(toPrintable).join('\n').trim()

/** The choice of a time zone; `params` are kept. */
export function renderZoneForm(
  visit: Visit,
  { ownZone, nowMs, params }: { ownZone: string; nowMs: number; params: Record<string, string> },
): string {
  const options = listZones(visit.timezone, ownZone, nowMs).map(
    ({ id, label }) =>
      `<option value="${escapeMarkup(id)}"${id === visit.timezone ? ' selected' : ''}>${escapeMarkup(label)}`,
  )
  return `<form class="zone" method="get">${renderHidden([...visit.carried.filter(([name]) => name !== 'tz'), ...Object.entries(params)])}
<label for="tz">${visit.words.timezone}</label>
<div><select id="tz" name="tz" autocomplete="off">${options.join('')}</select><button class="plain">${visit.words.change}</button></div>
</form>
`
}

export const renderHidden = (fields: [name: string, value: string][]): string =>
  fields
    .map(
      ([name, value]) => `<input type="hidden" name="${escapeMarkup(name)}" value="${escapeMarkup(value)}">`,
    )
    .join('')
