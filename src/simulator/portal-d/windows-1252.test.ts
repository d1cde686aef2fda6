/** The encoder of portal_d, compared with the decoder of the runtime. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeWindows1252 } from './windows-1252.ts'

const decoder = new TextDecoder('windows-1252')

test('Portuguese text with the euro and typographic quotes takes one byte per character', () => {
  const text = '“1.250 €/mês” – rés do chão, 86 m²… Ação'
  const bytes = encodeWindows1252(text)
  expect(bytes).toHaveLength(text.length)
  expect(decoder.decode(bytes)).toBe(text)
})

test('characters outside the encoding become references, all others round-trip', () => {
  expect(encodeWindows1252('a→😀').toString('latin1')).toBe('a&#8594;&#128512;')
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aÇ€’ãõ–™ÿ ß') }), text => {
      expect(decoder.decode(encodeWindows1252(text))).toBe(text)
    }),
  )
})
