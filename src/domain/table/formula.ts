// Cells that a spreadsheet would run as formulas: disarmed on the way out, restored on the way in.

// OWASP, "CSV Injection": a cell that begins with one of = + - @ tab CR, or a full-width form, is a formula. Where a program
// takes another separator or quote for granted than ours, a cell begins after each of those too.
const START = '(?<=^|[,;|\\t"\\r\\n])'
const SIGN = "(?='*[=+\\-@\\t\\r＝＋－＠])"
const DANGEROUS = new RegExp(START + SIGN, 'g')
const DISARMED = new RegExp(`${START}'${SIGN}`, 'g')
// Most texts have none of the signs, which is told much sooner than where one of them stands.
const SIGNS = /[=+\-@\t\r＝＋－＠]/
const PLAIN_NUMBER = /^-\d+(?:[.,]\d+)?$/

/** The text with an apostrophe before each sign that would begin a formula; plain negative numbers stay as they are. */
export function disarmFormula(text: string): string {
  return !SIGNS.test(text) || PLAIN_NUMBER.test(text) ? text : text.replace(DANGEROUS, "'")
}

/** What `disarmFormula` was given. */
export function restoreFormula(text: string): string {
  return text.includes("'") ? text.replace(DISARMED, '') : text
}
