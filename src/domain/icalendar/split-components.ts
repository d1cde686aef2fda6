/**
 * Divides an iCalendar text into components with the lines that busy times depend on. So a broken line costs one event at most,
 * and texts that nobody needs, such as descriptions, are never parsed.
 */

export type ComponentKind = 'VEVENT' | 'VFREEBUSY' | 'VTIMEZONE'

export interface RawComponent {
  kind: ComponentKind
  /** Unfolded content lines. */
  lines: string[]
  /** STANDARD and DAYLIGHT of a VTIMEZONE. */
  observances: string[][]
}

export interface RawCalendar {
  method: string | null
  name: string | null
  components: RawComponent[]
}

/** A text that can't be read. `message`: a sentence for people. */
export class UnreadableCalendar extends Error {
  readonly code: 'NOT_A_CALENDAR' | 'TOO_LARGE'

  constructor(code: UnreadableCalendar['code'], message: string) {
    super(message)
    this.code = code
  }
}

export const textMaxLength = 10_000_000
const linesMax = 1_000_000
const lineMaxLength = 200_000
const componentsMax = 50_000
const depthMax = 20

const neededNames = new Set([
  ...[
    'UID',
    'SEQUENCE',
    'DTSTART',
    'DTEND',
    'DURATION',
    'RRULE',
    'EXRULE',
    'RDATE',
    'EXDATE',
    'RECURRENCE-ID',
  ],
  ...['STATUS', 'TRANSP', 'X-MICROSOFT-CDO-BUSYSTATUS', 'FREEBUSY'],
  ...['TZID', 'X-LIC-LOCATION', 'TZOFFSETFROM', 'TZOFFSETTO'],
])
const kinds = new Set<string>(['VEVENT', 'VFREEBUSY', 'VTIMEZONE'] satisfies ComponentKind[])

/** Throws UnreadableCalendar. */
export function splitComponents(text: string): RawCalendar {
  if (text.length > textMaxLength) throw tooLarge(`more than ${textMaxLength / 1e6} MB`)
  if (!/^\ufeff?\s*BEGIN:VCALENDAR\s/i.test(text))
    throw new UnreadableCalendar(
      'NOT_A_CALENDAR',
      /^\ufeff?\s*</.test(text)
        ? 'The address shows a web page, not a calendar. Copy the address of the iCalendar feed, which often ends in .ics; a page for people, or one that requires a sign-in, is no feed.'
        : 'This is not an iCalendar file: it does not begin with BEGIN:VCALENDAR. Enter the address of an iCalendar feed.',
    )
  const collector = new Collector()
  for (const line of unfold(text)) collector.add(line)
  return collector.finish()
}

const tooLarge = (what: string) =>
  new UnreadableCalendar(
    'TOO_LARGE',
    `The calendar has ${what}. Remove old events from it, or choose another calendar.`,
  )

/** Yields content lines. Those that nothing needs may be cut. */
function* unfold(text: string): Generator<string> {
  let line = ''
  let count = 0
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at)
    const next = end < 0 ? text.length : end
    const part = text.slice(at, text[next - 1] === '\r' ? Math.max(at, next - 1) : next)
    at = next + 1
    if (++count > linesMax) throw tooLarge(`more than ${linesMax} lines`)
    if (part[0] === ' ' || part[0] === '\t') {
      if (line.length < lineMaxLength) line += part.slice(1)
    } else {
      if (line) yield line
      line = part
    }
  }
  if (line) yield line
}

const readName = (line: string) => (/^[^:;]*/.exec(line)?.[0] ?? '').trim().toUpperCase()

class Collector {
  readonly #calendar: RawCalendar = { method: null, name: null, components: [] }
  /** Names of the open components. */
  readonly #open: string[] = []
  #component: RawComponent | null = null
  #hasEnded = false

  add(line: string): void {
    const name = readName(line)
    if (name === 'BEGIN') this.#begin(readValue(line).toUpperCase())
    else if (name === 'END') this.#end(readValue(line).toUpperCase())
    else if (this.#open.length === 1) this.#addToCalendar(name, line)
    else if (this.#component && neededNames.has(name)) this.#addToComponent(line)
  }

  finish(): RawCalendar {
    if (this.#hasEnded && this.#open.length === 0) return this.#calendar
    throw new UnreadableCalendar(
      'NOT_A_CALENDAR',
      'The calendar is cut off: it does not end with END:VCALENDAR. Check the program that writes it.',
    )
  }

  #begin(name: string): void {
    if (this.#open.push(name) > depthMax)
      throw tooLarge(`components inside components, more than ${depthMax} deep`)
    if (this.#open.length !== 2 || !kinds.has(name)) {
      const isObservance = name === 'STANDARD' || name === 'DAYLIGHT'
      if (this.#open.length === 3 && isObservance) this.#component?.observances.push([])
      return
    }
    if (this.#calendar.components.length >= componentsMax) throw tooLarge(`more than ${componentsMax} events`)
    this.#component = { kind: name as ComponentKind, lines: [], observances: [] }
    this.#calendar.components.push(this.#component)
  }

  /** Ends a component, and those inside it whose end is missing. */
  #end(name: string): void {
    const index = this.#open.lastIndexOf(name)
    if (index >= 0) this.#open.length = index
    if (this.#open.length < 2) this.#component = null
    if (this.#open.length === 0) this.#hasEnded = true
  }

  #addToCalendar(name: string, line: string): void {
    if (name === 'METHOD') this.#calendar.method = readValue(line).toUpperCase()
    if (name === 'X-WR-CALNAME' || name === 'NAME') this.#calendar.name ??= readValue(line).slice(0, 200)
  }

  #addToComponent(line: string): void {
    const component = this.#component!
    if (line.length >= lineMaxLength) throw tooLarge(`a line of more than ${lineMaxLength} characters`)
    if (this.#open.length === 2) component.lines.push(line)
    else if (this.#open.length === 3 && /^(?:STANDARD|DAYLIGHT)$/.test(this.#open[2]!))
      component.observances.at(-1)!.push(line)
  }
}

const readValue = (line: string) => line.slice(line.indexOf(':') + 1).trim()
