/** Texts that strangers type into open forms, and that messages to an unproven phone number may repeat. */

const nameMax = 60
const wordsMax = 8
const placeMax = 150

/** Words within names, which may have many: "de los Ángeles Fernández de Córdoba y Ponce". */
const particles = new Set(
  'a e i y de del dos das do da la las lo los el di della van von der den zu le du des d'.split(' '),
)

const pictographs = /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\u200D|\uFE0F)*/gu

/** One line without pictographs, with plain spaces and hyphens: forms fill in and people paste others. Messengers turn `evil.example` and `tel:112` into links, but not `evil. example`. */
const toLine = (text: string): string =>
  text
    .replace(pictographs, ' ')
    .trim()
    .replace(/[\p{Zs}\t]+/gu, ' ')
    .replace(/[\u2010\u2011]/g, '-')
    .replace(/\.(?=[\p{L}\p{N}])|:(?=\S)/gu, '$& ')

/** The name, if it looks like one: letters in at most eight words, without numbers and links. Otherwise null. */
export function toPersonName(text: string): string | null {
  const name = toLine(text)
  const words = name.split(' ').filter(word => !particles.has(word.toLowerCase()))
  if (name.length > nameMax || words.length > wordsMax) return null
  return /^\p{L}(?:[\p{L}\p{M} .,'’´`·ªº"“”„«»&()–—-]| [+/] )*$/u.test(name) ? name : null
}

/** Nine digits or more, in groups. */
const phoneLike = /(?:\d[ .–—-]*){9,}/
/** `1100-053` and `28001 Madrid`. A house number before them is no phone number. */
const postcode = /(?<!\d)(?:\d{4}-\d{3}(?!\d)|\d{5}(?= *(?:[\p{L},;(]|$)))/gu

/** The address or the name of a place: without links, addresses and phone numbers, lines joined. Otherwise null. */
export function toPlaceText(text: string): string | null {
  const place = toLine(text.trim().replace(/[ ,]*\r?\n\s*/g, ', '))
  if (place.length > placeMax || phoneLike.test(place.replace(postcode, ','))) return null
  return /^(?!.*\/\/)[\p{L}\p{M}\p{N} .,:;'’´`·ªº°"“”«»&()/|+#–—-]+$/u.test(place) ? place : null
}
