/** Text that PostgreSQL stores: it refuses U+0000 and half a surrogate pair, which people, portals and files all send. */

/** Without U+0000; a half of a surrogate pair becomes U+FFFD. */
export function sanitizeText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** A value as JSON that the database stores as it is, the names of its fields included. */
export function sanitizeJson(value: unknown): string {
  return sanitizeJsonEscapes(JSON.stringify(value))
}

/** In JSON both can only stand as an escape. A pair of halves is whole; behind two backslashes there is no escape. */
const escapes = /\\(?:ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|u[0-9a-f]{4}|.)/gis

/**
 * The same for JSON that is text already, valid or not. Looking at each escape is slow, and nearly always for nothing.
 * Escapes: RFC 8259, section 7.
 */
export function sanitizeJsonEscapes(json: string): string {
  if (!/\\u(?:0000|d[89a-f])/i.test(json)) return json
  return json.replace(escapes, found => {
    if (found === '\\u0000') return ''
    return found.length === 6 && /^\\ud[89a-f]/i.test(found) ? '\\ufffd' : found
  })
}
