/** Parses single values of the JSON interfaces of portals. */
import { parseArea } from './area.ts'
import { isNode, type JsonNode } from './json-ld.ts'
import type { ListingFacts } from './listing.ts'
import { parseMoney } from './money.ts'
import { parseLocalNumber } from './number.ts'
import { parseInstant, toSingleLine } from './values.ts'

// The end of the year 9999: later dates have no plain ISO 8601 form.
const instantMsMax = 253_402_300_799_999

/** The object in a JSON document; null for any other text, also for an array. Never throws. */
export function parseJsonObject(text: string): JsonNode | null {
  try {
    const value: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
    return isNode(value) ? value : null
  } catch {
    return null
  }
}

/** The value if it is an object, otherwise an empty object. */
export function toNode(value: unknown): JsonNode {
  return isNode(value) ? value : {}
}

/** One line of text, or null. */
export function parseLine(value: unknown): string | null {
  return typeof value === 'string' ? toSingleLine(value) : null
}

/** An amount of money above 0 (`380000`, `'1.250 €'`), or null: documents state 0 for a price on request. */
export function parseAmount(value: unknown): number | null {
  return toPositive(typeof value === 'string' ? (parseMoney(value)?.amount ?? null) : value)
}

/** Square metres above 0 (`93`, `'93 m²'`, `'61,53'`), or null. */
export function parseAreaValue(value: unknown): number | null {
  return toPositive(typeof value === 'string' ? (parseArea(value) ?? parseLocalNumber(value)) : value)
}

/** A count of 0 or more (`3`, `3.0`, `'3'`), or null. */
export function parseCount(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null
}

/** Converts ISO 8601 or milliseconds since 1970 to ISO 8601 in UTC; null for anything else. */
export function parseInstantValue(value: unknown): string | null {
  if (typeof value !== 'number') return parseInstant(value)
  return value > 0 && value <= instantMsMax ? new Date(value).toISOString() : null
}

/** Removes values that are null, undefined or an empty list. */
export function dropUnknown(
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

function toPositive(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null
}
