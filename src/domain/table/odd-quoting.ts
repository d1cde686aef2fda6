/** Detects ambiguous ways of quoting separators. They are reported, not guessed. */
import type { Dialect } from './sniff.ts'

export interface TableWarning {
  /** Stable, in UPPER_SNAKE case. */
  code: string
  /** For users: what may be wrong, and what to do. */
  message: string
}

const quotePairs = ['##', '~~', '^^', '``', '´´', "''", '“”', '„“', '«»', '‘’'].map(pair => [...pair])
const exportAgainAdvice = 'Export the table again with double quotation marks (") around its cells.'

/** Checks the head of a table. `records`: its rows as parsed with the dialect. */
export function findOddQuoting(
  head: string,
  records: readonly string[][],
  { separator, quote }: Dialect,
): TableWarning[] {
  const warnings: TableWarning[] = []
  if (head.includes(`\\${separator}`) && records.some(isSplitByBackslash))
    warnings.push({
      code: 'BACKSLASH_BEFORE_SEPARATOR',
      message: `Some cells have a backslash before the separator (\\${separator}). The backslash does not escape it, so the rest of such a row is too far to the right. ${exportAgainAdvice}`,
    })
  const cells = records.flatMap(row => row.map(cell => cell.trim()))
  const pair = quotePairs.find(each => each[0] !== quote && each[0] !== separator && isWrapped(cells, each))
  if (pair !== undefined)
    warnings.push({
      code: 'ODD_QUOTES',
      message: `Cells are enclosed in ${pair[0]} and ${pair[1]}. These characters are read as text, and a separator between them splits the cell in two. ${exportAgainAdvice}`,
    })
  return warnings
}

/** True if a character opens cells and another closes about as many, also if a separator splits them in between. */
function isWrapped(cells: readonly string[], [open, close]: string[]): boolean {
  const opened = cells.filter(cell => cell.startsWith(open!)).length
  const closed = cells.filter(cell => cell.endsWith(close!)).length
  return opened >= 2 && closed >= opened * 0.9 && closed <= opened * 1.1
}

/** True if a cell other than the last ends with a backslash. */
export function isSplitByBackslash(cells: readonly string[]): boolean {
  return cells.some((cell, index) => cell.endsWith('\\') && index < cells.length - 1)
}
