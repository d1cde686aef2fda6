/** Characters for property tests. */
import fc from 'fast-check'

const surrogatesFirst = 0xd800
const surrogateCount = 0x800

/**
 * Any character, as the unit `binary` of fast-check, which makes a table of a million characters: a second of processor time and
 * 86 MB in each process of a run.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10_ffff - surrogateCount })
  .map(toCharacter, toNumber)

function toCharacter(number: number): string {
  return String.fromCodePoint(number < surrogatesFirst ? number : number + surrogateCount)
}

/** Throws unless the value is one character: so fast-check divides a text that it shrinks. */
function toNumber(value: unknown): number {
  const codePoint = typeof value === 'string' ? (value.codePointAt(0) ?? -1) : -1
  const number = codePoint < surrogatesFirst ? codePoint : codePoint - surrogateCount
  if (codePoint < 0 || toCharacter(number) !== value) throw new Error('not a character')
  return number
}
