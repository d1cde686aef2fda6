/** Text of other people in HTML and SVG. */

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** For text and for attributes in quotes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, char => entities[char]!)
}

/** Joiners, with which some scripts and emoji are spelt, are all that is left of what can not be seen. */
const invisible = /[[\p{Cf}&&\p{Default_Ignorable_Code_Point}]--[\u200c\u200d]]|[\ufff9-\ufffb]/gv

/**
 * On one line, without control characters and halves of characters, which neither XML nor a PDF can hold, and without what
 * would turn the direction of the text around it. '' if nothing can be seen.
 */
export function toPrintable(text: string): string {
  const line = text
    .toWellFormed()
    .replace(invisible, '')
    .replace(/[\p{Cc}\u2028\u2029\ufffe\uffff]+/gu, ' ')
    .trim()
  return /[^\s\u200c\u200d]/.test(line) ? line : ''
}
