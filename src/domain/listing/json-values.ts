// Single values of the JSON that portals make for programs: the same few kinds, whoever writes them.
import { parseArea } from './area.ts'
import { isNode, type JsonNode } from './json-ld.ts'
import type { ListingFacts } from './listing.ts'
import { parseMoney } from './money.ts'
import { parseLocalNumber } from './number.ts'
import { cleanText, readInstant } from './values.ts'

// The last day of the year 9999, past which a date is none that can be written in ISO 8601 without a sign.
const MAX_INSTANT_MS = 253_402_300_799_999

/** The object that a JSON document is; null for any other text, also for a list. Never throws. */
export function readJsonObject(text: string): JsonNode | null {
  try {
    const value: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
    return isNode(value) ? value : null
  } catch {
    return null
  }
}

/** The value if it is an object, else an object that says nothing. */
export function nodeOf(value: unknown): JsonNode {
  return isNode(value) ? value : {}
}

/** One line of text, or null. */
export function lineOf(value: unknown): string | null {
  return typeof value === 'string' ? cleanText(value) : null
}

/** An amount of money above 0 (`380000`, `'1.250 €'`), or null: documents write 0 for a price on request. */
export function amountOf(value: unknown): number | null {
  return positive(typeof value === 'string' ? (parseMoney(value)?.amount ?? null) : value)
}

/** Square metres above 0 (`93`, `'93 m²'`, `'61,53'`), or null. */
export function areaOf(value: unknown): number | null {
  return positive(typeof value === 'string' ? (parseArea(value) ?? parseLocalNumber(value)) : value)
}

/** A count of things (`3`, `3.0`, `'3'`), from 0, or null. */
export function countOf(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null
}

/** An instant told in ISO 8601 or in milliseconds since 1970, in ISO 8601 and UTC; or null. */
export function instantOf(value: unknown): string | null {
  if (typeof value !== 'number') return readInstant(value)
  return value > 0 && value <= MAX_INSTANT_MS ? new Date(value).toISOString() : null
}

/** The facts that are known: what is null, missing or an empty list is left out. */
export function knownFacts(
  facts: {
    [Name in keyof ListingFacts]: ListingFacts[Name] | null | undefined
  },
): ListingFacts {
  const known: Record<string, unknown> = {}
  const all: Record<string, unknown> = facts
  for (const name in all) {
    const value = all[name]
    if (value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0))
      known[name] = value
  }
  return known
}

function positive(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null
}
