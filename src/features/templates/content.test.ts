/** The text that is stored of an approved template is the one that the person reads. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TemplateParts } from '../../plugins/chat.ts'
import { renderContent, toPlaceholderValues } from './content.ts'
import { createTextFormats } from './liquid/formats.ts'
import type { TypedValue } from './liquid/piece.ts'

const formats = createTextFormats('es', 'UTC')
const toValues = (texts: Record<string, string>) =>
  new Map<string, TypedValue | null>(
    Object.entries(texts).map(([name, value]) => [name, { type: 'text', value }]),
  )

const parts: TemplateParts = {
  header: { kind: 'text', text: 'Para {{ header }}' },
  footer: 'Agencia Sol',
  buttons: [
    { kind: 'url', title: 'Ver', value: 'https://a.example/{{ link }}' },
    { kind: 'copy_code', title: 'Copiar', value: '{{ code }}' },
  ],
}
const content = { body: 'Hola {{ first }}, {{ second | upcase }}. ¡{{ first }}!', parts }

test('line breaks of values are stored as they are sent', () => {
  const values = toValues({
    first: ' Marta\n\n\nSoler ',
    second: 'el  lunes',
    header: 'a\nb',
    link: 'p',
    code: 'A1',
  })
  expect(renderContent(content, values, formats, { isApproved: true }).text).toBe(
    'Para a b\n\nHola Marta Soler, EL LUNES. ¡Marta Soler!\n\nAgencia Sol\n\n[Ver] https://a.example/p\n[Copiar] A1',
  )
  expect(renderContent(content, values, formats).text, 'a text that is sent as text').toContain(
    'Marta\n\n\nSoler',
  )
})

test('any values are stored as they are sent', () => {
  const pieces = fc.constantFrom(
    'a',
    'ñ',
    ' ',
    '\n',
    '\t',
    '\u00a0',
    '#',
    '?',
    '%',
    '%C3',
    '/',
    '&',
    '[',
    '=',
  )
  const value = fc.array(pieces, { maxLength: 8 }).map(list => `x${list.join('')}`)
  const record = fc.record({ first: value, second: value, header: value, link: value, code: value })
  fc.assert(
    fc.property(record, texts => {
      const values = toValues(texts)
      const sent = toPlaceholderValues(content, values, formats)
      const [first, second] = sent.body
      const [link, code] = sent.buttons.map(button => button.value)
      expect(renderContent(content, values, formats, { isApproved: true }).text).toBe(
        `Para ${sent.header}\n\nHola ${first}, ${second}. ¡${first}!\n\nAgencia Sol\n\n[Ver] https://a.example/${link}\n[Copiar] ${code}`,
      )
    }),
  )
})
