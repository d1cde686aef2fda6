/** What holds for every refusal of messages, and for every text. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '../../../test/characters.ts'
import { optInPhrases } from './opt-out-phrases.ts'
import { findIntent, listOptOuts, type MessageLanguage, messageLanguages } from './opt-out-words.ts'

const literal = (phrases: Record<MessageLanguage, readonly string[]>) =>
  Object.values(phrases)
    .flat()
    .filter(phrase => !phrase.includes('{'))
const optOut = fc.constantFrom(...messageLanguages.flatMap(listOptOuts))
const sign = fc.constantFrom('', ' ', '!', '.', '…', ' 🙏', '🛑', '\n', '❤️', '\u200b', '¡', '"')

test('case, signs, emoji and politeness change nothing', () => {
  const politeness = fc.constantFrom('', 'por favor', 'gracias', 'Please', 'Grazie mille', 'S’il vous plaît')
  fc.assert(
    fc.property(optOut, sign, sign, politeness, fc.boolean(), (phrase, before, after, polite, isUpper) => {
      const text = `${before}${isUpper ? phrase.toUpperCase() : phrase}${after} ${polite}`
      expect(findIntent(text, { isEmail: true })?.kind).toBe('opt_out')
    }),
  )
})

test('a phrase inside of a longer message is none', () => {
  const word = fc.constantFrom(
    ...['precio', 'casa', 'mañana', 'hoy', 'al perro', 'aquí', 'tomorrow', 'before five', 'domani', 'amanhã'],
    ...['avui', 'demain', 'ce soir', 'heute', 'Wohnung', 'gaur'],
  )
  fc.assert(
    fc.property(optOut, word, fc.boolean(), (phrase, other, isFirst) => {
      const text = isFirst ? `${other} ${phrase}` : `${phrase} ${other}`
      expect(findIntent(text, { isEmail: true })).toBeNull()
    }),
  )
})

test.each([
  'BAJA\n\nUn saludo,\nMarta',
  'Baja\nSaludos',
  'BAJA\n\nAtentamente,\n\nMarta de la Cruz\nAgencia Sol',
  'baja\nun saludo, marta',
  'Stop\n\nBest regards,\nJohn O’Neill',
  'Baja. Gracias.\nAna',
  'Baja, gracias\nAna Pérez\n',
  'STOP\n\nEnviado desde mi iPhone',
  'Stop\nSent from my iPhone',
  'STOP\n--\nAna Pérez\nTel. 600 000 000',
  `Baja\n\n-- \nAna Pérez\n${'Calle de Alcalá, 20, Madrid. '.repeat(20)}`,
  'Não me contactem mais.\nCumprimentos\nJoão',
  'Abmelden\n\nMit freundlichen Grüßen\nJörg Müller',
])('%j has a closing line', text => expect(findIntent(text)?.kind).toBe('opt_out'))

test.each([
  'Baja\nUn saludo,\nllámame mañana a las cinco',
  'Baja\nSaludos\nMarta\nSol\nMar',
  'Baja. Llámame.\nAna',
  'Stop, espera\nAna',
  'Baja. Gracias. Llámame mañana',
  'Baja el precio\nUn saludo,\nMarta',
  'Un saludo,\nMarta',
  'Saludos\nBaja el precio',
])('%j says more', text => expect(findIntent(text)).toBeNull())

test.each([
  ['Quero sair', 'any'],
  ['No más', 'any'],
  ['La baja, gracias', 'floor'],
  ['quero sair da lista', undefined],
  ['Sair', undefined],
])('%s may answer a question: %s', (text, answers) => expect(findIntent(text)?.answers).toBe(answers))

test.each([
  'Don’t email me again',
  'No more emails',
  'No quiero recibir más correos',
  'Ne plus recevoir de mails',
])('%s refuses e-mails alone', text => {
  expect(findIntent(text, { isEmail: true })?.kind).toBe('opt_out')
  expect(findIntent(text)).toBeNull()
})

test('no phrase means both, and a question means none', () => {
  for (const phrase of literal(optInPhrases)) expect(findIntent(phrase)?.kind).toBe('opt_in')
  fc.assert(fc.property(optOut, phrase => findIntent(`¿${phrase}?`) === null))
})

test('any text is read, also one of 10 MB, in linear time', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), text => {
      findIntent(text)
    }),
  )
  const long = 'por favor '.repeat(1_000_000)
  const start = performance.now()
  expect(findIntent(long)).toBeNull()
  expect(performance.now() - start).toBeLessThan(2000)
})
