/**
 * Removes characters that PostgreSQL cannot store: U+0000 and lone surrogates. API clients, portals and files all send
 * them.
 */

/** Returns the text without U+0000, and with U+FFFD in place of each lone surrogate. */
export function sanitizeText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** Serializes a value as JSON with all strings sanitized, including the names of fields. */
export function sanitizeJson(value: unknown): string {
  return sanitizeJsonEscapes(JSON.stringify(value))
}

/** A valid surrogate pair, another Unicode escape, or a backslash with the character that it escapes. */
const escapes = /\\(?:ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|u[0-9a-f]{4}|.)/gis

/**
 * Sanitizes JSON text, even if it is not valid JSON. JSON.stringify always escapes U+0000 and lone surrogates
 * (RFC 8259, section 7). Most texts have no such escape, so a quick test comes first.
 */
export function sanitizeJsonEscapes(json: string): string {
  if (!/\\u(?:0000|d[89a-f])/i.test(json)) return json
  return json.replace(escapes, found => {
    if (found === '\\u0000') return ''
    return found.length === 6 && /^\\ud[89a-f]/i.test(found) ? '\\ufffd' : found
  })
}
