/** What holds for every refusal of messages, and for every text. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { optInPhrases, optOutPhrases } from './opt-out-phrases.ts'
import { findIntent, type MessageLanguage } from './opt-out-words.ts'

const literal = (phrases: Record<MessageLanguage, readonly string[]>) =>
  Object.values(phrases)
    .flat()
    .filter(phrase => !phrase.includes('{'))
const optOut = fc.constantFrom(...literal(optOutPhrases))
const sign = fc.constantFrom('', ' ', '!', '.', '…', ' 🙏', '🛑', '\n', '❤️', '\u200b', '¡', '"')

test('case, signs, emoji and politeness change nothing', () => {
  const politeness = fc.constantFrom('', 'por favor', 'gracias', 'Please', 'Grazie mille', 'S’il vous plaît')
  fc.assert(
    fc.property(optOut, sign, sign, politeness, fc.boolean(), (phrase, before, after, polite, isUpper) => {
      const text = `${before}${isUpper ? phrase.toUpperCase() : phrase}${after} ${polite}`
      expect(findIntent(text)?.kind).toBe('opt_out')
    }),
  )
})

test('a phrase inside of a longer message is none', () => {
  const word = fc.constantFrom('precio', 'casa', 'mañana', 'tomorrow', 'domani', 'amanhã', 'Wohnung')
  fc.assert(
    fc.property(optOut, word, fc.boolean(), (phrase, other, isFirst) => {
      expect(findIntent(isFirst ? `${other} ${phrase}` : `${phrase} ${other}`)).toBeNull()
    }),
  )
})

test('no phrase means both, and a question means none', () => {
  for (const phrase of literal(optInPhrases)) expect(findIntent(phrase)?.kind).toBe('opt_in')
  fc.assert(fc.property(optOut, phrase => findIntent(`¿${phrase}?`) === null))
})

test('any text is read, also one of 10 MB, in linear time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), text => {
      findIntent(text)
    }),
  )
  const long = 'por favor '.repeat(1_000_000)
  const start = performance.now()
  expect(findIntent(long)).toBeNull()
  expect(performance.now() - start).toBeLessThan(2000)
})
