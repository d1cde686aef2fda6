/** The bound of the texts of a request: what takes time are variables and tags. */
import { expect, test } from 'vitest'
import { checkNewTemplate } from './texts.ts'

const languages = ['ca', 'en', 'fr', 'de', 'it', 'pt', 'gl', 'eu', 'nl', 'pl', 'ro', 'sv', 'da', 'fi', 'cs']
const check = (body: string, value: string) => {
  const buttons = Array.from({ length: 10 }, () => ({ kind: 'quick_reply' as const, title: 'x', value }))
  const variants = languages.map(language => ({ language, body, buttons }))
  return checkNewTemplate({ language: 'es', body, buttons, variants })
}

test.each([
  ['short variables', '{{contact.name}}'.repeat(100)],
  ['filters', `{{ contact.name${' | upcase'.repeat(100)} }}`.repeat(2)],
  ['tags', '{% if 1 %}{% endif %}'.repeat(80)],
  ['errors', '{{ contact.nam }}'.repeat(100)],
  ['unfinished variables', `${'{{contact.name}}'.repeat(150)}{{ `],
])('texts with too many %s are refused before they are parsed', (_what, text) => {
  const { texts, errors } = check(text, text)
  expect(texts).toEqual([])
  expect(errors).toEqual([
    { path: '/variants/0/body', code: 'TOO_MANY', message: expect.stringContaining('40000') },
  ])
})

test('long texts with some variables are accepted in many languages', () => {
  const body = `${'Un piso con vistas. '.repeat(200)}${'{{ contact.firstName | default: "hola" }} '.repeat(15)}`
  expect(check(body, 'Sí, {{ contact.firstName }}')).toMatchObject({ errors: [] })
})
