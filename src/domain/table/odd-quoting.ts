/** Ways of keeping a separator within a cell that no reader of CSV can be sure of: told, not guessed at. */
import type { Dialect } from './sniff.ts'

export interface TableWarning {
  /** Stable, UPPER_SNAKE. */
  code: string
  /** For people: what may be wrong, and what to do. */
  message: string
}

const quotePairs = ['##', '~~', '^^', '``', '´´', "''", '“”', '„“', '«»', '‘’'].map(pair => [...pair])
const exportAgainAdvice = 'Export the table again with double quotation marks (") around its cells.'

/** What the head of a table shows of them. `records`: its rows as the dialect has them. */
export function findOddQuoting(
  head: string,
  records: readonly string[][],
  { separator, quote }: Dialect,
): TableWarning[] {
  const warnings: TableWarning[] = []
  if (head.includes(`\\${separator}`) && records.some(isSplitByBackslash))
    warnings.push({
      code: 'BACKSLASH_BEFORE_SEPARATOR',
      message: `Some cells have a backslash before the separator (\\${separator}). It is read as the end of the cell, so that the rest of such a row stands too far to the right. ${exportAgainAdvice}`,
    })
  const cells = records.flatMap(row => row.map(cell => cell.trim()))
  const pair = quotePairs.find(each => each[0] !== quote && each[0] !== separator && isWrapped(cells, each))
  if (pair !== undefined)
    warnings.push({
      code: 'ODD_QUOTES',
      message: `Cells stand between ${pair[0]} and ${pair[1]}. These signs are read as text, and a separator between them parts the cell in two. ${exportAgainAdvice}`,
    })
  return warnings
}

/** Where a sign opens cells it closes about as many, be they parted by a separator in between. */
function isWrapped(cells: readonly string[], [open, close]: string[]): boolean {
  const opened = cells.filter(cell => cell.startsWith(open!)).length
  const closed = cells.filter(cell => cell.endsWith(close!)).length
  return opened >= 2 && closed >= opened * 0.9 && closed <= opened * 1.1
}

/** Whether a cell but the last ends with a backslash. */
export function isSplitByBackslash(cells: readonly string[]): boolean {
  return cells.some((cell, index) => cell.endsWith('\\') && index < cells.length - 1)
}
