/** Cells that a spreadsheet would run as formulas: disarmed on the way out, restored on the way in. */

/**
 * A cell is a formula if it begins with one of = + - @, full-width or not, or with a tab, CR or LF (OWASP, "CSV Injection"). Excel runs
 * all of these, LibreOffice 7.4 those with = alone; `|` is the sign of DDE. Both may be told to trim cells, so space and what
 * nobody sees count for nothing before the sign.
 */
const SIGNS = String.raw`=+\-@\|\t\r\n＝＋－＠`
const UNSEEN = String.raw`[[\p{Z}\p{Cc}\p{Cf}]--[\t\r\n]]`
/** Where a program takes another separator or quote for granted than ours, a cell begins after each of these too. */
const INNER_START = String.raw`(?<=[,;\|\t"\r\n])`
/** Apostrophes that stand there already are followed by the sign, so that one more can be taken away again. */
const ahead = (name: string) => `(?='*${UNSEEN}*(?<${name}>[${SIGNS}]))`
const DANGEROUS = new RegExp(`^${ahead('first')}|${INNER_START}${ahead('inner')}`, 'gv')
const DISARMED = new RegExp(`^'${ahead('first')}|${INNER_START}'${ahead('inner')}`, 'gv')
// Most texts have none of the signs, which is told much sooner than where one of them stands.
const ANY_SIGN = new RegExp(`[${SIGNS}]`, 'v')
const PLAIN_NUMBER = /^-\d+(?:[.,]\d+)?$/
/** Within a text these begin a formula whatever follows. */
const ALWAYS = '=＝'

/** The text with an apostrophe before each sign that would begin a formula; plain negative numbers stay as they are. */
export function disarmFormula(text: string): string {
  return !ANY_SIGN.test(text) || PLAIN_NUMBER.test(text) ? text : mark(text, DANGEROUS, "'")
}

/** What `disarmFormula` was given. */
export function restoreFormula(text: string): string {
  return text.includes("'") ? mark(text, DISARMED, '') : text
}

/**
 * Within a text, `- garaje` is an item of a list, and no program that splits the text there runs more than a name it does not
 * know. Only what has a call (`(`) or another program or file (`!`) before the line ends can do anything.
 */
function mark(text: string, places: RegExp, replacement: string): string {
  const nextPower = finder(text, /[(!]/g)
  const nextEnd = finder(text, /[\r\n]/g)
  return text.replace(places, (found, _first, inner: string | undefined, at: number) => {
    if (inner === undefined || ALWAYS.includes(inner)) return replacement
    const from = at + found.length
    return nextPower(from) < nextEnd(from) ? replacement : found
  })
}

/** Where the pattern is found next, asked from places that only go forward: the text is gone through once. */
function finder(text: string, pattern: RegExp): (from: number) => number {
  let next = -1
  return from => {
    if (next < from) {
      pattern.lastIndex = from
      next = pattern.exec(text)?.index ?? Infinity
    }
    return next
  }
}
