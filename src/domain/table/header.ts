// Which row of a table heads its columns, if any does, and what the columns are called.
import { cellKind } from './cell-kind.ts'
import { MAX_HEADING_LENGTH } from './columns.ts'
import { fieldOfHeading } from './heading-key.ts'

export interface Header {
  /** The place of the heading row among the records given; null if the table has none. */
  at: number | null
  /** Distinct and never blank, one per column. */
  headings: string[]
  /** False: nothing shows that the row is one of headings; it may be the first row of data. */
  isSure: boolean
}

// Titles, dates and filters stand above a table, but not many.
const MAX_PREAMBLE = 30
const BODY_ROWS = 50
/** Kinds that are hardly ever a heading. */
const VALUES = new Set(['email', 'url', 'phone', 'date'])
const NUMBERS = new Set(['number', 'year'])

/** Finds the headings in the first records of a table, blank ones among them. `hasHeadings`: null if nobody says. */
export function findHeader(records: readonly string[][], hasHeadings: boolean | null): Header {
  const at = hasHeadings === false ? null : headingRow(records)
  const below = at === null ? [] : records.slice(at + 1, at + 1 + BODY_ROWS)
  const isHeaded = at !== null && (hasHeadings === true || !looksLikeData(records[at]!, below))
  const body = records.slice(isHeaded ? at + 1 : 0)
  const named = isHeaded
    ? records[at]!.map(cell => cell.trim().replace(/\s+/g, ' ').slice(0, MAX_HEADING_LENGTH))
    : []
  const width = Math.max(1, filledWidth(named), isHeaded ? widthOfMost(body) : commonWidth(body))
  const isSure = hasHeadings !== null || !isHeaded || headsOtherKinds(records[at]!, below)
  return { at: isHeaded ? at : null, headings: distinctHeadings(named, width), isSure }
}

/** The first row that holds several known headings, else the first that is as full as a row of this table is. */
function headingRow(records: readonly string[][]): number | null {
  const first = records.slice(0, MAX_PREAMBLE)
  const width = commonWidth(records)
  const needed = Math.max(1, width < 3 ? width : Math.ceil(width * 0.6))
  const known = first.findIndex(isKnown)
  const next = first[known + 1]
  const isOfGroups =
    known !== -1 && next !== undefined && isMostlyKnown(next) && countKnown(next) > countKnown(first[known]!)
  if (known !== -1 && !isOfGroups && countFilled(first[known]!) >= needed) return known
  // A title or the names of groups of columns may be known words too: the headings stand below them.
  const below = first.findIndex(
    (record, at) => at > known && countFilled(record) >= needed && isMostlyKnown(record),
  )
  const isTitle = known === -1 || below !== -1 || (countFilled(first[known]!) === 1 && width > 1)
  if (!isTitle) return known
  if (below !== -1) return below
  const full = first.findIndex(record => countFilled(record) >= needed)
  return full === -1 ? null : full
}

function isKnown(record: readonly string[]): boolean {
  const filled = countFilled(record)
  return filled > 0 && countKnown(record) >= Math.min(2, filled) && !hasValues(record)
}

/** Hardly a row of data, of which a word or two may be known as well: `Piso`, `Particular`. */
export function isMostlyKnown(record: readonly string[]): boolean {
  const known = countKnown(record)
  return known >= 2 && known * 2 >= countFilled(record) && !hasValues(record)
}

function countFilled(record: readonly string[]): number {
  return record.filter(cell => cell.trim() !== '').length
}

function looksLikeData(row: readonly string[], body: readonly string[][]): boolean {
  if (hasValues(row)) return true
  if (countKnown(row) > 0) return false
  if (comesAgain(row, body)) return true
  const columns = row.map((cell, at) => ({
    kind: cellKind(cell),
    below: commonKind(body.map(record => cellKind(record[at] ?? ''))),
  }))
  const numbers = columns.filter(({ kind }) => NUMBERS.has(kind))
  if (body.every(record => record.every(cell => cell.trim() === ''))) return numbers.length > 0
  // Numbers over numbers are data, but years over amounts, or words over amounts, are headings.
  const alike = numbers.filter(({ kind, below }) => kind === below || below === 'blank')
  const unlike = columns.filter(({ kind, below }) => kind !== 'blank' && kind !== below && below !== 'text')
  return alike.length > unlike.filter(({ below }) => below !== 'blank').length
}

/** A heading is hardly a value of its own column: "Barcelona". Some programs repeat the headings on every page. */
function comesAgain(row: readonly string[], body: readonly string[][]): boolean {
  const isSame = (cell: string, other = '') => cell.trim() === other.trim()
  const others = body.filter(record => !row.every((cell, at) => isSame(cell, record[at])))
  return row.some((cell, at) => cell.trim() !== '' && others.some(record => isSame(cell, record[at])))
}

/** Words that are known, or that stand above what are no words. */
function headsOtherKinds(row: readonly string[], body: readonly string[][]): boolean {
  if (countKnown(row) > 0) return true
  return row.some((cell, at) => {
    const below = commonKind(body.map(record => cellKind(record[at] ?? '')))
    return cell.trim() !== '' && below !== 'blank' && below !== 'text' && below !== cellKind(cell)
  })
}

function hasValues(row: readonly string[]): boolean {
  return row.some(cell => VALUES.has(cellKind(cell)))
}

function countKnown(row: readonly string[]): number {
  return row.filter(cell => cell.length < 80 && fieldOfHeading(cell) !== null).length
}

function commonKind(kinds: string[]): string {
  const counts = Map.groupBy(kinds, kind => kind)
  counts.delete('blank')
  return [...counts].sort(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? 'blank'
}

/** How many columns most rows fill, counted to their last cell that holds anything. */
function commonWidth(records: readonly string[][]): number {
  const widths = records.map(filledWidth).filter(width => width > 0)
  const counts = [...Map.groupBy(widths, width => width)].sort(([, a], [, b]) => b.length - a.length)
  // Empty last cells make rows look short, so of the widths that are common the largest counts.
  const common = counts.filter(([, rows]) => rows.length * 4 >= widths.length).map(([width]) => width)
  return Math.max(0, ...common)
}

/** The columns that more than half of the rows fill; a few rows may as well be wrong themselves. */
function widthOfMost(records: readonly string[][]): number {
  const widths = records.map(filledWidth).filter(width => width > 0)
  return widths.length < 3 ? 0 : widths.sort((a, b) => b - a)[Math.floor(widths.length / 2)]!
}

function filledWidth(record: readonly string[]): number {
  return record.findLastIndex(cell => cell.trim() !== '') + 1
}

/** Names for all columns: a blank heading is `column 3`, one that comes again `Phone (2)`. */
function distinctHeadings(named: readonly string[], width: number): string[] {
  const taken = new Set<string>()
  // Where to go on counting, so that a heading that comes a hundred times is not counted through each time.
  const counts = new Map<string, number>()
  return Array.from({ length: width }, (_, at) => {
    const name = named[at] === undefined || named[at] === '' ? `column ${at + 1}` : named[at]
    let again = counts.get(name) ?? 1
    let distinct = again === 1 ? name : `${name} (${again})`
    while (taken.has(distinct)) {
      again += 1
      distinct = `${name} (${again})`
    }
    counts.set(name, again + 1)
    taken.add(distinct)
    return distinct
  })
}
