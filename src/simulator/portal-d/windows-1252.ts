/** Encodes text as windows-1252; other characters become character references. */

// Characters at 0x80 to 0x9f; a space where there is none.
const highCharacters = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'
const bytesByCharacter = new Map(
  [...highCharacters].flatMap((sign, index) => (sign === ' ' ? [] : [[sign, 0x80 + index] as const])),
)

export function encodeWindows1252(text: string): Buffer {
  const encodable = text.replace(/[^\0-\x7f\xa0-\xff]/gu, sign => {
    const byte = bytesByCharacter.get(sign)
    return byte === undefined ? `&#${sign.codePointAt(0)};` : String.fromCharCode(byte)
  })
  return Buffer.from(encodable, 'latin1')
}
