/** Normalizes names and queries to words without accents, case and punctuation. */

// Articles and prepositions in the languages of the three countries, which people often omit.
const smallWords = new Set(
  'a al as d da das de degli dei del dell della delle dello dels di do dos e el els en es gli i il l la las le les lo los na o os sa ses y'.split(
    ' ',
  ),
)

/** True for words that people often omit: articles, "de", "y". */
export function isSmallWord(word: string): boolean {
  return smallWords.has(word)
}

/** Lower-case words separated by single spaces: "L'Hospitalet de Llobregat" becomes "l hospitalet de llobregat". */
export function foldName(text: string): string {
  // Fast path: the gazetteer is large, and most of its names are plain ASCII.
  if (/^[a-z]+(?: [a-z]+)*$/i.test(text)) return text.toLowerCase()
  return text
    .normalize('NFD')
    .replace(/[\p{M}·]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The words of a folded name. */
export function splitWords(folded: string): string[] {
  return folded === '' ? [] : folded.split(' ')
}
