/** Cells that a spreadsheet would run as formulas: disarmed on the way out, restored on the way in. */

/**
 * A cell is a formula if it begins with one of = + - @, full-width or not, or with a tab, CR or LF (OWASP, "CSV Injection"). Excel runs
 * all of these, LibreOffice 7.4 those with = alone; `|` is the sign of DDE. Both may be told to trim cells, so space and what
 * nobody sees count for nothing before the sign.
 */
const formulaSigns = String.raw`=+\-@\|\t\r\n＝＋－＠`
const invisiblePattern = String.raw`[[\p{Z}\p{Cc}\p{Cf}]--[\t\r\n]]`
/** Where a program takes another separator or quote for granted than ours, a cell begins after each of these too. */
const innerStartPattern = String.raw`(?<=[,;\|\t"\r\n])`
/** Apostrophes that stand there already are followed by the sign, so that one more can be taken away again. */
const lookAhead = (name: string) => `(?='*${invisiblePattern}*(?<${name}>[${formulaSigns}]))`
const dangerousPattern = new RegExp(`^${lookAhead('first')}|${innerStartPattern}${lookAhead('inner')}`, 'gv')
const escapedPattern = new RegExp(`^'${lookAhead('first')}|${innerStartPattern}'${lookAhead('inner')}`, 'gv')
// Most texts have none of the signs, which is told much sooner than where one of them stands.
const anySignPattern = new RegExp(`[${formulaSigns}]`, 'v')
const plainNumberPattern = /^-\d+(?:[.,]\d+)?$/
/** Within a text these begin a formula whatever follows. */
const alwaysDangerous = '=＝'

/** The text with an apostrophe before each sign that would begin a formula; plain negative numbers stay as they are. */
export function escapeFormula(text: string): string {
  return !anySignPattern.test(text) || plainNumberPattern.test(text)
    ? text
    : replaceFormulaStarts(text, dangerousPattern, "'")
}

/** What `escapeFormula` was given. */
export function unescapeFormula(text: string): string {
  return text.includes("'") ? replaceFormulaStarts(text, escapedPattern, '') : text
}

/**
 * Within a text, `- garaje` is an item of a list, and no program that splits the text there runs more than a name it does not
 * know. Only what has a call (`(`) or another program or file (`!`) before the line ends can do anything.
 */
function replaceFormulaStarts(text: string, starts: RegExp, replacement: string): string {
  const nextPower = createFinder(text, /[(!]/g)
  const nextEnd = createFinder(text, /[\r\n]/g)
  return text.replace(starts, (found, _first, inner: string | undefined, position: number) => {
    if (inner === undefined || alwaysDangerous.includes(inner)) return replacement
    const from = position + found.length
    return nextPower(from) < nextEnd(from) ? replacement : found
  })
}

/** Where the pattern is found next, asked from places that only go forward: the text is gone through once. */
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
