/** Normalizes words for comparison. */
const beyondAscii = /[\u0080-\uffff]/

/** Lower-cases a text and removes its accents, so that one spelling of each word is enough to match. */
export function toPlainWords(text: string): string {
  // Most texts are ASCII, and normalization takes ten times as long.
  return (beyondAscii.test(text) ? text.normalize('NFD').replace(/\p{M}/gu, '') : text).toLowerCase()
}
