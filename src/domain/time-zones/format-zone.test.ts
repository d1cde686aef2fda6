/** Time zones as people read them. */
import { expect, it, test } from 'vitest'
import { messageLanguages } from '../messaging/opt-out-words.ts'
import { formatZone } from './format-zone.ts'

const winterMs = Date.parse('2027-01-15T12:00Z')

test.each([
  ['America/St_Johns', 'en-GB', 'St John’s (UTC−3:30)'],
  ['Asia/Kolkata', 'en-GB', 'Kolkata (UTC+5:30)'],
  ['Asia/Calcutta', 'eu', 'Kalkuta (UTC+5:30)'],
  ['Europe/Lisbon', 'pt-PT', 'Lisboa (UTC)'],
  ['Europe/Lisbon', 'de', 'Lissabon (UTC)'],
  ['Europe/Warsaw', 'ca', 'Varsòvia (UTC+1)'],
  ['Africa/Cairo', 'ca', 'el Caire (UTC+2)'],
  ['Atlantic/Canary', 'gl', 'Illas Canarias (UTC)'],
  ['America/Mexico_City', 'it', 'Città del Messico (UTC−6)'],
  ['America/Sao_Paulo', 'fr', 'São Paulo (UTC−3)'],
  ['Europe/Kyiv', 'es', 'Kiev (UTC+2)'],
  ['UTC', 'es', 'UTC'],
])('%s in %s is %s', (id, locale, label) => {
  expect(formatZone(id, winterMs, locale)).toBe(label)
})

it('has a name for every zone in every language', () => {
  const labels = Intl.supportedValuesOf('timeZone').flatMap(id =>
    messageLanguages.map(language => formatZone(id, winterMs, language)),
  )
  expect(
    labels.filter(label => !/^[\p{L}\p{M} .,’'´·&\-()[\]/]+ \(UTC(?:[+−][\d:]+)?\)$/u.test(label)),
  ).toEqual([])
})
