/** Which row of a table heads its columns, if any does, and what the columns are called. */
import { detectCellKind } from './cell-kind.ts'
import { headingLengthMax } from './columns.ts'
import { findFieldByHeading } from './heading-key.ts'

export interface Header {
  /** The place of the heading row among the records given; null if the table has none. */
  index: number | null
  /** Distinct and never blank, one per column. */
  headings: string[]
  /** False: nothing shows that the row is one of headings; it may be the first row of data. */
  isSure: boolean
}

// Titles, dates and filters stand above a table, but not many.
const preambleMax = 30
const bodyRowsMax = 50
/** Kinds that are hardly ever a heading. */
const valueKinds = new Set(['email', 'url', 'phone', 'date'])
const numericKinds = new Set(['number', 'year'])

/** Finds the headings in the first records of a table, blank ones among them. `hasHeadings`: null if nobody says. */
export function findHeader(records: readonly string[][], hasHeadings: boolean | null): Header {
  const index = hasHeadings === false ? null : findHeadingRow(records)
  const bodyKind = index === null ? [] : records.slice(index + 1, index + 1 + bodyRowsMax)
  const isHeaded = index !== null && (hasHeadings === true || !looksLikeData(records[index]!, bodyKind))
  const body = records.slice(isHeaded ? index + 1 : 0)
  const named = isHeaded
    ? records[index]!.map(cell => cell.trim().replace(/\s+/g, ' ').slice(0, headingLengthMax))
    : []
  const width = Math.max(1, getFilledWidth(named), isHeaded ? findWidthOfMost(body) : findCommonWidth(body))
  const isSure = hasHeadings !== null || !isHeaded || hasOtherKinds(records[index]!, bodyKind)
  return { index: isHeaded ? index : null, headings: toDistinctHeadings(named, width), isSure }
}

/** The first row that holds several known headings, else the first that is as full as a row of this table is. */
function findHeadingRow(records: readonly string[][]): number | null {
  const first = records.slice(0, preambleMax)
  const width = findCommonWidth(records)
  const knownMin = Math.max(1, width < 3 ? width : Math.ceil(width * 0.6))
  const known = first.findIndex(isKnown)
  const next = first[known + 1]
  const isGroupRow =
    known !== -1 && next !== undefined && isMostlyKnown(next) && countKnown(next) > countKnown(first[known]!)
  if (known !== -1 && !isGroupRow && countFilled(first[known]!) >= knownMin) return known
  // A title or the names of groups of columns may be known words too: the headings stand below them.
  const bodyKind = first.findIndex(
    (record, index) => index > known && countFilled(record) >= knownMin && isMostlyKnown(record),
  )
  const isTitle = known === -1 || bodyKind !== -1 || (countFilled(first[known]!) === 1 && width > 1)
  if (!isTitle) return known
  if (bodyKind !== -1) return bodyKind
  const full = first.findIndex(record => countFilled(record) >= knownMin)
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
  if (isRepeated(row, body)) return true
  const columns = row.map((cell, index) => ({
    kind: detectCellKind(cell),
    bodyKind: findCommonKind(body.map(record => detectCellKind(record[index] ?? ''))),
  }))
  const numbers = columns.filter(({ kind }) => numericKinds.has(kind))
  if (body.every(record => record.every(cell => cell.trim() === ''))) return numbers.length > 0
  // Numbers over numbers are data, but years over amounts, or words over amounts, are headings.
  const sameKinds = numbers.filter(({ kind, bodyKind }) => kind === bodyKind || bodyKind === 'blank')
  const otherKinds = columns.filter(
    ({ kind, bodyKind }) => kind !== 'blank' && kind !== bodyKind && bodyKind !== 'text',
  )
  return sameKinds.length > otherKinds.filter(({ bodyKind }) => bodyKind !== 'blank').length
}

/** A heading is hardly a value of its own column: "Barcelona". Some programs repeat the headings on every page. */
function isRepeated(row: readonly string[], body: readonly string[][]): boolean {
  const isSame = (cell: string, other = '') => cell.trim() === other.trim()
  const otherRows = body.filter(record => !row.every((cell, index) => isSame(cell, record[index])))
  return row.some(
    (cell, index) => cell.trim() !== '' && otherRows.some(record => isSame(cell, record[index])),
  )
}

/** Words that are known, or that stand above what are no words. */
function hasOtherKinds(row: readonly string[], body: readonly string[][]): boolean {
  if (countKnown(row) > 0) return true
  return row.some((cell, index) => {
    const bodyKind = findCommonKind(body.map(record => detectCellKind(record[index] ?? '')))
    return (
      cell.trim() !== '' && bodyKind !== 'blank' && bodyKind !== 'text' && bodyKind !== detectCellKind(cell)
    )
  })
}

function hasValues(row: readonly string[]): boolean {
  return row.some(cell => valueKinds.has(detectCellKind(cell)))
}

function countKnown(row: readonly string[]): number {
  return row.filter(cell => cell.length < 80 && findFieldByHeading(cell) !== null).length
}

function findCommonKind(kinds: string[]): string {
  const counts = Map.groupBy(kinds, kind => kind)
  counts.delete('blank')
  return [...counts].sort(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? 'blank'
}

/** How many columns most rows fill, counted to their last cell that holds anything. */
function findCommonWidth(records: readonly string[][]): number {
  const widths = records.map(getFilledWidth).filter(width => width > 0)
  const counts = [...Map.groupBy(widths, width => width)].sort(([, a], [, b]) => b.length - a.length)
  // Empty last cells make rows look short, so of the widths that are common the largest counts.
  const common = counts.filter(([, rows]) => rows.length * 4 >= widths.length).map(([width]) => width)
  return Math.max(0, ...common)
}

/** The columns that more than half of the rows fill; a few rows may as well be wrong themselves. */
function findWidthOfMost(records: readonly string[][]): number {
  const widths = records.map(getFilledWidth).filter(width => width > 0)
  return widths.length < 3 ? 0 : widths.sort((a, b) => b - a)[Math.floor(widths.length / 2)]!
}

function getFilledWidth(record: readonly string[]): number {
  return record.findLastIndex(cell => cell.trim() !== '') + 1
}

/** Names for all columns: a blank heading is `column 3`, one that comes again `Phone (2)`. */
function toDistinctHeadings(named: readonly string[], width: number): string[] {
  const takenNames = new Set<string>()
  // Where to go on counting, so that a heading that comes a hundred times is not counted through each time.
  const counts = new Map<string, number>()
  return Array.from({ length: width }, (_, index) => {
    const name = named[index] === undefined || named[index] === '' ? `column ${index + 1}` : named[index]
    let repeatCount = counts.get(name) ?? 1
    let distinct = repeatCount === 1 ? name : `${name} (${repeatCount})`
    while (takenNames.has(distinct)) {
      repeatCount += 1
      distinct = `${name} (${repeatCount})`
    }
    counts.set(name, repeatCount + 1)
    takenNames.add(distinct)
    return distinct
  })
}
