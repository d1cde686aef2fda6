/** Search words: texts and queries are reduced to the same words, without accents, case and punctuation. */

const wordLengthMax = 60

/** Letters that Unicode does not decompose, with their replacement on a plain keyboard. */
const plainLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ŀ: 'l',
}
const beyondAscii = /[\u0080-\uffff]/
const otherLetters = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g')
/** Listed explicitly: letters of every alphabet stay, and the characters that tsvector syntax uses are removed. */
const signs =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: texts of portals contain them.
  /[\u0000-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a0¡¿«»·ºª°©®€\u1680\u2000-\u206f\u2028\u2029\u2190-\u27bf\u3000-\u303f\ufeff]+/g

/** The words in order, with duplicates. Words longer than 60 characters are truncated. */
export function toSearchWords(text: string): string[] {
  const lower = text.toLowerCase()
  const plain = beyondAscii.test(lower)
    ? lower
        .normalize('NFD')
        .replace(/\p{M}/gu, '')
        .replace(otherLetters, letter => plainLetters[letter]!)
    : lower
  const spaced = plain.replace(signs, ' ')
  const words = spaced.split(' ')
  return words.flatMap(word => (word === '' ? [] : word.slice(0, wordLengthMax)))
}
