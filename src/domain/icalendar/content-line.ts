/** Content lines of iCalendar (RFC 5545, 3.1): whatever a value contains, it stays the value of its property. */

const octetsMax = 75

/** A line without its end. `value` is in the form of the property's type: see `toText`, `toMailUri`, `toUri`. */
export function formatLine(name: string, value: string, parameters: Record<string, string> = {}): string {
  const suffix = Object.entries(parameters).map(([key, text]) => `;${key}=${quoteParameter(text)}`)
  return `${name}${suffix.join('')}:${value}`
}

/** A stream of lines, each ended by CRLF and folded. */
export const joinLines = (lines: string[]): string => lines.map(line => `${foldLine(line)}\r\n`).join('')

/** Breaks a line after at most 75 octets of UTF-8, never inside a character. */
function foldLine(line: string): string {
  const parts: string[] = []
  let part = ''
  let octets = 0
  for (const character of line) {
    const length = Buffer.byteLength(character)
    if (octets + length > octetsMax) {
      parts.push(part)
      part = ' '
      octets = 1
    }
    part += character
    octets += length
  }
  return [...parts, part].join('\r\n')
}

/** Line breaks become `\n`; other control characters, which iCalendar forbids, go away. */
const normalizeText = (text: string) =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed.
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')

/** A value of the type TEXT. */
export const toText = (text: string): string =>
  normalizeText(text)
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')

/**
 * The value of a parameter. It can't contain a double quote; Outlook shows the escape of RFC 6868 for it as it is, so an
 * apostrophe takes its place. Only `^` is escaped, because it begins an escape.
 */
function quoteParameter(text: string): string {
  const safe = toParameterText(text).replaceAll('^', '^^')
  return /^[A-Za-z0-9/_+-]+$/.test(safe) ? safe : `"${safe}"`
}

/** What a reader sees of a parameter: one line without double quotes. Some readers take a backslash for an escape. */
export const toParameterText = (text: string): string =>
  normalizeText(text)
    .replace(/[\n\t]+/g, ' ')
    .replaceAll('"', "'")
    .replaceAll('\\', '/')

/** The address of a person, as a URI. */
export const toMailUri = (email: string): string => `mailto:${encodeURI(email.toWellFormed())}`

/** A value of the type URI; null: it is no absolute URL. */
export const toUri = (url: string): string | null => (URL.canParse(url) ? new URL(url).href : null)

/** A time in UTC. */
export const toUtc = (time: Temporal.Instant): string =>
  time.round({ smallestUnit: 'second', roundingMode: 'floor' }).toString().replace(/[-:]/g, '')

/** A time by the wall clock of its zone. */
export const toLocal = (time: Temporal.PlainDateTime): string =>
  time.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '')
