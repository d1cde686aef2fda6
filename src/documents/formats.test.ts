/** Ages and times in words. */
import { expect, test } from 'vitest'
import { createFormats } from './formats.ts'
import { type DocumentLanguage, documentLanguages, getWords } from './languages.ts'

const formats = (language: DocumentLanguage) => createFormats(getWords(language), 'EUR', 'Europe/Madrid')

test('two years or more are given in years, in the grammar of the language', () => {
  const texts = Object.fromEntries(documentLanguages.map(language => [language, formats(language).ago(3157)]))
  expect(texts).toEqual({
    es: 'hace 8,6 años',
    ca: 'fa 8,6 anys',
    en: '8.6 years ago',
    fr: 'il y a 8,6 ans',
    de: 'vor 8,6 Jahren',
    it: '8,6 anni fa',
    pt: 'há 8,6 anos',
    nl: '8,6 jaar geleden',
    pl: '8,6 roku temu',
  })
  expect(formats('pl').ago(8 * 365.25)).toBe('8 lat temu')
  expect([0, 1, 59, 60, 730, 731].map(formats('en').ago)).toEqual([
    'today',
    'yesterday',
    '59 days ago',
    '2 months ago',
    '24 months ago',
    '2 years ago',
  ])
})

test('ages use the same units', () => {
  expect([59, 300, 3157].map(formats('de').age)).toEqual(['59 Tage', '10 Monate', '8,6 Jahre'])
  expect([300, 731, 3157].map(formats('pl').age)).toEqual(['10 miesięcy', '2 lata', '8,6 roku'])
})
