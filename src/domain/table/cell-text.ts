// The text of a cell as it was meant, before spreadsheets and programs wrapped it.

const ABSENT = new Set([
  ...['', '-', '--', '---', '–', '—', '.', '?', '\\N'],
  ...['null', 'NULL', '(null)', 'nil', 'NaN', 'nan', 'None', 'none', 'undefined', 'NA'],
  ...['n/a', 'N/A', '#N/A', '#N/D', 'n/d', 'N/D', 's/d', 'S/D', 'n.d.', 's.d.'],
  ...['#VALUE!', '#¡VALOR!', '#REF!', '#¡REF!', '#NAME?', '#¿NOMBRE?', '#DIV/0!', '########'],
])
// Looking up a long text takes time that most cells would pay for nothing.
const MAX_ABSENT_LENGTH = Math.max(...Array.from(ABSENT, word => word.length))

/** The trimmed text; null where the cell says in one way or another that there is nothing: `NULL`, `N/A`, `-`, `s/d`, … */
export function cellText(cell: string): string | null {
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
  return text.length <= MAX_ABSENT_LENGTH && ABSENT.has(text)
}
