/** Parses single values that all embedded sources of a page write in the same few forms. */
import { toPlainText } from './html.ts'

// White space other than a single space: most texts need no replacement.
const otherSpacesPattern = /\s{2,}|[^\S ]/g
const lineSpacesPattern = /[^\S\n]{2,}|[^\S\n ]/g

/** One line of plain text, or null if it is empty. */
export function toSingleLine(value: string): string | null {
  const text = toPlainText(stripTags(value)).replace(otherSpacesPattern, ' ').trim()
  return text === '' ? null : text
}

/** Plain text with line breaks (`<br>` and `</p>` become breaks too), or null if it is empty. */
export function toMultilineText(value: string): string | null {
  const broken = value.includes('<') ? value.replace(/<br\s*\/?>|<\/(?:p|div|li)>/gi, '\n') : value
  const text = toPlainText(stripTags(broken))
    .replace(lineSpacesPattern, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return text === '' ? null : text
}

/** Coordinates as numbers or as text with either decimal separator; null unless both are valid. */
export function parseCoordinates(
  latitude: unknown,
  longitude: unknown,
): { latitude: number; longitude: number } | null {
  const point = { latitude: parseDegrees(latitude), longitude: parseDegrees(longitude) }
  const isOnGlobe = Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180
  // 0/0 is a point in the Atlantic that means "no coordinates".
  return isOnGlobe && (point.latitude !== 0 || point.longitude !== 0) ? point : null
}

/** The ISO 4217 code of a code in any case, `€` or `£`; null for anything else. */
export function parseCurrency(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const code = value.trim().toUpperCase()
  return /^[A-Z]{3}$/.test(code) ? code : code === '€' ? 'EUR' : code === '£' ? 'GBP' : null
}

/** An ISO 8601 day or instant, converted to UTC with `Z`. Without a zone, UTC is assumed. Null for any other form. */
export function parseInstant(value: unknown): string | null {
  const match =
    /^((?:19|20)\d{2}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/.exec(
      typeof value === 'string' ? value.trim() : '',
    )
  if (!match) return null
  const [, day, time = '00:00', zone = 'Z'] = match
  const instant = new Date(`${day}T${time}${zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`)
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString()
}

/** An absolute http or https URL, or null. */
export function toAbsoluteUrl(value: string, base: string): string | null {
  if (/^https?:\/\/[\x21-\x2e\x30-\x7e][\x21-\x7e]*$/i.test(value)) return value
  const url = value === '' ? null : URL.parse(value, base)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null
}

function parseDegrees(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || !/^\s*-?\d{1,3}([.,]\d+)?\s*$/.test(value)) return Number.NaN
  return Number(value.replace(',', '.'))
}

/** Removes only what looks like a tag, so that "< 100 m" is kept. */
function stripTags(value: string): string {
  return /<[a-z!/]/i.test(value) ? value.replace(/<[a-z!/][^<>]*>/gi, ' ') : value
}
