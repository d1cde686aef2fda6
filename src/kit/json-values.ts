/** Reads values of JSON that somebody else wrote: null in place of what has another type. */

export const asObject = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null

export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Null for an empty text as well. */
export const asText = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

export const asNumber = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

/** Cuts a longer text, at a whole character. */
export const truncate = (text: string, max: number): string =>
  text.length > max ? text.slice(0, max).replace(/[\ud800-\udbff]$/, '') : text
