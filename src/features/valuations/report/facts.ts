/** What is known of a property, in words. What is not known is not mentioned. */

import type { Fact } from '../../../documents/blocks.ts'
import type { KnownSubtype } from '../../../documents/words.ts'
import type { Adjustment, Factor } from '../../../domain/valuation/adjustments.ts'
import {
  type Amenity,
  amenities,
  amenitiesOf,
  type Characteristics,
} from '../../../domain/valuation/property.ts'
import type { Edition } from './edition.ts'

/** All of the subject, one after another. */
export function subjectFacts(edition: Edition): Fact[] {
  const { report, words, formats, shown } = edition
  const { facts } = words
  const { subject } = report
  const rows: [label: string, value: string | null][] = [
    [facts.address, report.config.showAddress ? report.address && shown(report.address) : null],
    [facts.operation, words.operation[report.operation]],
    [facts.propertyType, words.propertyType[report.propertyType]],
    [facts.subtype, subject.subtype && subtypeOf(subject.subtype, edition)],
    [facts.area, formats.squareMeters(subject.squareMeters)],
    [facts.plot, when(subject.plotSquareMeters, formats.squareMeters)],
    [facts.bedrooms, when(subject.bedrooms, count => (count === 0 ? words.studio : formats.number(count)))],
    [facts.bathrooms, when(subject.bathrooms, formats.number)],
    [facts.condition, when(subject.condition, condition => words.condition[condition])],
    [facts.floor, when(subject.floor, floor => floorOf(floor, words))],
    [facts.yearBuilt, when(subject.yearBuilt, String)],
    [
      facts.amenities,
      [
        ...namesOf(amenitiesOf(subject.amenities ?? 0), words),
        ...report.otherAmenities.map(shown).filter(tag => tag !== ''),
      ].join(', '),
    ],
  ]
  return rows.flatMap(([label, value]) => (value ? [{ label, value }] : []))
}

/** In one line of a table, without the area. */
export function shortFacts(property: Characteristics, { words, formats }: Edition): string {
  const { short } = words
  return [
    when(property.bedrooms, count => (count === 0 ? words.studio : short.bedrooms(count))),
    when(property.bathrooms, count => short.bathrooms(count, formats.number(count))),
    when(property.floor, floor => (floor >= 1 ? short.floor(floor) : floorOf(floor, words))),
    when(property.plotSquareMeters, area => short.plot(formats.squareMeters(area))),
    when(property.condition, condition => words.condition[condition].toLocaleLowerCase(words.locale)),
    when(property.yearBuilt, year => short.yearBuilt(String(year))),
  ]
    .filter(text => text !== null)
    .map(text => text.replaceAll(' ', '\u00a0'))
    .join(', ')
}

/** What an adjustment starts from or leads to: '' if there is nothing to say. */
export function factorValue(factor: Factor, value: Adjustment['from'], edition: Edition): string {
  const { words, formats, shown } = edition
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
      return words.condition[value as keyof typeof words.condition] ?? shown(String(value))
    case 'floor':
      return floorOf(Number(value), words)
    case 'lift':
      return value === true ? words.yes : words.no
    case 'amenities':
      return namesOf(amenityNames(value), words).join(', ')
    case 'subtype':
      return subtypeOf(String(value), edition)
    case 'yearBuilt':
      return String(value)
    case 'unexplained':
      return formats.signedPercent(Number(value))
    case 'bedrooms':
    case 'bathrooms':
      return formats.number(Number(value))
  }
}

/** Of amenities only those that one has and the other has not: + garage, − pool, from the comparable to the subject. */
export function amenityChanges(from: Adjustment['from'], to: Adjustment['to'], edition: Edition): string {
  const [before, after] = [amenityNames(from), amenityNames(to)]
  const gained = after.filter(name => !before.includes(name))
  const lost = before.filter(name => !after.includes(name))
  return [
    ...namesOf(gained, edition.words).map(name => `+\u00a0${name}`),
    ...namesOf(lost, edition.words).map(name => `−\u00a0${name}`),
  ].join(', ')
}

function amenityNames(value: Adjustment['from']): Amenity[] {
  const names = String(value ?? '')
    .split(',')
    .map(name => name.trim())
  return amenities.filter(name => names.includes(name))
}

function namesOf(names: Amenity[], words: Edition['words']): string[] {
  return names.map(name => words.amenity[name])
}

function floorOf(floor: number, { groundFloor, mezzanine, belowGround }: Edition['words']): string {
  if (floor === 0.5) return mezzanine
  return floor === 0 ? groundFloor : floor < 0 ? belowGround : String(floor)
}

function subtypeOf(subtype: string, { words, shown }: Edition): string {
  return Object.hasOwn(words.subtype, subtype) ? words.subtype[subtype as KnownSubtype] : shown(subtype)
}

function when<T>(value: T | null, text: (value: T) => string): string | null {
  return value === null ? null : text(value)
}
