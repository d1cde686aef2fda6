/** Finds the heading row of a table, if it has one, and names the columns. */
import { detectCellKind } from './cell-kind.ts'
import { headingLengthMax } from './columns.ts'
import { findFieldByHeading } from './heading-key.ts'

export interface Header {
  /** Index of the heading row among the given records; null if there is none. */
  index: number | null
  /** Distinct and never blank; one per column. */
  headings: string[]
  /** False if there is no evidence for a heading row: it may be the first row of data. */
  isSure: boolean
}

// Maximum number of titles, dates and filters above a table.
const preambleMax = 30
const bodyRowsMax = 50
/** Kinds of cells that are hardly ever a heading. */
const valueKinds = new Set(['email', 'url', 'phone', 'date'])
const numericKinds = new Set(['number', 'year'])

/** Finds the headings in the first records, including blank ones. `hasHeadings`: null if it is not specified. */
export function findHeader(records: readonly string[][], hasHeadings: boolean | null): Header {
  const index = hasHeadings === false ? null : findHeadingRow(records)
  const bodySample = index === null ? [] : records.slice(index + 1, index + 1 + bodyRowsMax)
  const isHeaded = index !== null && (hasHeadings === true || !looksLikeData(records[index]!, bodySample))
  const body = records.slice(isHeaded ? index + 1 : 0)
  const named = isHeaded
    ? records[index]!.map(cell => cell.trim().replace(/\s+/g, ' ').slice(0, headingLengthMax))
    : []
  const width = Math.max(1, getFilledWidth(named), isHeaded ? findWidthOfMost(body) : findCommonWidth(body))
  const isSure = hasHeadings !== null || !isHeaded || hasOtherKinds(records[index]!, bodySample)
  return { index: isHeaded ? index : null, headings: toDistinctHeadings(named, width), isSure }
}

/** The first row with several known headings, otherwise the first row that is as wide as the others. */
function findHeadingRow(records: readonly string[][]): number | null {
  const first = records.slice(0, preambleMax)
  const width = findCommonWidth(records)
  const filledMin = Math.max(1, width < 3 ? width : Math.ceil(width * 0.6))
  const known = first.findIndex(isKnown)
  const next = first[known + 1]
  const isGroupRow =
    known !== -1 && next !== undefined && isMostlyKnown(next) && countKnown(next) > countKnown(first[known]!)
  if (known !== -1 && !isGroupRow && countFilled(first[known]!) >= filledMin) return known
  // A title or names of column groups may also be known words. Then the headings are below them.
  const headingsBelow = first.findIndex(
    (record, index) => index > known && countFilled(record) >= filledMin && isMostlyKnown(record),
  )
  const isTitle = known === -1 || headingsBelow !== -1 || (countFilled(first[known]!) === 1 && width > 1)
  if (!isTitle) return known
  if (headingsBelow !== -1) return headingsBelow
  const full = first.findIndex(record => countFilled(record) >= filledMin)
  return full === -1 ? null : full
}

function isKnown(record: readonly string[]): boolean {
  const filled = countFilled(record)
  return filled > 0 && countKnown(record) >= Math.min(2, filled) && !hasValues(record)
}

/** True for a row of headings. A row of data may have one or two known words, too: `Piso`, `Particular`. */
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
  // Numbers above numbers are data; years above amounts, or words above amounts, are headings.
  const sameKinds = numbers.filter(({ kind, bodyKind }) => kind === bodyKind || bodyKind === 'blank')
  const otherKinds = columns.filter(
    ({ kind, bodyKind }) =>
      kind !== 'blank' && kind !== bodyKind && bodyKind !== 'text' && bodyKind !== 'blank',
  )
  return sameKinds.length > otherKinds.length
}

/**
 * A heading is hardly a value of its own column, such as "Barcelona". Some programs repeat the heading row on every
 * page.
 */
function isRepeated(row: readonly string[], body: readonly string[][]): boolean {
  const isSame = (cell: string, other = '') => cell.trim() === other.trim()
  const otherRows = body.filter(record => !row.every((cell, index) => isSame(cell, record[index])))
  return row.some(
    (cell, index) => cell.trim() !== '' && otherRows.some(record => isSame(cell, record[index])),
  )
}

/** True if the row has known words, or words above other kinds of cells. */
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

/** The number of columns that most rows use, up to their last cell with a value. */
function findCommonWidth(records: readonly string[][]): number {
  const widths = records.map(getFilledWidth).filter(width => width > 0)
  const counts = [...Map.groupBy(widths, width => width)].sort(([, a], [, b]) => b.length - a.length)
  // Empty last cells make rows look shorter, so the largest of the common widths is used.
  const common = counts.filter(([, rows]) => rows.length * 4 >= widths.length).map(([width]) => width)
  return Math.max(0, ...common)
}

/** The number of columns that more than half of the rows use; a few rows may be malformed. */
function findWidthOfMost(records: readonly string[][]): number {
  const widths = records.map(getFilledWidth).filter(width => width > 0)
  return widths.length < 3 ? 0 : widths.sort((a, b) => b - a)[Math.floor(widths.length / 2)]!
}

function getFilledWidth(record: readonly string[]): number {
  return record.findLastIndex(cell => cell.trim() !== '') + 1
}

/** Distinct names for all columns: a blank heading is `column 3`, a repeated one `Phone (2)`. */
function toDistinctHeadings(named: readonly string[], width: number): string[] {
  const takenNames = new Set<string>()
  // The last number of each heading, so that counting does not start again for each repetition.
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
