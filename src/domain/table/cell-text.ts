/** The text of a cell as it was meant, before spreadsheets and programs wrapped it. */

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
// Looking up a long text takes time that most cells would pay for nothing.
const absentLengthMax = Math.max(...Array.from(absentWords, word => word.length))

/** The trimmed text; null where the cell says in one way or another that there is nothing: `NULL`, `N/A`, `-`, `s/d`, … */
export function toCellText(cell: string): string | null {
  let text = cell.trim()
  if (isAbsent(text)) return null
  // Excel's way of keeping digits as text: ="612345678", and '08001 as it is typed.
  const formula = text.startsWith('=') ? /^="(.*)"$|^=([\d.,]+)$/s.exec(text) : null
  if (formula !== null) text = (formula[1] ?? formula[2] ?? '').replaceAll('""', '"').trim()
  else if (text.startsWith("'") && /^'[+\d=@-]/.test(text)) text = text.slice(1).trim()
  else return text
  return isAbsent(text) ? null : text
}

function isAbsent(text: string): boolean {
  return text.length <= absentLengthMax && absentWords.has(text)
}

/** The items of a list, each once: those of a JSON array of texts, or parted by whatever people part words with. */
export function splitList(text: string, separator = /[,;|\n]|:::/): string[] {
  const parts = parseTexts(text) ?? text.split(separator)
  return [...new Set(parts.map(part => part.trim()))].filter(part => part !== '')
}

/** As an export of ours writes a list of which an item holds a separator. Null: it is no such list. */
function parseTexts(text: string): string[] | null {
  if (!/^\[\s*".*"\s*\]$/s.test(text)) return null
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) && value.every(item => typeof item === 'string') ? value : null
  } catch {
    return null
  }
}

/** A list of texts in one cell: with ` | ` between them where that can be read back, else as JSON. */
export function joinList(items: readonly string[]): string {
  const isPlain = items.every(item => !/[,;|\n]|:::|^\[|^\s|\s$|^$/.test(item))
  return isPlain ? items.join(' | ') : JSON.stringify(items)
}

/** What `joinList` was given. */
export function splitJoined(text: string): string[] {
  return parseTexts(text) ?? text.split(' | ')
}
