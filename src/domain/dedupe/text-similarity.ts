/** Similarity of the texts and photos of two listings. */

/** Shorter texts are no evidence: "Piso en venta en Barcelona" is on every page. */
const shinglesMin = 12
const shingleWords = 3
/** Only the beginning of a text is used, which bounds the time. */
const wordsMax = 250
const charactersMax = 5000
const fnvStart = 0x811c9dc5
const fnvPrime = 0x01000193
/** Shorter file names (`1`, `foto_02`, `large`) only state the position of a photo. */
const fileNameMin = 8

/** The hashed three-word shingles of a text. Equal texts have equal sets. */
export function toShingles(text: string): ReadonlySet<number> {
  const shingles = new Set<number>()
  const lower = `${text.slice(0, charactersMax).toLowerCase()} `
  let [older, old, words] = [0, 0, 0]
  // FNV-1a character by character: splitting the text into words would take five times as long.
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

/** Digits and letters of any script. Punctuation, dashes, quotation marks and emoji (surrogates) separate words. */
function isWordCharacter(code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)
  return code >= 0xc0 && !(code >= 0x2000 && code <= 0x2bff) && !(code >= 0xd800 && code <= 0xf8ff)
}

/**
 * The share (0 to 1) of the shorter text that is contained in the longer one, because portals truncate texts. Null if
 * the shorter one has too few shingles.
 */
export function computeOverlap(one: ReadonlySet<number>, other: ReadonlySet<number>): number | null {
  const [short, long] = one.size <= other.size ? [one, other] : [other, one]
  if (short.size < shinglesMin) return null
  let shared = 0
  for (const shingle of short) if (long.has(shingle)) shared += 1
  return shared / short.size
}

/**
 * A key for each photo that does not depend on the host: the file name, without extension and size suffix. For short
 * names such as `1.jpg` it is the whole path.
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

// A Spanish cadastral number: seven characters for the plot, seven for the sheet, four for the unit, two check
// characters. Format: Dirección General del Catastro, "referencia catastral" of urban property.
const cadastralPattern = /\b(\d{7} ?[A-Z]{2}\d{4}[A-Z] ?\d{4} ?[A-Z]{2})\b/
// The code has a digit near its beginning, so "referencia catastral" and "reforma" do not match.
const referencePattern =
  /\bref(?:er[eê]ncia|\.)?(?: ?(?:n[º°.]|num\.?))? ?[.:#]? ?((?=[a-z/-]{0,6}\d)[a-z0-9][a-z0-9/-]{2,19})/i

/** The 20-character cadastral number of the property, or null. */
export function findCadastralNumber(text: string): string | null {
  return cadastralPattern.exec(text)?.[1]?.replaceAll(' ', '') ?? null
}

/** The advertiser's reference (`Ref. 934-22341`), in lower case; unique per advertiser only. */
export function findAdvertiserReference(text: string): string | null {
  return (
    referencePattern
      .exec(text)?.[1]
      ?.toLowerCase()
      .replace(/[/-]+$/, '') ?? null
  )
}
