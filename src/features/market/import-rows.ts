/** Files of adverts and sales as what they offer: tables in the layout of the price data sets, and Kyero feeds. */
import { readKyeroProperty } from '../../domain/feed/kyero.ts'
import { splitXmlItems } from '../../domain/feed/xml-items.ts'
import { joinFacts } from '../../domain/listing/read-listing.ts'
import { remembered } from '../../domain/remembered.ts'
import { decodeText } from '../../domain/table/decode.ts'
import { openTable } from '../../domain/table/open-table.ts'
import { TableRefused } from '../../domain/table/refused.ts'
import {
  amenitySet,
  type Condition,
  conditions,
  facts,
  type Operation,
  operations,
  type PriceBasis,
  type PropertyType,
  propertyTypes,
} from '../../domain/valuation/property.ts'
import { advertOfListing, type OfferedAdvert, type SkipReason } from './advert.ts'

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
  offered: OfferedAdvert | RowReason
}

/** Why a row is no advert that is kept. */
export type RowReason = SkipReason | 'noId' | 'unlikelyPeriod'

/** The same for people. */
export const skipReasons: Record<RowReason, string> = {
  noId: 'no id',
  noMarket: 'no operation, property type or currency that is known',
  noPlace: 'no coordinates',
  noArea: 'no area',
  noPrice: 'no price',
  unlikelyPlace: 'coordinates of no place',
  unlikelyArea: 'an area under 5 or over 100,000 m²',
  unlikelyPrice: 'a price under 1,000 (of a rent: 10), or far too high',
  unlikelyRooms: 'more than 20 bedrooms',
  unlikelyPeriod: 'a period that is none, or in the future',
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
 * Rows of a table, its columns in any order. Throws TableRefused for what is no table, lacks a column that is needed, or can't
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
  if (missing.length > 0) throw new TableRefused('COLUMNS_MISSING', missingSentence(missing))
  const seenIn = remembered(period => (period === '' ? defaults.now : endOf(period, defaults.now)))
  for await (const { number, cells } of rows) {
    const text = (name: Column) => cells[position.get(name)!]?.trim() ?? ''
    yield { number, offered: offeredIn(text, seenIn(text('period')), defaults) }
  }
}

function missingSentence(missing: Column[]): string {
  const options = { operation: '--operation', propertyType: '--type' } as Partial<Record<Column, string>>
  const ways = missing.flatMap(name => options[name] ?? [])
  return (
    `The file lacks the column${missing.length > 1 ? 's' : ''} ${missing.join(', ')}.` +
    (ways.length > 0 ? ` What is the same of all rows may be told by ${ways.join(' and ')}.` : '')
  )
}

function offeredIn(
  text: (name: Column) => string,
  seenAt: Temporal.Instant | null,
  { source, currency, priceBasis, operation, propertyType }: FileDefaults,
): FileRow['offered'] {
  if (text('id') === '') return 'noId'
  if (seenAt === null) return 'unlikelyPeriod'
  const amenities = text('amenities')
  const number = (name: Column) => numberIn(text(name))
  return {
    ...{ source, advertId: text('id'), currency, priceBasis, seenAt },
    operation: text('operation') === '' ? operation : oneOf(operations, text('operation')),
    propertyType: text('propertyType') === '' ? propertyType : oneOf(propertyTypes, text('propertyType')),
    ...{ latitude: number('latitude'), longitude: number('longitude'), price: number('price') },
    ...{ squareMeters: number('squareMeters'), plotSquareMeters: number('plotSquareMeters') },
    ...{ bedrooms: number('bedrooms'), bathrooms: number('bathrooms'), floor: number('floor') },
    ...{ yearBuilt: number('yearBuilt'), condition: oneOf<Condition>(conditions, text('condition')) },
    subtype: text('subtype') || null,
    amenities: amenities === '' ? null : amenitySet(amenities.split(';')),
  }
}

function oneOf<T extends string>(known: readonly T[], value: string): T | null {
  return known.find(name => name === value) ?? null
}

/** What is no number is not known. */
function numberIn(text: string): number | null {
  return /^-?\d{1,15}(?:\.\d+)?$/.test(text) ? Number(text) : null
}

/**
 * The last second of a quarter (`2018-Q4`), month or day, but not in the future: an advert of a quarter stood at some time in
 * it. Null for what is none of them, or not yet there.
 */
export function endOf(period: string, now: Temporal.Instant): Temporal.Instant | null {
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

/** Properties of a Kyero feed, seen now. Throws TableRefused if it holds none, or behind them if it is not whole. */
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
      const property = xml === null ? null : readKyeroProperty(xml, feed)
      const read =
        property && joinFacts({ url: feed.url, country: 'ES', currency }, [['feed', property.facts]])
      if (!property || !read) {
        yield { number, offered: property ? 'noPlace' : 'noId' }
        continue
      }
      const advert = advertOfListing(read.listing, { source, advertId: property.id, seenAt: now })
      const kind = {
        operation: advert.operation ?? operation,
        propertyType: advert.propertyType ?? propertyType,
      }
      yield { number, offered: { ...advert, ...kind, priceBasis } }
    }
  const isWhole = items.end()
  if (number === 0)
    throw new TableRefused('NO_PROPERTY', 'This is XML, but no Kyero feed: it holds no <property>.')
  if (!isWhole) throw new TableRefused('CUT', 'The feed breaks off.')
}
