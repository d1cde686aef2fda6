/** Recognizes the names of streets by their words in twelve languages. */
import { toPlainWords } from '../../../plain-words.ts'

export const streetWords =
  '(?:calle|c\\/|av(?:enida|da|\\.)?|plaza|paseo|camino|carretera|carrer|pla[cç]a|ronda|rambla|passeig|avinguda|rua|travessa|largo|pra[cç]a|estrada|via|viale|corso|piazza|vicolo|rue|avenue|boulevard|bd|chemin|all[ée]e|impasse|ulica|ul\\.|ulice|al\\.)'
const streetPattern = new RegExp(
  `^${streetWords}\\s+\\p{L}|\\p{L}(?:stra(?:ße|sse)|str\\.|weg|platz|allee|gasse|ring|straat|laan|plein|kade)\\s+\\d|^\\d{1,4}[a-z]?,?\\s+\\p{Lu}[\\p{L} ']+\\b(?:street|st|road|rd|avenue|ave|lane|drive|dr|close|court|way|terrace|gardens?|crescent|place|grove|lawns?)\\b`,
  'iu',
)
const englishStreet =
  /\b(?:street|st|road|rd|avenue|ave|lane|drive|dr|close|court|ct|way|terrace|gardens?|crescent|place|grove|lawns?|park|square|mews|row|hill|walk|view|heights|meadows?|rise|green|parade|quay|gate)$/i
const lineMax = 100

/** True for a street, with or without a number and what follows it. */
export function isStreet(text: string): boolean {
  return text.length <= lineMax && streetPattern.test(text) && !/[€$£?!]|m²/.test(text)
}

const countWords =
  /\b(?:bed(?:room)?s?|bath(?:room)?s?|rooms?|acres?|reception|sq|for sale|to let|to rent)\b/i

/** True for counts and offers: `3 Bedroom House` begins with no house number. */
export function hasCount(text: string): boolean {
  return countWords.test(text)
}

const streetInText = new RegExp(`\\s${streetWords}\\s+\\p{L}`, 'iu')

/** True for a text that names a street, also after other words: `Flat in Park Road`. */
export function hasStreet(text: string): boolean {
  return (
    text.length <= lineMax &&
    (isStreet(text) || englishStreet.test(text) || streetInText.test(toPlainWords(text)))
  )
}

/** True for the first part of an address: a street with a word that says so, or a house number. */
export function isStreetPart(text: string): boolean {
  if (hasCount(text)) return false
  return isStreet(text) || englishStreet.test(text) || /^\d{1,5}[a-z]?\s|\s\d{1,4}[a-z]?$/i.test(text)
}
