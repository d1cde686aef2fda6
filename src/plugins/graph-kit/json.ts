/** Reads values of JSON that somebody else wrote: null instead of what has another type. */

export const asObject = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null

export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Null for an empty text as well. Graph writes some ids as numbers. */
export function asText(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

export function asNumber(value: unknown): number | null {
  const number = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** Cuts a text that is longer, at a whole character. */
export const truncate = (text: string, max: number): string =>
  text.length > max ? text.slice(0, max).replace(/[\ud800-\udbff]$/, '') : text

/** Looks up a key that somebody else wrote, and that may be `constructor`. */
export const lookUp = <Value>(
  table: Readonly<Record<string, Value>>,
  key: string | null,
): Value | undefined => (key !== null && Object.hasOwn(table, key) ? table[key] : undefined)
