/** Escapes cells that a spreadsheet would execute as formulas, and restores them on import. */

/**
 * A cell is a formula if it begins with = + - @, also full-width, or with a tab, CR or LF (OWASP, "CSV Injection").
 * Excel executes all of these, LibreOffice 7.4 only those with =. `|` is the character of DDE. Both programs can be set
 * to trim cells, so space and invisible characters before the sign are ignored.
 */
const formulaSigns = String.raw`=+\-@\|\t\r\n＝＋－＠`
const invisiblePattern = String.raw`[[\p{Z}\p{Cc}\p{Cf}]--[\t\r\n]]`
/** A program with another separator or quote starts a cell after each of these, too. */
const innerStartPattern = String.raw`(?<=[,;\|\t"\r\n])`
/** Existing apostrophes count as part of the formula start, so that the added one can be removed again. */
const lookAhead = (name: string) => `(?='*${invisiblePattern}*(?<${name}>[${formulaSigns}]))`
const dangerousPattern = new RegExp(`^${lookAhead('first')}|${innerStartPattern}${lookAhead('inner')}`, 'gv')
const escapedPattern = new RegExp(`^'${lookAhead('first')}|${innerStartPattern}'${lookAhead('inner')}`, 'gv')
// Most texts contain none of the signs, which is a much faster test than finding their positions.
const anySignPattern = new RegExp(`[${formulaSigns}]`, 'v')
const plainNumberPattern = /^-\d+(?:[.,]\d+)?$/
/** Within a text these start a formula, whatever follows. */
const alwaysDangerous = '=＝'

/** Adds an apostrophe before each formula start. Plain negative numbers are not changed. */
export function escapeFormula(text: string): string {
  return !anySignPattern.test(text) || plainNumberPattern.test(text)
    ? text
    : replaceFormulaStarts(text, dangerousPattern, "'")
}

/** The inverse of `escapeFormula`. */
export function unescapeFormula(text: string): string {
  return text.includes("'") ? replaceFormulaStarts(text, escapedPattern, '') : text
}

/**
 * Within a text, `- garaje` is an item of a list, and a program that splits the text there at most reports an unknown
 * name. Only text with a call (`(`) or a reference to another program or file (`!`) before the end of the line is
 * dangerous.
 */
function replaceFormulaStarts(text: string, starts: RegExp, replacement: string): string {
  const findNextDanger = createFinder(text, /[(!]/g)
  const findNextLineEnd = createFinder(text, /[\r\n]/g)
  return text.replace(starts, (found, _first, inner: string | undefined, position: number) => {
    if (inner === undefined || alwaysDangerous.includes(inner)) return replacement
    const from = position + found.length
    return findNextDanger(from) < findNextLineEnd(from) ? replacement : found
  })
}

/** Returns the next match from a position. Positions must increase, so that the text is searched only once. */
function createFinder(text: string, pattern: RegExp): (from: number) => number {
  let next = -1
  return from => {
    if (next < from) {
      pattern.lastIndex = from
      next = pattern.exec(text)?.index ?? Infinity
    }
    return next
  }
}
