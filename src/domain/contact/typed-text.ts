/** Texts that strangers type into open forms, and that messages to an unproven phone number may repeat. */

const nameMax = 60
const wordsMax = 8
const placeMax = 150

/** Messengers turn `evil.example` into a link, but not `evil. example`. */
const separateDots = (text: string): string =>
  text
    .trim()
    .replace(/[ \t]+/g, ' ')
    .replace(/\.(?=[\p{L}\p{N}])/gu, '. ')

/** The name, if it looks like one: letters in at most eight words, without numbers and links. Otherwise null. */
export function toPersonName(text: string): string | null {
  const name = separateDots(text)
  if (name.length > nameMax || name.split(' ').length > wordsMax) return null
  return /^\p{L}[\p{L}\p{M} .,'’´`·ªº&()-]*$/u.test(name) ? name : null
}

/** Nine digits or more, in groups. */
const phoneLike = /(?:\d[ .-]*){9,}/

/** The address or the name of a place: one line without links, addresses and phone numbers. Otherwise null. */
export function toPlaceText(text: string): string | null {
  const place = separateDots(text)
  if (place.length > placeMax || phoneLike.test(place)) return null
  return /^[\p{L}\p{M}\p{N} .,;'’´`·ªº°"&()/#-]+$/u.test(place) ? place : null
}
