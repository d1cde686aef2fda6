// Which column is which field of a lead: by its heading, and where that says nothing, by its cells, if they are plain.
import { parseMoney } from '../listing/money.ts'
import { cellKind } from './cell-kind.ts'
import { cellText } from './cell-text.ts'
import { bareKey, fieldOfHeading, headingKey } from './heading-key.ts'
import { isBareNumber, isOfAgents, mentionsPhone, priceOf } from './heading-words.ts'
import type { LeadField, Mapping } from './lead-fields.ts'
import {
  featureOfHeading,
  readAdvertiserType,
  readCondition,
  readFeatureWords,
  readOperation,
  readPropertyType,
  readStatus,
  readYesNo,
} from './value-words.ts'

/** Fields that several columns may share. */
const SHARED: ReadonlySet<LeadField> = new Set<LeadField>([
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

type Reads = (text: string) => boolean

const READS = {
  'property.operation': text => readOperation(text) !== null,
  'property.propertyType': text => readPropertyType(text) !== null,
  'contact.advertiserType': text => readAdvertiserType(text) !== null,
  'property.condition': text => readCondition(text) !== null,
  'property.url': text => /^(?:https?:|www\.)\S+$/i.test(text),
  'property.bedrooms': text => /^T\d\b/i.test(text),
  'contact.phone': text => isPhone(text, true),
  'contact.email': text => cellKind(text) === 'email',
  status: text => readStatus(text) !== null,
} satisfies Partial<Record<LeadField, Reads>>

/** Headings of several meanings, which the cells decide between; the meaning in the last place needs no cells. */
const AMBIGUOUS = new Map<string, { byCells: (keyof typeof READS)[]; otherwise: LeadField | null }>()
const MEANINGS: [string, (keyof typeof READS)[], LeadField | null][] = [
  ['estado, estat, stato', ['status', 'property.condition'], null],
  ['state', ['status', 'property.condition'], 'property.province'],
  ['status', ['status', 'property.condition', 'property.operation'], 'status'],
  [
    'tipo, type, tipus, clase, categoria, category',
    ['property.operation', 'contact.advertiserType', 'property.propertyType'],
    null,
  ],
  ['inmueble, subtipo, natureza', ['property.propertyType'], null],
  // In Portugal T2 is a flat of two bedrooms.
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
for (const [words, byCells, otherwise] of MEANINGS)
  for (const word of words.split(', ')) AMBIGUOUS.set(word, { byCells, otherwise })

/** Cells that say by themselves what they are; the heading `column 3` says nothing against a bare number. */
const BY_CELLS: [LeadField, (text: string, isUnnamed: boolean) => boolean][] = [
  ['contact.email', text => cellKind(text) === 'email'],
  ['contact.phone', (text, isUnnamed) => isPhone(text, isUnnamed)],
  [
    'property.images',
    text => /^https?:\/\/\S+\.(?:jpe?g|png|webp|avif)(?:\?\S*)?(?:[\s,;|]+https?:\S+)*$/i.test(text),
  ],
  ['property.url', text => /^https?:\/\/[^\s/]+\/\S+$/i.test(text)],
  ['property.price', text => /€|\bEUR\b/i.test(text) && parseMoney(text)?.currency === 'EUR'],
  ['property.squareMeters', text => /^\d[\d.,]*\s*(?:m²|m2|mq)$/i.test(text)],
  ['property.operation', text => readOperation(text) !== null && text.length < 20],
  ['property.propertyType', text => readPropertyType(text) !== null && text.length < 25],
]

/** Told by single words, which other columns may repeat: the kind of each address in an address book is `Home`. */
const WORDED: ReadonlySet<LeadField> = new Set<LeadField>(['property.operation', 'property.propertyType'])
// Enough to tell what a cell is.
const MAX_CELL_LENGTH = 500

/**
 * What each column seems to be; null for what is not known. `sample`: the first rows, cells in the order of the headings.
 * A field that holds one value is given to the column that names it best; phones, e-mails, notes and the like may have
 * several columns.
 */
export function guessMapping(headings: readonly string[], sample: readonly (readonly string[])[]): Mapping {
  const guessed = headings.map((heading, at) => {
    const cells = sample.flatMap(row => cellText((row[at] ?? '').slice(0, MAX_CELL_LENGTH)) ?? [])
    return { heading, cells, ...(guessColumn(heading, cells) ?? { field: null, rank: 9 }) }
  })
  const columns = partPrices(findStreetNumber(guessed))
  const taken = new Map<LeadField, GuessedColumn>()
  for (const column of columns) {
    const rival = column.field === null ? undefined : taken.get(column.field)
    if (column.field !== null && (rival === undefined || column.rank < rival.rank))
      taken.set(column.field, column)
  }
  const fields = columns.map(column =>
    column.field === null || SHARED.has(column.field) || taken.get(column.field) === column
      ? column.field
      : null,
  )
  return Object.fromEntries(headings.map((heading, at) => [heading, settle(fields, at, headings)]))
}

/**
 * What a name is that comes up first below the sample, by the same rules: `cell` is its first value that is not blank,
 * `mapping` what the others are. Null: it is not known, or another one has its place.
 */
export function guessLate(heading: string, cell: string, mapping: Mapping): LeadField | null {
  const guess = guessColumn(heading, [cellText(cell.slice(0, MAX_CELL_LENGTH)) ?? ''])
  const fields = Object.values(mapping)
  if (guess === null || (fields.includes(guess.field) && !SHARED.has(guess.field))) return null
  if (guess.field === 'property.streetNumber' && !fields.includes('property.address')) return null
  // A whole name counts before its parts, which are not to be lost.
  if (/\.(?:first|last)Name$/.test(guess.field) && fields.includes('contact.name')) return null
  return settle([...fields, guess.field], fields.length, [...Object.keys(mapping), heading])
}

interface GuessedColumn {
  heading: string
  cells: string[]
  field: LeadField | null
  rank: number
}

/** A table may have a column for each price: the operation of a row decides between them. */
function partPrices(columns: GuessedColumn[]): GuessedColumn[] {
  const prices = columns.map(({ field, heading }) =>
    field === 'property.price' ? priceOf(headingKey(heading)) : null,
  )
  if (new Set(prices.filter(price => price !== null)).size < 2) return columns
  return columns.map((column, at) => ({ ...column, field: prices[at] ?? column.field }))
}

/** `Número` behind a street is that of the house; without a street none is. */
function findStreetNumber(columns: GuessedColumn[]): GuessedColumn[] {
  const hasStreet = columns.some(({ field }) => field === 'property.address')
  return columns.map((column, at) => {
    const { field, heading, cells } = column
    if (field === 'property.streetNumber' && !hasStreet) return { ...column, field: null }
    const isBehind = columns[at - 1]?.field === 'property.address'
    const isNumber = field === null && isBehind && isBareNumber(headingKey(heading))
    const areNumbers = mostly(cells, cell => /^(?:\d{1,4}\s?[-/\w]{0,5}|s\/?n\.?)$/i.test(cell))
    return isNumber && areNumbers ? { ...column, field: 'property.streetNumber', rank: 3 } : column
  })
}

function guessColumn(heading: string, cells: string[]): { field: LeadField; rank: number } | null {
  const key = headingKey(heading)
  const named = fieldOfHeading(heading)
  const isExact = named !== null && named.rank < 2
  const meanings = AMBIGUOUS.get(key) ?? (isExact ? undefined : AMBIGUOUS.get(bareKey(key)))
  if (meanings !== undefined) {
    const field = meanings.byCells.find(one => isMeaning(one, cells)) ?? meanings.otherwise
    return field === null ? null : { field, rank: 2 }
  }
  if (named !== null) return named
  if (isOfAgents(key)) return null
  const isYesNo = cells.every(
    cell => readYesNo(cell) !== null || /^\d$/.test(cell) || readFeatureWords(cell) !== null,
  )
  if (isYesNo && featureOfHeading(heading) !== null) return { field: 'property.features', rank: 3 }
  const isUnnamed = /^column \d+$/.test(heading) || mentionsPhone(key)
  const isVaried = cells.length >= 3 && new Set(cells).size > 1
  const plain = BY_CELLS.find(
    ([field, is]) => (isVaried || !WORDED.has(field)) && mostly(cells, text => is(text, isUnnamed)),
  )
  return plain === undefined ? null : { field: plain[0], rank: 4 }
}

/** "New" is a status of a lead and a condition of a flat: of a status it is where no other cell is a condition alone. */
function isMeaning(field: keyof typeof READS, cells: string[]): boolean {
  if (!mostly(cells, READS[field])) return false
  return field !== 'status' || cells.every(cell => READS.status(cell) || !READS['property.condition'](cell))
}

/** Nine of ten, which a stray title or total does not spoil. */
function mostly(cells: string[], is: Reads): boolean {
  let spare = Math.floor(cells.length / 10)
  return cells.length > 0 && cells.every(cell => is(cell) || spare-- > 0)
}

/** Bare digits are a number of many things; under no heading, mobile numbers of southern Europe are hardly anything else. */
function isPhone(text: string, isUnnamed: boolean): boolean {
  if (/^(?:\+|00)\d[\d ().-]{7,18}$/.test(text)) return true
  const groups = /^\(?\d{2,4}\)?(?:[ -]\d{2,4}){2,4}$/.test(text)
  const digits = text.replace(/\D/g, '')
  return (
    (groups || isUnnamed) && /^(?:[6789]\d{8}|3\d{8,9}|0\d{8,10})$/.test(digits) && cellKind(text) === 'phone'
  )
}

/** What a field is beside the others: a name beside surnames is a first name, a title without a property a form of address. */
function settle(
  fields: readonly (LeadField | null)[],
  at: number,
  headings: readonly string[],
): LeadField | null {
  const field = fields[at] ?? null
  const hasSurname = fields.includes('contact.lastName')
  const hasFirstName = fields.some(
    (other, of) => other === 'contact.firstName' && !MIDDLE.test(headingKey(headings[of]!)),
  )
  if (field === 'contact.name' && hasSurname && !hasFirstName) return 'contact.firstName'
  if (field !== 'property.title' || !/^(?:title|titulo|titol|titolo)$/.test(headingKey(headings[at]!)))
    return field
  const others = fields.filter(other => other?.startsWith('property.') && !PLACE.test(other))
  return others.length > 1 ? field : null
}

/** A second name leaves open who says the first. */
const MIDDLE = /^(?:middle name|additional name|segundo nombre|segundo nome|secondo nome|segon nom)$/
/** People have addresses too. */
const PLACE = /\.(?:address|municipality|province|postcode)$/
