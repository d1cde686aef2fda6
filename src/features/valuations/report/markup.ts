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
  return text.replace(/[&<>"']/g, sign => entities[sign]!)
}

/** On one line, without control characters and halves of characters, which neither XML nor a PDF can hold. */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\ufffe\uffff]+/gu, ' ')
    .trim()
}
