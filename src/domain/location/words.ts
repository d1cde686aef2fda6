/** How names and queries become words: without accents, capitals, punctuation. */

// Articles and the small words between names, in the languages of the three countries: people leave them out.
const smallWords = new Set(
  'a al as d da das de degli dei del dell della delle dello dels di do dos e el els en es gli i il l la las le les lo los na o os sa ses y'.split(
    ' ',
  ),
)

/** Whether people leave the word out: articles, "de", "y". */
export function isSmallWord(word: string): boolean {
  return smallWords.has(word)
}

/** Lower-case words by single spaces: "L'Hospitalet de Llobregat" is "l hospitalet de llobregat". */
export function foldName(text: string): string {
  // A gazetteer is long and most of its names are plain.
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
