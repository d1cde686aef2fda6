/** The words that texts are found by, and those of a search: without accents, case and signs, so that one finds the other. */

const wordLengthMax = 60

/** Letters that Unicode does not take apart, as people without them on their keyboard write them. */
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
/** Named one by one: letters of any alphabet stay, and what a tsvector would read as its own signs goes. */
const signs =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: texts of portals have them.
  /[\u0000-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a0¡¿«»·ºª°©®€\u1680\u2000-\u206f\u2028\u2029\u2190-\u27bf\u3000-\u303f\ufeff]+/g

/** The words in their order, each as often as it is there; of longer ones than people write, the beginning. */
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
