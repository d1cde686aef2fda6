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

export interface AboutOptions {
  /** HTML below it. */
  extra?: string
  level?: 1 | 2
  /** Without the description, which the visitor has read. */
  isShort?: boolean
  /** The whole description, however long, and nothing else. */
  isWhole?: boolean
  /** The query of the page with the whole description. */
  allQuery?: string
}

/**
 * In HTML, of all texts together. The longest texts with accents fit. In other scripts, or full of characters to escape,
 * they may have 30,000 bytes: then the description is cut.
 */
const textBytesMax = 6100

export function renderAbout({ words }: Visit, about: About, options: AboutOptions = {}): string {
  const { extra = '', level = 1, allQuery } = options
  const text = options.isShort ? '' : toLines(about.description ?? '')
  const others = [about.name, ...about.place, about.agent ?? '']
  const shown = options.isWhole ? text : cutText(text, textBytesMax - countBytes(others.join('')))
  const all = allQuery && shown !== text ? ` <a href="${escapeMarkup(allQuery)}">${words.readAll}</a>` : ''
  const description = text ? `<p class="text">${escapeMarkup(shown)}${all}</p>\n` : ''
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
${description}${options.isWhole ? '' : renderRows(rows as [string, string][])}
${extra}</div>`
}

/** A list of names and values, which may have several lines. */
export function renderRows(rows: [name: string, value: string][]): string {
  const lines = rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `<dt>${escapeMarkup(name)}</dt><dd class="text">${escapeMarkup(value)}</dd>`)
  return `<dl>${lines.join('')}</dl>`
}

const countBytes = (text: string): number => Buffer.byteLength(escapeMarkup(text))

/** Cuts a text between words, by its bytes in HTML. */
function cutText(text: string, bytesMax: number): string {
  let [bytes, end] = [0, 0]
  for (const char of text) {
    bytes += countBytes(char)
    if (bytes > bytesMax) {
      const cut = text.slice(0, end)
      const space = Math.max(cut.lastIndexOf(' '), cut.lastIndexOf('\n'))
      return `${space > 0 ? cut.slice(0, space) : cut}…`
    }
    end += char.length
  }
  return text
}

const lineEnd = /\r\n|[\n\r\u2028\u2029]/

/** Keeps line ends, and removes what may not be shown. */
const toLines = (text: string): string => sanitizeText(text).split(lineEnd).map(toPrintable).join('\n').trim()

/** The choice of a time zone; `params` are kept. */
export function renderZoneForm(
  visit: Visit,
  { ownZone, nowMs, params }: { ownZone: string; nowMs: number; params: Record<string, string> },
): string {
  const options = listZones({ chosen: visit.timezone, own: ownZone, locale: visit.words.locale }, nowMs).map(
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
