/** Addresses of buttons: what variables print is escaped. */
import { describe, expect, test } from 'vitest'
import { noParts, type TemplateParts } from '../../plugins/chat.ts'
import { checkContent, renderContent, toPlaceholderValues } from './content.ts'
import { createTextFormats } from './liquid/formats.ts'
import type { TypedValue } from './liquid/piece.ts'
import { TemplateError } from './liquid/template-error.ts'

const formats = createTextFormats('es', 'UTC')
const toContent = (value: string) => {
  const parts: TemplateParts = { ...noParts, buttons: [{ kind: 'url', title: 'Ver', value }] }
  return { body: 'Hola', parts }
}
const toValues = (texts: Record<string, string | null>) =>
  new Map<string, TypedValue | null>(
    Object.entries(texts).map(([name, value]) => [name, value === null ? null : { type: 'text', value }]),
  )
const renderAddress = (address: string, texts: Record<string, string | null>) =>
  renderContent(toContent(address), toValues(texts), formats).text.replace('Hola\n\n[Ver] ', '')

const title = 'Piso 3/4 #2 ? 50% garaje & año'
const escaped = 'Piso%203/4%20%232%20%3F%2050%25%20garaje%20%26%20a%C3%B1o'

describe('a variable in an address', () => {
  test.each([
    ['https://agency.example/{{ t }}', `https://agency.example/${escaped}`],
    ['https://agency.example/?q={{ t }}&x=1#top', `https://agency.example/?q=${escaped}&x=1#top`],
    [
      'https://agency.example/{% if t %}año {{ t | append: "?" }}{% endif %}',
      `https://agency.example/a%C3%B1o%20${escaped}%3F`,
    ],
    ['https://agency.example/a%20b?{{ t }}', `https://agency.example/a%20b?${escaped}`],
  ])('is escaped in %j, and the text around it stays', (address, expected) => {
    const rendered = renderAddress(address, { t: title })
    expect(rendered).toBe(expected)
    expect(() => decodeURI(new URL(rendered).href)).not.toThrow()
  })

  test('is escaped in the value of an approved text', () => {
    const content = toContent('https://agency.example/{{ t }}')
    expect(toPlaceholderValues(content, toValues({ t: `${title}\n` }), formats).buttons).toEqual([
      { index: 0, kind: 'url', value: escaped },
    ])
  })

  test('at its beginning is an address', () => {
    const url = 'https://portal.example/a%20ñ?id=1&x=50%#photos'
    expect(renderAddress('{{ url }}', { url })).toBe('https://portal.example/a%20%C3%B1?id=1&x=50%25#photos')
    expect(renderAddress(' {{ url }}?t={{ t }}', { url: 'https://portal.example/1', t: 'a&b' })).toBe(
      'https://portal.example/1?t=a%26b',
    )
    expect(() => renderAddress('{{ url }}', { url: 'Piso 3' })).toThrow(TemplateError)
    const missing = toValues({ url: null, t: 'a' })
    expect(renderContent(toContent('{{ url }}?{{ t }}'), missing, formats).missing).toEqual(['url'])
  })
})

test('an address that begins with a tag is refused', () => {
  const { errors } = checkContent(
    toContent('{% if property.url %}{{ property.url }}{% else %}https://agency.example{% endif %}'),
    [],
    { path: '', language: 'es' },
  )
  expect(errors).toMatchObject([{ path: '/buttons/0/value', code: 'NOT_ALLOWED' }])
})
