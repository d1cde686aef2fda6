/** Makes text of users and sources safe for HTML, SVG and PDF. */

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
}

/** Escapes text for elements and quoted attributes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, char => entities[char]!)
}

/** Invisible format characters, except the joiners, which belong to the spelling of some scripts and emoji. */
const invisible = /[[\p{Cf}&&\p{Default_Ignorable_Code_Point}]--[\u200c\u200d]]|[\ufff9-\ufffb]/gv

/**
 * Puts text on one line and removes control characters and lone surrogates, which XML and PDF cannot hold, and
 * characters that change the direction of the text around it. Returns '' if nothing visible is left.
 */
export function toPrintable(text: string): string {
  const line = text
    .toWellFormed()
    .replace(invisible, '')
    .replace(/[\p{Cc}\u2028\u2029\ufffe\uffff]+/gu, ' ')
    .trim()
  return /[^\s\u200c\u200d]/.test(line) ? line : ''
}
