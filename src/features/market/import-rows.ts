/** Files of adverts and sales as what they offer: tables in the layout of the price data sets, and Kyero feeds. */
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
  /** Whose ids the file's are. */
  source: string
  /** ISO 4217: of prices that do not tell theirs. */
  currency: string
  priceBasis: PriceBasis
  /** Of rows that do not tell theirs. */
  operation: Operation | null
  propertyType: PropertyType | null
  now: Temporal.Instant
}

/** `number`: the row as a spreadsheet counts, or the property of a feed, from 1 on. */
export interface FileRow {
  number: number
  parsed: SourceListing | RowReason
}

/** Why a row is no advert that is kept. */
export type RowReason = SkipReason | 'noId' | 'implausiblePeriod'

/** The same for people. */
export const skipReasons: Record<RowReason, string> = {
  noId: 'no id',
  noMarket: 'no operation, property type or currency that is known',
  noPlace: 'no coordinates',
  noArea: 'no area',
  noPrice: 'no price',
  implausiblePlace: 'coordinates of no place',
  implausibleArea: 'an area under 5 or over 100,000 m²',
  implausiblePrice: 'a price under 1,000 (of a rent: 10), or far too high',
  implausibleRooms: 'more than 20 bedrooms',
  implausiblePeriod: 'a period that is none, or in the future',
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
 * Rows of a table, its columns in any order. Throws TableError for what is no table, lacks a column that is needed, or can't
 * be read on.
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
  if (missing.length > 0) throw new TableError('COLUMNS_MISSING', missingSentence(missing))
  const toSeenAt = memoize(period => (period === '' ? defaults.now : parsePeriodEnd(period, defaults.now)))
  for await (const { number, cells } of rows) {
    const text = (name: Column) => cells[position.get(name)!]?.trim() ?? ''
    yield { number, parsed: parseRow(text, toSeenAt(text('period')), defaults) }
  }
}

function missingSentence(missing: Column[]): string {
  const options = { operation: '--operation', propertyType: '--type' } as Partial<Record<Column, string>>
  const hints = missing.flatMap(name => options[name] ?? [])
  return (
    `The file lacks the column${missing.length > 1 ? 's' : ''} ${missing.join(', ')}.` +
    (hints.length > 0 ? ` What is the same of all rows may be told by ${hints.join(' and ')}.` : '')
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

/** What is no number is not known. */
function parseNumber(text: string): number | null {
  return /^-?\d{1,15}(?:\.\d+)?$/.test(text) ? Number(text) : null
}

/**
 * The last second of a quarter (`2018-Q4`), month or day, but not in the future: an advert of a quarter stood at some time in
 * it. Null for what is none of them, or not yet there.
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

/** Properties of a Kyero feed, seen now. Throws TableError if it holds none, or behind them if it is not whole. */
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
  const isWhole = items.end()
  if (number === 0)
    throw new TableError('NO_PROPERTY', 'This is XML, but no Kyero feed: it holds no <property>.')
  if (!isWhole) throw new TableError('CUT', 'The feed breaks off.')
}
