/** Addresses of buttons: what variables print is escaped. */
import { describe, expect, test } from 'vitest'
import { noParts, type TemplateParts } from '../../plugins/chat.ts'
import { checkContent, renderContent, toPlaceholderValues } from './content.ts'
import { createTextFormats } from './liquid/formats.ts'
import type { TypedValue } from './liquid/piece.ts'
import { TemplateError } from './liquid/template-error.ts'
import type { DeclaredVariable } from './text-variables.ts'

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

const findErrors = (button: { kind: 'url' | 'phone'; value: string }, declared: object[] = []) =>
  checkContent(
    { body: 'Hola', parts: { ...noParts, buttons: [{ title: 'Ver', ...button }] } },
    declared as DeclaredVariable[],
    { path: '', language: 'es' },
  ).errors.map(({ path, code }) => [path, code])

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

describe('an own variable that ends an address', () => {
  const suffix = 'piso?id=1&x=%C3%A9&f[a]=b#top'
  test.each([
    ['https://agency.example/{{ link }}', `https://agency.example/${suffix.replace('[a]', '%5Ba%5D')}`],
    [
      'https://agency.example?t={{ link | append: "=" }} ',
      /^https:\/\/agency.example\?t=piso\?id=1&.*#top=$/,
    ],
  ])('may bring a query in %j', (address, expected) => {
    expect(renderAddress(address, { link: suffix })).toEqual(
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    )
  })

  test('is sent to the provider as it is stored', () => {
    const content = toContent('https://agency.example/{{ link }}')
    expect(toPlaceholderValues(content, toValues({ link: 'p?a=1&x=%C3%A9' }), formats).buttons).toEqual([
      { index: 0, kind: 'url', value: 'p?a=1&x=%C3%A9' },
    ])
  })

  test.each([
    ['a value that is no part of an address', 'https://a.example/{{ t }}', title, escaped],
    ['a sign of per cent', 'https://a.example/{{ t }}', '50%?', '50%25%3F'],
    ['a value of a lead', 'https://a.example/{{ property.title }}', 'a?b', 'a%3Fb'],
    [
      'another one with a value of a lead',
      'https://a.example/{{ t | append: property.title }}',
      'a?b',
      'a%3Fba%3Fb',
    ],
    ['an earlier one', 'https://a.example/{{ t }}/x', 'a?b', 'a%3Fb/x'],
    ['one within tags', 'https://a.example/{% if t %}{{ t }}{% endif %}', 'a?b', 'a%3Fb'],
  ])('%s is escaped', (_name, address, value, expected) => {
    expect(renderAddress(address, { t: value, 'property.title': value })).toBe(
      `${address.slice(0, address.indexOf('{'))}${expected}`,
    )
  })
})

test('a variable cannot change the host', () => {
  expect(() => renderAddress('https://a.example{{ t }}', { t: '@b.example' })).toThrow(TemplateError)
})

describe('the value of a button is checked before it is stored', () => {
  const refused = [['/buttons/0/value', 'WRONG_FORMAT']]
  test.each([
    'javascript:alert(1)',
    'www.agency.example',
    'https://',
    'https:///x',
    'http:agency.example',
    'https://{% if property.title %}{% endif %}',
    '{% if property.url %}{{ property.url }}{% else %}https://agency.example{% endif %}',
    'ftp://{{ property.url }}',
    '{{ contact.name }}',
  ])('%j is no address', value => {
    expect(findErrors({ kind: 'url', value })).toEqual(refused)
  })

  test('with its fallback and its example', () => {
    const declare = (more: object) =>
      findErrors({ kind: 'url', value: '{{ link }}' }, [{ name: 'link', ...more }])
    expect(declare({})).toEqual([])
    expect(declare({ fallback: 'pisos' })).toEqual(refused)
    expect(declare({ example: 'pisos' })).toEqual(refused)
    expect(declare({ fallback: 'https://a.example', example: 'http://a.example/1' })).toEqual([])
    const value = '{{ property.url | default: "pisos" }}'
    expect(findErrors({ kind: 'url', value })).toEqual(refused)
  })

  test.each(['abc', '12', '+34 600 CALL', '1'.repeat(40), '{{ contact.name }}'])('%j is no phone', value => {
    expect(findErrors({ kind: 'phone', value })).toEqual(refused)
  })

  test.each(['+34 910 00-00.00', '(0034) 910000000', '112', '{{ workspace.phone }}', '{{ call }}'])(
    '%j may be a phone',
    value => {
      expect(findErrors({ kind: 'phone', value }, value.includes('call') ? [{ name: 'call' }] : [])).toEqual(
        [],
      )
    },
  )
})

test('a stored text whose address is none is not sent', () => {
  for (const address of ['javascript:alert(1)', '{% if t %}{{ t }}{% endif %}', 'www.agency.example'])
    expect(() => renderAddress(address, { t: 'https://a.example' })).toThrow(TemplateError)
})
