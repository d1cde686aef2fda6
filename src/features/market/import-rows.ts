/** Parses files of listings and sales: tables in the layout of the price data sets, and Kyero feeds. */
import { parseKyeroProperty } from '../../domain/feed/kyero.ts'
import { splitXmlItems } from '../../domain/feed/xml-items.ts'
import { mergeFacts } from '../../domain/listing/parse-listing.ts'
import { memoize } from '../../domain/memoize.ts'
import { decodeText } from '../../domain/table/decode.ts'
import { openTable } from '../../domain/table/open-table.ts'
import { TableError } from '../../domain/table/table-error.ts'
import {
  type Condition,
  conditions,
  facts,
  type Operation,
  operations,
  type PriceBasis,
  type PropertyType,
  propertyTypes,
  toAmenitySet,
} from '../../domain/valuation/property.ts'
import { type SkipReason, type SourceListing, toSourceListing } from './market-listing.ts'

export interface FileDefaults {
  /** The source whose ids the file has. */
  source: string
  /** ISO 4217; for prices without a currency. */
  currency: string
  priceBasis: PriceBasis
  /** For rows without an operation. */
  operation: Operation | null
  /** For rows without a property type. */
  propertyType: PropertyType | null
  now: Temporal.Instant
}

/** `number`: the row number as in a spreadsheet, or the position of the property in the feed, from 1. */
export interface FileRow {
  number: number
  parsed: SourceListing | RowReason
}

/** Why a row is skipped. */
export type RowReason = SkipReason | 'noId' | 'implausiblePeriod'

/** The reasons for people. */
export const skipReasons: Record<RowReason, string> = {
  noId: 'no id',
  noMarket: 'no known operation, property type or currency',
  noPlace: 'no coordinates',
  noArea: 'no area',
  noPrice: 'no price',
  implausiblePlace: 'impossible coordinates',
  implausibleArea: 'an area under 5 or over 100,000 m²',
  implausiblePrice: 'a price under 1,000 (for a rent: 10), or far too high',
  implausibleRooms: 'more than 20 bedrooms',
  implausiblePeriod: 'a period that is invalid or in the future',
}

const columns = [
  'id',
  'operation',
  'propertyType',
  'latitude',
  'longitude',
  'squareMeters',
  ...facts,
  'amenities',
  'price',
  'period',
] as const
type Column = (typeof columns)[number]
const required: Column[] = ['id', 'latitude', 'longitude', 'squareMeters', 'price']

/**
 * Reads the rows of a table; its columns may have any order. Throws TableError if the file is no table, lacks a required
 * column, or is damaged (after the rows before the damage).
 */
export async function* readTableRows(
  chunks: AsyncIterable<Uint8Array>,
  defaults: FileDefaults,
): AsyncGenerator<FileRow> {
  const { headings, rows } = await openTable(chunks, true)
  const names = headings.map(heading => heading.trim().toLowerCase())
  const position = new Map(columns.map(name => [name, names.indexOf(name.toLowerCase())]))
  const needed = [
    ...required,
    ...(defaults.operation === null ? (['operation'] as const) : []),
    ...(defaults.propertyType === null ? (['propertyType'] as const) : []),
  ]
  const missing = needed.filter(name => position.get(name) === -1)
  if (missing.length > 0) throw new TableError('COLUMNS_MISSING', toMissingColumnsMessage(missing))
  const toSeenAt = memoize(period => (period === '' ? defaults.now : parsePeriodEnd(period, defaults.now)))
  for await (const { number, cells } of rows) {
    const text = (name: Column) => cells[position.get(name)!]?.trim() ?? ''
    yield { number, parsed: parseRow(text, toSeenAt(text('period')), defaults) }
  }
}

function toMissingColumnsMessage(missing: Column[]): string {
  const options = { operation: '--operation', propertyType: '--type' } as Partial<Record<Column, string>>
  const hints = missing.flatMap(name => options[name] ?? [])
  return (
    `The file lacks the column${missing.length > 1 ? 's' : ''} ${missing.join(', ')}.` +
    (hints.length > 0 ? ` If all rows have the same value, you can set it with ${hints.join(' and ')}.` : '')
  )
}

function parseRow(
  text: (name: Column) => string,
  seenAt: Temporal.Instant | null,
  { source, currency, priceBasis, operation, propertyType }: FileDefaults,
): FileRow['parsed'] {
  if (text('id') === '') return 'noId'
  if (seenAt === null) return 'implausiblePeriod'
  const amenities = text('amenities')
  const number = (name: Column) => parseNumber(text(name))
  return {
    source,
    listingId: text('id'),
    currency,
    priceBasis,
    seenAt,
    operation: text('operation') === '' ? operation : oneOf(operations, text('operation')),
    propertyType: text('propertyType') === '' ? propertyType : oneOf(propertyTypes, text('propertyType')),
    latitude: number('latitude'),
    longitude: number('longitude'),
    price: number('price'),
    squareMeters: number('squareMeters'),
    plotSquareMeters: number('plotSquareMeters'),
    bedrooms: number('bedrooms'),
    bathrooms: number('bathrooms'),
    floor: number('floor'),
    yearBuilt: number('yearBuilt'),
    condition: oneOf<Condition>(conditions, text('condition')),
    subtype: text('subtype') || null,
    amenities: amenities === '' ? null : toAmenitySet(amenities.split(';')),
  }
}

function oneOf<T extends string>(known: readonly T[], value: string): T | null {
  return known.find(name => name === value) ?? null
}

/** Null: the text is not a number. */
function parseNumber(text: string): number | null {
  return /^-?\d{1,15}(?:\.\d+)?$/.test(text) ? Number(text) : null
}

/**
 * Parses a quarter (`2018-Q4`), month (`2018-12`) or day (`2018-12-31`), and returns its last second in UTC, or `now` if it
 * is not over yet. Null: the text is invalid, or the period begins in the future.
 */
export function parsePeriodEnd(period: string, now: Temporal.Instant): Temporal.Instant | null {
  const match = /^(?<year>(?:19|20)\d\d)-(?:Q(?<quarter>[1-4])|(?<month>\d\d)(?:-(?<day>\d\d))?)$/.exec(
    period,
  )
  if (!match?.groups) return null
  const { year, quarter, month, day } = match.groups
  try {
    const first = Temporal.PlainDate.from(
      {
        year: Number(year),
        month: quarter ? Number(quarter) * 3 - 2 : Number(month),
        day: day ? Number(day) : 1,
      },
      { overflow: 'reject' },
    )
    const begin = first.toZonedDateTime('UTC').toInstant()
    if (Temporal.Instant.compare(begin, now) > 0) return null
    const next = first.add(quarter ? { months: 3 } : day ? { days: 1 } : { months: 1 })
    const end = next.toZonedDateTime('UTC').toInstant().subtract({ seconds: 1 })
    return Temporal.Instant.compare(end, now) < 0 ? end : now
  } catch {
    return null
  }
}

/**
 * Reads the properties of a Kyero v3 feed, all of them seen at `now`. Throws TableError if the feed has none, or after the
 * last one if the feed is incomplete.
 */
export async function* readFeedRows(
  chunks: AsyncIterable<Uint8Array>,
  { source, currency, priceBasis, operation, propertyType, now }: FileDefaults,
): AsyncGenerator<FileRow> {
  const { texts } = await decodeText(chunks)
  const items = splitXmlItems('property')
  const feed = { url: 'https://feed.invalid/', language: 'en', timezone: 'UTC', agent: {} }
  let number = 0
  for await (const text of texts)
    for (const xml of items.push(text)) {
      number += 1
      const property = xml === null ? null : parseKyeroProperty(xml, feed)
      const read =
        property && mergeFacts({ url: feed.url, country: 'ES', currency }, [['feed', property.facts]])
      if (!property || !read) {
        yield { number, parsed: property ? 'noPlace' : 'noId' }
        continue
      }
      const listing = toSourceListing(read.listing, { source, listingId: property.id, seenAt: now })
      const kind = {
        operation: listing.operation ?? operation,
        propertyType: listing.propertyType ?? propertyType,
      }
      yield { number, parsed: { ...listing, ...kind, priceBasis } }
    }
  const isComplete = items.end()
  if (number === 0)
    throw new TableError('NO_PROPERTY', 'This is XML, but not a Kyero feed: it has no <property>.')
  if (!isComplete) throw new TableError('FEED_INCOMPLETE', 'The feed ends in the middle. Fetch it again.')
}
