/** Texts and photos of two adverts: copied from one another, or of different hands? */

/** Fewer runs of words than this say nothing: "Piso en venta en Barcelona" is on every page. */
const shinglesMin = 12
const shingleWords = 3
/** Words of a text that are looked at: the beginning tells, and texts of any length come in. */
const wordsMax = 250
const charactersMax = 5000
const fnvStart = 0x811c9dc5
const fnvPrime = 0x01000193
/** File names that say no more than the place of a photo in its row (`1`, `foto_02`, `large`). */
const fileNameMin = 8

/** The runs of three words in a text, each as a number; equal texts have equal sets. */
export function toShingles(text: string): ReadonlySet<number> {
  const shingles = new Set<number>()
  const lower = `${text.slice(0, charactersMax).toLowerCase()} `
  let [older, old, words] = [0, 0, 0]
  // FNV-1a, letter by letter: cutting the text into words would take five times as long.
  let hash = fnvStart
  for (let index = 0; index < lower.length && words < wordsMax; index += 1) {
    const code = lower.charCodeAt(index)
    if (isWordCharacter(code)) {
      hash = Math.imul(hash ^ code, fnvPrime)
    } else if (hash !== fnvStart) {
      words += 1
      if (words >= shingleWords) shingles.add((Math.imul(older, 961) + Math.imul(old, 31) + hash) | 0)
      older = old
      old = hash
      hash = fnvStart
    }
  }
  return shingles
}

/** Digits and letters of any script; signs, dashes, quotation marks and emoji (as surrogates) are between words. */
function isWordCharacter(code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)
  return code >= 0xc0 && !(code >= 0x2000 && code <= 0x2bff) && !(code >= 0xd800 && code <= 0xf8ff)
}

/**
 * Which part (0 to 1) of the shorter text stands in the longer, for portals cut texts; null if the shorter is too short to
 * tell.
 */
export function computeOverlap(one: ReadonlySet<number>, other: ReadonlySet<number>): number | null {
  const [short, long] = one.size <= other.size ? [one, other] : [other, one]
  if (short.size < shinglesMin) return null
  let shared = 0
  for (const shingle of short) if (long.has(shingle)) shared += 1
  return shared / short.size
}

/**
 * What names each photo wherever it is served from: the file's name, without its ending and the size that portals append.
 * Names such as `1.jpg` name it only together with the rest of the address.
 */
export function toPhotoKeys(images: readonly string[]): ReadonlySet<string> {
  return new Set(images.map(toPhotoKey))
}

function toPhotoKey(image: string): string {
  const path = image.replace(/[?#].*$/s, '')
  const file = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w{2,4}$/, '')
  const name = file.replace(/[_-](?:\d{2,4}x\d{2,4}|xl|l|m|s|large|medium|small|thumb|web)$/i, '')
  return name.length >= fileNameMin && /\d{3}/.test(name) ? name : path
}

// A land-registry reference: seven signs of the plot, seven of the sheet, four of the unit, two to check. Format: Dirección
// General del Catastro, "referencia catastral" of urban property.
const cadastralPattern = /\b(\d{7} ?[A-Z]{2}\d{4}[A-Z] ?\d{4} ?[A-Z]{2})\b/
// The code holds a digit early on: "referencia catastral" and "reforma" are none.
const referencePattern =
  /\bref(?:er[eê]ncia|\.)?(?: ?(?:n[º°.]|num\.?))? ?[.:#]? ?((?=[a-z/-]{0,6}\d)[a-z0-9][a-z0-9/-]{2,19})/i

/** The land registry's own number of the property, of 20 signs, where the text states it. */
export function findCadastralReference(text: string): string | null {
  return cadastralPattern.exec(text)?.[1]?.replaceAll(' ', '') ?? null
}

/** The advertiser's own number of the property (`Ref. 934-22341`), in lower case; only among one advertiser's is it unique. */
export function findAdvertiserReference(text: string): string | null {
  return (
    referencePattern
      .exec(text)?.[1]
      ?.toLowerCase()
      .replace(/[/-]+$/, '') ?? null
  )
}
