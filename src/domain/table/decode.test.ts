/** Bytes in every encoding that agencies' programs write, in any chunks. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../../test/characters.ts'
import { decodeText } from './decode.ts'
import { toChunks } from './table-test-helpers.ts'
import { getUtf8Length } from './text-bytes.ts'

const text = 'Nombre;Población\r\nMaría Núñez;L’Hospitalet\r\nJoão;Évora\r\n'

async function decode(bytes: Uint8Array, size = 7): Promise<{ encoding: string; text: string }> {
  const { encoding, texts } = await decodeText(toChunks(bytes, size))
  return { encoding, text: (await Array.fromAsync(texts)).join('') }
}

const utf8 = (text: string) => new TextEncoder().encode(text)
const bytes = (...numbers: number[]) => Uint8Array.from(numbers)
const join = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap(part => [...part]))

function utf16(text: string, isLittle: boolean): Uint8Array {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
  return Uint8Array.from(
    units.flatMap(unit => (isLittle ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255])),
  )
}

/** Encodes text in a one-byte encoding, by inverting the decoder. */
function oneByte(text: string, encoding: string): Uint8Array {
  const all = new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))
  return Uint8Array.from([...text].map(char => all.indexOf(char)))
}

test.each([
  ['utf-8', 'no byte order mark', utf8(text)],
  ['utf-8', 'a byte order mark', join(bytes(0xef, 0xbb, 0xbf), utf8(text))],
  ['utf-16le', 'a byte order mark', join(bytes(0xff, 0xfe), utf16(text, true))],
  ['utf-16be', 'a byte order mark', join(bytes(0xfe, 0xff), utf16(text, false))],
  ['utf-16le', 'no byte order mark', utf16(text, true)],
  ['utf-16be', 'no byte order mark', utf16(text, false)],
  ['windows-1252', 'no byte order mark', oneByte(text, 'windows-1252')],
  ['macintosh', 'no byte order mark', oneByte(text, 'macintosh')],
])('%s with %s', async (encoding, _, content) => {
  expect(await decode(content)).toEqual({ encoding, text: text })
  expect(await decode(content, 1)).toEqual({ encoding, text: text })
})

describe('an accent far after the head', () => {
  const plain = 'Ana;Madrid\n'.repeat(20_000)

  test('in windows-1252', async () => {
    const tail = 'José;“Peñón” 100 €\nCAFÉ»;x\n'
    const content = join(utf8(plain), oneByte(tail, 'windows-1252'))
    const { text } = await decode(content, 60_001)
    expect(text.slice(plain.length)).toBe(tail)
  })

  test('a broken byte in UTF-8 is read as windows-1252, and the rest as UTF-8', async () => {
    const content = join(utf8(`ñandú\n${plain}`), bytes(0x4a, 0x6f, 0x73, 0xe9, 0x0a), utf8('Núñez €\n'))
    const { encoding, text } = await decode(content, 50_000)
    expect({ encoding, tail: text.slice(plain.length + 6) }).toEqual({
      encoding: 'utf-8',
      tail: 'José\nNúñez €\n',
    })
  })

  test('a sequence truncated by the end of the file', async () => {
    expect((await decode(join(utf8('señor ñ\n'), bytes(0xc3)))).text).toBe('señor ñ\nÃ')
  })
})

test('a few broken bytes in the head do not change the encoding from UTF-8', async () => {
  const content = join(utf8('Núñez\nÁvila\n'), bytes(0xf1, 0x0a), utf8('más\n'))
  expect(await decode(content)).toEqual({ encoding: 'utf-8', text: 'Núñez\nÁvila\nñ\nmás\n' })
})

test('apostrophes and dashes of windows-1252 are not taken for Mac Roman', async () => {
  const text = 'Vall d’Aran; l’Hospitalet; 2020–2021; dell’Olio\n'
  expect(await decode(oneByte(text, 'windows-1252'))).toEqual({ encoding: 'windows-1252', text })
})

test('any text in UTF-8 or UTF-16 is decoded unchanged, in any chunks', async () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 60 }).map(value => value.replace(/^\ufeff|\0/g, ''))
  const size = fc.integer({ min: 1, max: 9 })
  await fc.assert(
    fc.asyncProperty(text, size, fc.boolean(), async (value, chunkSize, isLittle) => {
      const byteOrderMark = isLittle ? bytes(0xff, 0xfe) : bytes(0xfe, 0xff)
      expect((await decode(join(bytes(0xef, 0xbb, 0xbf), utf8(value)), chunkSize)).text).toBe(value)
      expect((await decode(join(byteOrderMark, utf16(value, isLittle)), chunkSize)).text).toBe(value)
    }),
  )
})

test('any bytes after an ASCII head are UTF-8, or windows-1252 from the first invalid byte', async () => {
  const head = utf8('Ana;Madrid\n'.repeat(7000))
  const part = fc.oneof(fc.string({ maxLength: 5 }).map(utf8), fc.uint8Array({ min: 0x80, maxLength: 5 }))
  const tail = fc.array(part, { maxLength: 6 }).map(parts => join(...parts).filter(byte => byte !== 0))
  await fc.assert(
    fc.asyncProperty(tail, fc.integer({ min: 1000, max: 90_000 }), async (end, size) => {
      const found = (await decode(join(head, end), size)).text.slice(head.length)
      let start = 0
      while (start < end.length && end[start]! < 0x80) start += 1
      const windows = new TextDecoder('windows-1252').decode(end)
      const isUtf8From = getUtf8Length(end, start) > 1
      if (start < end.length && !isUtf8From) expect(found).toBe(windows)
      else expect(found).not.toContain('\ufffd')
    }),
    { numRuns: 60 },
  )
})

test('the source is released if the reader stops or the file is refused', async () => {
  let releaseCount = 0
  async function* source(start: string) {
    try {
      for (;;) yield utf8(`${start}Ana;Madrid\n`.repeat(10_000))
    } finally {
      releaseCount += 1
    }
  }
  const { texts } = await decodeText(source(''))
  for await (const _ of texts) break
  expect(releaseCount).toBe(1)
  await expect(decodeText(source('%PDF'))).rejects.toThrow('PDF')
  expect(releaseCount).toBe(2)
})
