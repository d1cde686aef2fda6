/** Detects the encoding of bytes. */

/** Length of the UTF-8 sequence at `index` (Unicode 16, table 3-7); 0 if it is invalid, -1 if it is truncated. */
export function getUtf8Length(bytes: Uint8Array, index: number): number {
  const lead = bytes[index]!
  if (lead < 0x80) return 1
  const length =
    lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0
  if (length === 0) return 0
  // Excludes overlong forms, surrogates and code points above the maximum.
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
  for (let next = 1; next < length; next += 1) {
    const byte = bytes[index + next]
    if (byte === undefined) return -1
    if (byte < (next === 1 ? low : 0x80) || byte > (next === 1 ? high : 0xbf)) return 0
  }
  return length
}

/** Counts the sequences of several bytes, and the bytes that belong to no sequence. */
export function countUtf8Sequences(
  bytes: Uint8Array,
  isWhole: boolean,
): { sequences: number; invalidBytes: number } {
  let sequences = 0
  let invalidBytes = 0
  let index = 0
  while (index < bytes.length) {
    const length = getUtf8Length(bytes, index)
    if (length > 1) sequences += 1
    if (length === 0 || (length === -1 && isWhole)) invalidBytes += 1
    index += Math.max(1, length)
  }
  return { sequences, invalidBytes }
}

/** False if there are as many control characters as in programs, pictures and compressed files. */
export function isPlausibleText(bytes: Uint8Array, isBrokenUtf8: boolean): boolean {
  let nuls = 0
  let controls = 0
  for (const byte of bytes) {
    if (byte === 0) nuls += 1
    else if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) controls += 1
  }
  // Old database dumps have a few NULs. Valid UTF-8 is text, whatever it contains.
  return nuls * 100 <= bytes.length && (!isBrokenUtf8 || controls * 20 <= bytes.length)
}

/**
 * Letters inside words: Mac Roman has its accented letters below 0x9f, where windows-1252 has dashes and quotes;
 * windows-1252 has them from 0xc0 on, where Mac Roman has symbols. 0x92 and 0x96 are omitted (`d’Aran`, `2020–2021` in
 * windows-1252), and so is 0xd5 (`d’Aran` in Mac Roman).
 */
const macLetters = new Set([0x87, 0x88, 0x8b, 0x8d, 0x8e, 0x8f, 0x90, 0x97, 0x98, 0x9b, 0x9c, 0x9d])

/**
 * The one-byte encoding of bytes that are not UTF-8: Mac Roman only if all accented letters inside words are its own.
 */
export function detectLegacyEncoding(bytes: Uint8Array): 'windows-1252' | 'macintosh' {
  let mac = 0
  let windows = 0
  for (let index = 1; index < bytes.length; index += 1) {
    const byte = bytes[index]!
    if (byte < 0x80 || !isLetter(bytes[index - 1]!)) continue
    if (byte >= 0xc0 && byte !== 0xd5) windows += 1
    else if (macLetters.has(byte)) mac += 1
  }
  return mac >= 2 && windows === 0 ? 'macintosh' : 'windows-1252'
}

function isLetter(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)
}
