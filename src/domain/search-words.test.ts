/** Texts and queries are reduced to the same search words. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyCharacter } from '../../test/characters.ts'
import { toSearchWords } from './search-words.ts'

it.each([
  ['Ático en Sant Martí, 3º 2ª', ['atico', 'en', 'sant', 'marti', '3', '2']],
  ["D'Ávila; C:\\Program 'Files'", ['d', 'avila', 'c', 'program', 'files']],
  ['Straße Nº 5 – Køge, Łódź', ['strasse', 'n', '5', 'koge', 'lodz']],
  ['İstanbul ISTANBUL ıstanbul', ['istanbul', 'istanbul', 'istanbul']],
  ['a\u0000b\u00a0c\u3000d\u2028e\ufefff', ['a', 'b', 'c', 'd', 'e', 'f']],
  ['Μαρία Иванова 東京', ['μαρια', 'иванова', '東京']],
  ['…', []],
])('splits %s', (text, words) => {
  expect(toSearchWords(text)).toEqual(words)
})

it('truncates a long word', () => {
  expect(toSearchWords('z'.repeat(3000))).toEqual(['z'.repeat(60)])
})

it('returns the same words for its own output, for any text', () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom(...` '\\:,"\u1680\u0085\u3000\u00a0aé`),
      fc.string({ unit: anyCharacter }),
    ),
  })
  fc.assert(
    fc.property(text, written => {
      const words = toSearchWords(written)
      expect(toSearchWords(words.join(' '))).toEqual(words)
      for (const word of words) expect(word).not.toMatch(/[\s'\\:&|!()<>]/)
    }),
    { numRuns: 500 },
  )
})
