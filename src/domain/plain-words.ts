const beyondAscii = /[\u0080-\uffff]/

/** Lower case without accents, so that one spelling of each word is enough. */
export function toPlainWords(text: string): string {
  // Most lines are plain already, and the rest takes ten times as long.
  return (beyondAscii.test(text) ? text.normalize('NFD').replace(/\p{M}/gu, '') : text).toLowerCase()
}
