/** The known facts of a property as text. Unknown facts are omitted. */

import type { Fact } from '../../../documents/blocks.ts'
import type { KnownSubtype } from '../../../documents/words.ts'
import type { Adjustment, Factor } from '../../../domain/valuation/adjustments.ts'
import {
  type Amenity,
  amenities,
  type Characteristics,
  toAmenities,
} from '../../../domain/valuation/property.ts'
import type { LocalizedReport } from './localized-report.ts'

/** The facts of the valued property, one per row. */
export function subjectFacts(localized: LocalizedReport): Fact[] {
  const { report, words, formats, displayText } = localized
  const { facts } = words
  const { subject } = report
  const rows: [label: string, value: string | null][] = [
    [facts.address, report.config.showAddress ? report.address && displayText(report.address) : null],
    [facts.operation, words.operation[report.operation]],
    [facts.propertyType, words.propertyType[report.propertyType]],
    [facts.subtype, subject.subtype && formatSubtype(subject.subtype, localized)],
    [facts.area, formats.squareMeters(subject.squareMeters)],
    [facts.plot, formatIfKnown(subject.plotSquareMeters, formats.squareMeters)],
    [
      facts.bedrooms,
      formatIfKnown(subject.bedrooms, count => (count === 0 ? words.studio : formats.number(count))),
    ],
    [facts.bathrooms, formatIfKnown(subject.bathrooms, formats.number)],
    [facts.condition, formatIfKnown(subject.condition, condition => words.condition[condition])],
    [facts.floor, formatIfKnown(subject.floor, floor => formatFloor(floor, words))],
    [facts.yearBuilt, formatIfKnown(subject.yearBuilt, String)],
    [
      facts.amenities,
      [
        ...toAmenityWords(toAmenities(subject.amenities ?? 0), words),
        ...report.otherAmenities.map(displayText).filter(tag => tag !== ''),
      ].join(', '),
    ],
  ]
  return rows.flatMap(([label, value]) => (value ? [{ label, value }] : []))
}

/** The facts of a property in one table cell, without the floor area. */
export function shortFacts(property: Characteristics, { words, formats }: LocalizedReport): string {
  const { short } = words
  return [
    formatIfKnown(property.bedrooms, count => (count === 0 ? words.studio : short.bedrooms(count))),
    formatIfKnown(property.bathrooms, count => short.bathrooms(count, formats.number(count))),
    formatIfKnown(property.floor, floor => (floor >= 1 ? short.floor(floor) : formatFloor(floor, words))),
    formatIfKnown(property.plotSquareMeters, area => short.plot(formats.squareMeters(area))),
    formatIfKnown(property.condition, condition =>
      words.condition[condition].toLocaleLowerCase(words.locale),
    ),
    formatIfKnown(property.yearBuilt, year => short.yearBuilt(String(year))),
  ]
    .filter(text => text !== null)
    .map(text => text.replaceAll(' ', '\u00a0'))
    .join(', ')
}

/** Formats the `from` or `to` of an adjustment; '' if it is unknown. */
export function factorValue(factor: Factor, value: Adjustment['from'], localized: LocalizedReport): string {
  const { words, formats, displayText } = localized
  if (value === null || value === '') return ''
  switch (factor) {
    case 'time':
      return formats.shortMonth(Temporal.PlainDate.from(String(value).slice(0, 10)))
    case 'place':
      return formats.distance(Number(value))
    case 'size':
    case 'plot':
      return formats.squareMeters(Number(value))
    case 'condition':
      return words.condition[value as keyof typeof words.condition] ?? displayText(String(value))
    case 'floor':
      return formatFloor(Number(value), words)
    case 'lift':
      return value === true ? words.yes : words.no
    case 'amenities':
      return toAmenityWords(amenityNames(value), words).join(', ')
    case 'subtype':
      return formatSubtype(String(value), localized)
    case 'yearBuilt':
      return String(value)
    case 'unexplained':
      return formats.signedPercent(Number(value))
    case 'bedrooms':
    case 'bathrooms':
      return formats.number(Number(value))
  }
}

/** The differences in amenities from the comparable to the subject: `+ garage, − pool`. */
export function amenityChanges(
  from: Adjustment['from'],
  to: Adjustment['to'],
  localized: LocalizedReport,
): string {
  const [before, after] = [amenityNames(from), amenityNames(to)]
  const gained = after.filter(name => !before.includes(name))
  const lost = before.filter(name => !after.includes(name))
  return [
    ...toAmenityWords(gained, localized.words).map(name => `+\u00a0${name}`),
    ...toAmenityWords(lost, localized.words).map(name => `−\u00a0${name}`),
  ].join(', ')
}

function amenityNames(value: Adjustment['from']): Amenity[] {
  const names = String(value ?? '')
    .split(',')
    .map(name => name.trim())
  return amenities.filter(name => names.includes(name))
}

function toAmenityWords(names: Amenity[], words: LocalizedReport['words']): string[] {
  return names.map(name => words.amenity[name])
}

function formatFloor(
  floor: number,
  { groundFloor, mezzanine, belowGround }: LocalizedReport['words'],
): string {
  if (floor === 0.5) return mezzanine
  return floor === 0 ? groundFloor : floor < 0 ? belowGround : String(floor)
}

function formatSubtype(subtype: string, { words, displayText }: LocalizedReport): string {
  return Object.hasOwn(words.subtype, subtype) ? words.subtype[subtype as KnownSubtype] : displayText(subtype)
}

function formatIfKnown<T>(value: T | null, text: (value: T) => string): string | null {
  return value === null ? null : text(value)
}
