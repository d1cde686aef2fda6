/** Normalizes the text of a cell: removes what spreadsheets and programs put around it. */

const absentWords = new Set([
  '',
  '-',
  '--',
  '---',
  '–',
  '—',
  '.',
  '?',
  '\\N',
  'null',
  'NULL',
  '(null)',
  'nil',
  'NaN',
  'nan',
  'None',
  'none',
  'undefined',
  'NA',
  'n/a',
  'N/A',
  '#N/A',
  '#N/D',
  'n/d',
  'N/D',
  's/d',
  'S/D',
  'n.d.',
  's.d.',
  '#VALUE!',
  '#¡VALOR!',
  '#REF!',
  '#¡REF!',
  '#NAME?',
  '#¿NOMBRE?',
  '#DIV/0!',
  '########',
])
// Longer texts skip the lookup, which saves time for most cells.
const absentLengthMax = Math.max(...Array.from(absentWords, word => word.length))

/** The trimmed text. Null if the cell states that there is no value: `NULL`, `N/A`, `-`, `s/d`, … */
export function toCellText(cell: string): string | null {
  let text = cell.trim()
  if (isAbsent(text)) return null
  // Digits that Excel must keep as text: ="612345678" in a file, or '08001 typed into a cell.
  const formula = text.startsWith('=') ? /^="(.*)"$|^=([\d.,]+)$/s.exec(text) : null
  if (formula !== null) text = (formula[1] ?? formula[2] ?? '').replaceAll('""', '"').trim()
  else if (text.startsWith("'") && /^'[+\d=@-]/.test(text)) text = text.slice(1).trim()
  else return text
  return isAbsent(text) ? null : text
}

function isAbsent(text: string): boolean {
  return text.length <= absentLengthMax && absentWords.has(text)
}

/** The items of a list without duplicates: those of a JSON array of strings, or separated by the usual characters. */
export function splitList(text: string, separator = /[,;|\n]|:::/): string[] {
  const parts = parseJsonList(text) ?? text.split(separator)
  return [...new Set(parts.map(part => part.trim()))].filter(part => part !== '')
}

/**
 * Parses a JSON array of strings; null for any other text. Our exports write a list in this way if an item contains a
 * separator.
 */
function parseJsonList(text: string): string[] | null {
  if (!/^\[\s*".*"\s*\]$/s.test(text)) return null
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) && value.every(item => typeof item === 'string') ? value : null
  } catch {
    return null
  }
}

/** Formats a list for one cell: separated by ` | ` if that can be parsed again, otherwise as JSON. */
export function joinList(items: readonly string[]): string {
  const isPlain = items.every(item => !/[,;|\n]|:::|^\[|^\s|\s$|^$/.test(item))
  return isPlain ? items.join(' | ') : JSON.stringify(items)
}

/** The inverse of `joinList`. */
export function splitJoined(text: string): string[] {
  return parseJsonList(text) ?? text.split(' | ')
}
