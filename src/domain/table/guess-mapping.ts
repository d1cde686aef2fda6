/** Guesses the lead field of each column by its heading, otherwise by its cells if they are unambiguous. */
import { parseMoney } from '../listing/money.ts'
import { detectCellKind } from './cell-kind.ts'
import { toCellText } from './cell-text.ts'
import { findFieldByHeading, toBareKey, toHeadingKey } from './heading-key.ts'
import { isAboutAgents, isBareNumber, mentionsPhone, toPriceField } from './heading-words.ts'
import type { LeadField, Mapping } from './lead-fields.ts'
import {
  findFeatureByHeading,
  parseAdvertiserType,
  parseCondition,
  parseFeatureWords,
  parseOperation,
  parsePropertyType,
  parseStatus,
  parseYesNo,
} from './value-words.ts'

/** Fields that may have several columns. */
const multiColumnFields: ReadonlySet<LeadField> = new Set<LeadField>([
  'contact.phone',
  'contact.email',
  'contact.identifiers',
  'contact.firstName',
  'contact.lastName',
  'property.features',
  'property.images',
  'tags',
  'note',
])

type ValueTest = (text: string) => boolean

const valueTests = {
  'property.operation': text => parseOperation(text) !== null,
  'property.propertyType': text => parsePropertyType(text) !== null,
  'contact.advertiserType': text => parseAdvertiserType(text) !== null,
  'property.condition': text => parseCondition(text) !== null,
  'property.url': text => /^(?:https?:|www\.)\S+$/i.test(text),
  'property.bedrooms': text => /^T\d\b/i.test(text),
  'contact.phone': text => isPhone(text, true),
  'contact.email': text => detectCellKind(text) === 'email',
  status: text => parseStatus(text) !== null,
} satisfies Partial<Record<LeadField, ValueTest>>

/** Headings with several meanings. The cells decide; `fallback` applies if they do not. */
const ambiguousHeadings = new Map<
  string,
  { byCells: (keyof typeof valueTests)[]; fallback: LeadField | null }
>()
const headingMeanings: [string, (keyof typeof valueTests)[], LeadField | null][] = [
  ['estado, estat, stato', ['status', 'property.condition'], null],
  ['state', ['status', 'property.condition'], 'property.province'],
  ['status', ['status', 'property.condition', 'property.operation'], 'status'],
  [
    'tipo, type, tipus, clase, categoria, category',
    ['property.operation', 'contact.advertiserType', 'property.propertyType'],
    null,
  ],
  ['inmueble, subtipo, natureza', ['property.propertyType'], null],
  // In Portugal, T2 is a flat with two bedrooms.
  ['tipologia', ['property.propertyType', 'property.bedrooms'], null],
  [
    'contratto, negocio, objetivo, finalidad, accion, gestion, modalidad, modalidade, motivazione, regimen, interes, interesse',
    ['property.operation'],
    null,
  ],
  [
    'contacto, contactos, contato, contatos, contatto, contatti, contacte, contact, contacts, recapito, recapiti',
    ['contact.phone', 'contact.email'],
    'contact.name',
  ],
  ['anuncio, anunci, annuncio', ['property.url'], 'property.title'],
  ['cliente, client, customer, advertiser, anunciante', ['contact.advertiserType'], 'contact.name'],
]
for (const [words, byCells, fallback] of headingMeanings)
  for (const word of words.split(', ')) ambiguousHeadings.set(word, { byCells, fallback })

/** Cells that identify their field. `isUnnamed`: the heading does not contradict a bare number. */
const cellDetectors: [LeadField, (text: string, isUnnamed: boolean) => boolean][] = [
  ['contact.email', text => detectCellKind(text) === 'email'],
  ['contact.phone', (text, isUnnamed) => isPhone(text, isUnnamed)],
  [
    'property.images',
    text => /^https?:\/\/\S+\.(?:jpe?g|png|webp|avif)(?:\?\S*)?(?:[\s,;|]+https?:\S+)*$/i.test(text),
  ],
  ['property.url', text => /^https?:\/\/[^\s/]+\/\S+$/i.test(text)],
  ['property.price', text => /€|\bEUR\b/i.test(text) && parseMoney(text)?.currency === 'EUR'],
  ['property.squareMeters', text => /^\d[\d.,]*\s*(?:m²|m2|mq)$/i.test(text)],
  ['property.operation', text => parseOperation(text) !== null && text.length < 20],
  ['property.propertyType', text => parsePropertyType(text) !== null && text.length < 25],
]

/**
 * Fields recognized by single words, which other columns may repeat: every address type in an address book is `Home`.
 */
const wordedFields: ReadonlySet<LeadField> = new Set<LeadField>([
  'property.operation',
  'property.propertyType',
])
// Enough characters to classify a cell.
const cellLengthMax = 500

/**
 * Guesses the field of each column; null if it is unknown. `sample`: the first rows, with the cells in the order of the
 * headings. A field with a single value gets the column with the best match; phones, e-mails, notes and some others may
 * have several.
 */
export function guessMapping(headings: readonly string[], sample: readonly (readonly string[])[]): Mapping {
  const guessed = headings.map((heading, index) => {
    const cells = sample.flatMap(row => toCellText((row[index] ?? '').slice(0, cellLengthMax)) ?? [])
    return { heading, cells, ...(guessColumn(heading, cells) ?? { field: null, rank: 9 }) }
  })
  const columns = splitPrices(findStreetNumber(guessed))
  const columnsByField = new Map<LeadField, GuessedColumn>()
  for (const column of columns) {
    const competingColumn = column.field === null ? undefined : columnsByField.get(column.field)
    if (column.field !== null && (competingColumn === undefined || column.rank < competingColumn.rank))
      columnsByField.set(column.field, column)
  }
  const fields = columns.map(column =>
    column.field === null ||
    multiColumnFields.has(column.field) ||
    columnsByField.get(column.field) === column
      ? column.field
      : null,
  )
  return Object.fromEntries(
    headings.map((heading, index) => [heading, assignColumn(fields, index, headings)]),
  )
}

/**
 * Guesses the field of a heading that first occurs after the sample, by the same rules. `cell` is its first value that
 * is not blank, `mapping` the mapping so far. Null if it is unknown, or if another column already has the field.
 */
export function guessLateColumn(heading: string, cell: string, mapping: Mapping): LeadField | null {
  const guess = guessColumn(heading, [toCellText(cell.slice(0, cellLengthMax)) ?? ''])
  const fields = Object.values(mapping)
  if (guess === null || (fields.includes(guess.field) && !multiColumnFields.has(guess.field))) return null
  if (guess.field === 'property.streetNumber' && !fields.includes('property.address')) return null
  // A mapped full name overrides first and last names, so these stay unmapped and are not lost.
  if (/\.(?:first|last)Name$/.test(guess.field) && fields.includes('contact.name')) return null
  return assignColumn([...fields, guess.field], fields.length, [...Object.keys(mapping), heading])
}

interface GuessedColumn {
  heading: string
  cells: string[]
  field: LeadField | null
  rank: number
}

/** If a table has a price column for each operation, the operation of a row decides. */
function splitPrices(columns: GuessedColumn[]): GuessedColumn[] {
  const prices = columns.map(({ field, heading }) =>
    field === 'property.price' ? toPriceField(toHeadingKey(heading)) : null,
  )
  if (new Set(prices.filter(price => price !== null)).size < 2) return columns
  return columns.map((column, index) => ({ ...column, field: prices[index] ?? column.field }))
}

/** `Número` after a street is the house number; without a street column there is none. */
function findStreetNumber(columns: GuessedColumn[]): GuessedColumn[] {
  const hasStreet = columns.some(({ field }) => field === 'property.address')
  return columns.map((column, index) => {
    const { field, heading, cells } = column
    if (field === 'property.streetNumber' && !hasStreet) return { ...column, field: null }
    const isAfterStreet = columns[index - 1]?.field === 'property.address'
    const isNumber = field === null && isAfterStreet && isBareNumber(toHeadingKey(heading))
    const areNumbers = isMostly(cells, cell => /^(?:\d{1,4}\s?[-/\w]{0,5}|s\/?n\.?)$/i.test(cell))
    return isNumber && areNumbers ? { ...column, field: 'property.streetNumber', rank: 3 } : column
  })
}

function guessColumn(heading: string, cells: string[]): { field: LeadField; rank: number } | null {
  const key = toHeadingKey(heading)
  const match = findFieldByHeading(heading)
  const isExact = match !== null && match.rank < 2
  const meanings = ambiguousHeadings.get(key) ?? (isExact ? undefined : ambiguousHeadings.get(toBareKey(key)))
  if (meanings !== undefined) {
    const field = meanings.byCells.find(one => isMeaning(one, cells)) ?? meanings.fallback
    return field === null ? null : { field, rank: 2 }
  }
  if (match !== null) return match
  if (isAboutAgents(key)) return null
  const isYesNo = cells.every(
    cell => parseYesNo(cell) !== null || /^\d$/.test(cell) || parseFeatureWords(cell) !== null,
  )
  if (isYesNo && findFeatureByHeading(heading) !== null) return { field: 'property.features', rank: 3 }
  const isUnnamed = /^column \d+$/.test(heading) || mentionsPhone(key)
  const isVaried = cells.length >= 3 && new Set(cells).size > 1
  const detected = cellDetectors.find(
    ([field, matches]) =>
      (isVaried || !wordedFields.has(field)) && isMostly(cells, text => matches(text, isUnnamed)),
  )
  return detected === undefined ? null : { field: detected[0], rank: 4 }
}

/** "New" is a status of a lead and a condition of a flat. It is a status if no other cell is only a condition. */
function isMeaning(field: keyof typeof valueTests, cells: string[]): boolean {
  if (!isMostly(cells, valueTests[field])) return false
  return (
    field !== 'status' ||
    cells.every(cell => valueTests.status(cell) || !valueTests['property.condition'](cell))
  )
}

/** True for nine of ten cells, so that a stray title or total does not matter. */
function isMostly(cells: string[], matches: ValueTest): boolean {
  let allowedMisses = Math.floor(cells.length / 10)
  return cells.length > 0 && cells.every(cell => matches(cell) || allowedMisses-- > 0)
}

/** Bare digits may be any number. Without a heading, mobile numbers of southern Europe are hardly anything else. */
function isPhone(text: string, isUnnamed: boolean): boolean {
  if (/^(?:\+|00)\d[\d ().-]{7,18}$/.test(text)) return true
  const groups = /^\(?\d{2,4}\)?(?:[ -]\d{2,4}){2,4}$/.test(text)
  const digits = text.replace(/\D/g, '')
  return (
    (groups || isUnnamed) &&
    /^(?:[6789]\d{8}|3\d{8,9}|0\d{8,10})$/.test(digits) &&
    detectCellKind(text) === 'phone'
  )
}

/**
 * Adjusts a field to the others: a name with surnames is a first name, a title without a property is a form of address.
 */
function assignColumn(
  fields: readonly (LeadField | null)[],
  index: number,
  headings: readonly string[],
): LeadField | null {
  const field = fields[index] ?? null
  const hasSurname = fields.includes('contact.lastName')
  const hasFirstName = fields.some(
    (other, otherIndex) =>
      other === 'contact.firstName' && !middleNamePattern.test(toHeadingKey(headings[otherIndex]!)),
  )
  if (field === 'contact.name' && hasSurname && !hasFirstName) return 'contact.firstName'
  if (field !== 'property.title' || !/^(?:title|titulo|titol|titolo)$/.test(toHeadingKey(headings[index]!)))
    return field
  const otherPropertyFields = fields.filter(
    other => other?.startsWith('property.') && !placeFieldPattern.test(other),
  )
  return otherPropertyFields.length > 1 ? field : null
}

/** A column of middle names is no column of first names. */
const middleNamePattern =
  /^(?:middle name|additional name|segundo nombre|segundo nome|secondo nome|segon nom)$/
/** Persons have addresses too. */
const placeFieldPattern = /\.(?:address|municipality|province|postcode)$/
