/** The template engine: values, formats, missing variables, errors with positions, and bounds. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTextFormats } from './formats.ts'
import { bodyMaxLength, nestingMax, textMaxLength } from './limits.ts'
import { parseBody } from './parse.ts'
import type { TypedValue } from './piece.ts'
import { renderPlaceholders, toPlaceholderText } from './placeholders.ts'
import { renderBody } from './render.ts'
import { TemplateError } from './template-error.ts'

const values = new Map<string, TypedValue | null>([
  ['contact.name', { type: 'text', value: 'Marta Soler' }],
  ['contact.email', null],
  ['property.price', { type: 'money', value: { amount: 374_000, currency: 'EUR' } }],
  ['property.squareMeters', { type: 'number', value: 1086.5 }],
  ['property.features', { type: 'list', value: ['ascensor', 'balcón', 'piscina'] }],
  ['property.long', { type: 'list', value: Array.from({ length: 50 }, (_, at) => `feature ${at}`) }],
  ['property.images', null],
  ['property.publishedAt', { type: 'date', value: Temporal.Instant.from('2026-10-28T09:00:00Z') }],
])

const render = (body: string, language = 'es') =>
  renderBody(parseBody(body).nodes, values, createTextFormats(language, 'Europe/Madrid'))
/** No-break spaces as plain ones. */
const print = (body: string, language?: string) => {
  const { text, missing } = render(body, language)
  expect(missing).toEqual([])
  return text.replace(/[\u00a0\u202f]/g, ' ')
}
const fail = (body: string) => {
  try {
    render(body)
  } catch (error) {
    if (error instanceof TemplateError) return error.describe()
    throw error
  }
  throw new Error('it did not fail')
}

test.each([
  ['es', '374.000 €', '1.086,5', '28 de octubre de 2026', 'ascensor, balcón y piscina'],
  ['ca', '374.000 €', '1.086,5', '28 d’octubre del 2026', 'ascensor, balcón i piscina'],
  ['gl', '374.000 €', '1.086,5', '28 de outubro de 2026', 'ascensor, balcón e piscina'],
  ['eu', '374.000 €', '1.086,5', '2026(e)ko urriaren 28(a)', 'ascensor, balcón eta piscina'],
  ['pt', '€ 374.000', '1.086,5', '28 de outubro de 2026', 'ascensor, balcón e piscina'],
  ['it', '374.000 €', '1.086,5', '28 ottobre 2026', 'ascensor, balcón e piscina'],
  ['en', '€374,000', '1,086.5', 'October 28, 2026', 'ascensor, balcón, and piscina'],
  ['fr', '374 000 €', '1 086,5', '28 octobre 2026', 'ascensor, balcón et piscina'],
  ['de', '374.000 €', '1.086,5', '28. Oktober 2026', 'ascensor, balcón und piscina'],
])('values are printed in %s', (language, price, size, date, features) => {
  expect(
    print(
      '{{ property.price }}|{{ property.squareMeters }}|{{ property.publishedAt }}|{{ property.features }}',
      language,
    ),
  ).toBe([price, size, date, features].join('|'))
})

test.each([
  ['{{ contact.email | default: contact.name | upcase }}', 'MARTA SOLER'],
  ['{% if property.price > 300000 and contact.email == nil %}a{% else %}b{% endif %}', 'a'],
  ['{% unless contact.email %}no e-mail{% endunless %}', 'no e-mail'],
  ['{% case contact.name %}{% when "Marta Soler" %}yes{% else %}no{% endcase %}', 'yes'],
  [
    '{% for one in property.features %}{{ forloop.index }} {{ one }}{% unless forloop.last %}, {% endunless %}{% endfor %}',
    '1 ascensor, 2 balcón, 3 piscina',
  ],
  ['{% for one in property.images %}{{ one }}{% else %}no photos{% endfor %}', 'no photos'],
  ['{% for one in property.features limit: 1 %}{{ one }}{% endfor %}', 'ascensor'],
  ['{% assign half = property.price | divided_by: 2 %}{{ half }}', '187.000 €'],
  ['{{ property.price | divided_by: property.squareMeters | round: 2 }}', '344,22 €'],
  ['{{ property.squareMeters | number: 0 }}', '1.087'],
  ['{{ 1234.5 | money: "USD" }}', '1.234,50 $'],
  ['{{ property.publishedAt | date: "short" }} {{ property.publishedAt | date: "time" }}', '28/10/26 10:00'],
  [
    '{{ property.features | join: " · " }} {{ property.features | first }} {{ property.features | size }}',
    'ascensor · balcón · piscina ascensor 3',
  ],
  [
    '{{ contact.name | truncate: 6 }}|{{ contact.name | replace: "a", "" }}|{{ contact.name | remove: "Marta " }}',
    'Marta…|Mrt Soler|Soler',
  ],
  ['{{ "hola" | capitalize | append: "!" | prepend: "¡" }}', '¡Hola!'],
  ['{{ contact["name"] }}', 'Marta Soler'],
])('%s', (body, text) => {
  expect(print(body)).toBe(text)
})

test.each([
  ['{{ contact.email }}', ['contact.email']],
  ['{{ "mail: " | append: contact.email }}', ['contact.email']],
  ['{{ contact.email | upcase }} {{ property.images }}', ['contact.email', 'property.images']],
  ['{% assign mail = contact.email %}{{ mail }}', ['contact.email']],
  ['{{ contact.name | remove: "Marta Soler" }}', ['contact.name']],
  ['{% for one in property.images %}{{ one }}{% endfor %}', ['property.images']],
  ['{{ contact.email | default: property.images }}', ['contact.email', 'property.images']],
  ['{% if contact.email %}{% assign mail = 1 %}{% endif %}{{ mail }}', ['mail']],
  ['{% if contact.email %}{{ contact.email }}{% endif %}', []],
])('missing in %s: %j', (body, missing) => {
  expect(render(body).missing).toEqual(missing)
})

test.each([
  ['Hola {{ contact.name', /^line 1, column 6: .* is not closed$/],
  ['a\nb {% foo %}', /^line 2, column 3: there is no tag foo; did you mean for\?$/],
  ['{% if contact.name %}x', /is not closed$/],
  ['{% endif %}', 'line 1, column 1: {% endif %} closes nothing'],
  ['{% else %}', /does not belong into the text/],
  ['{{ contact.name | upcas }}', 'line 1, column 1: there is no filter upcas; did you mean upcase?'],
  ['{{ contact.name | split: " " }}', /there is no filter split; the filters are default, /],
  ['{{ contact.name contact.email }}', /this expression is not complete/],
  ['{% if contact.name == %}a{% endif %}', /this expression is not complete/],
  ['{{ contact[contact.name] }}', /a variable needs a constant name/],
  ['{% assign a = contact.name %}{{ a.names }}', 'line 1, column 33: a has no field names'],
  ['{{ contact.name | append }}', /the filter append takes 1 arguments/],
  ['{{ contact.name | default: "x", allow_false: true }}', /has no named arguments/],
  ['{{ contact.email | default: "" }}', /the filter default needs a text that is not blank; to leave/],
  ['{{ contact.name | round }}', /the filter round needs a number, not a text/],
  ['{{ contact.name | join }}', /needs a list, not a text/],
  ['{{ property.publishedAt | date: "lng" }}', /did you mean long\?/],
  ['{{ property.price | divided_by: 0 }}', /divides by zero/],
  ['{% include "secret" %}', /there is no tag include/],
  ['{% render "secret" %}', /there is no tag render/],
  ['{% layout "secret" %}', /there is no tag layout/],
  ['{% raw %}{{ x }}{% endraw %}', /there is no tag raw/],
])('%s is refused', (body, message) => {
  expect(fail(body)).toMatch(message)
})

const long = (part: string) => part.repeat(Math.floor(bodyMaxLength / part.length))
const nested = (depth: number) => '{% if contact.name %}'.repeat(depth) + '{% endif %}'.repeat(depth)

test.each([
  ['a loop over a range', '{% for i in (1..1000000000) %}{% endfor %}'],
  ['nested loops over ranges', '{% for i in (1..99999) %}{% for j in (1..99999) %}x{% endfor %}{% endfor %}'],
  ['a printed range', '{{ (1..1000000000) }}'],
  ['a range in a filter', '{{ contact.email | default: (1..1000000000) }}'],
  ['a range in a case', '{% case 1 %}{% when (1..1000000000) %}{% endcase %}'],
  [
    'nested loops',
    '{% for a in property.features %}{% for b in property.features %}x{% endfor %}{% endfor %}',
  ],
  ['tags nested too deep', nested(nestingMax + 1)],
  ['tags nested as deep as fits', nested(300)],
  [
    'a text that doubles',
    `{% assign a = "${'x'.repeat(100)}" %}${'{% assign a = a | append: a %}'.repeat(40)}`,
  ],
  [
    'a text that is replaced by longer ones',
    `{{ "${'a'.repeat(4000)}" | replace: "a", "${'b'.repeat(4000)}" }}`,
  ],
  ['a width in a number', '{{ 1 | number: 99999999 }}'],
  ['many filters', `{{ contact.name ${long('| upcase').slice(0, bodyMaxLength - 20)} }}`],
  ['many steps in a loop', `{% for a in property.features %}${'{{a}}'.repeat(1900)}{% endfor %}`],
  ['as many steps in a loop as fit', `{% for a in property.long %}${'{{a}}'.repeat(95)}{% endfor %}`],
  [
    'many comparisons in a loop',
    `{% for a in property.long %}{% if ${'a==a or '.repeat(50)} a %}x{% endif %}{% endfor %}`,
  ],
  [
    'many values of a case in a loop',
    `{% for a in property.long %}{% case a %}{% when ${'1,'.repeat(220)} 1 %}x{% endcase %}{% endfor %}`,
  ],
  [
    'many arguments in a loop',
    `{% for a in property.long %}{% if a == 1 %}{{ a | default: ${'a,'.repeat(210)} a }}{% endif %}{% endfor %}`,
  ],
  ['open brackets', long('{{')],
  ['open tags', long('{%')],
  ['open brackets of a variable', `{{ ${'a['.repeat(4000)} }}`],
  ['open parentheses', `{{ ${'('.repeat(9000)} }}`],
  ['a text that is too long', 'x'.repeat(bodyMaxLength + 1)],
])('%s ends at once', (_name, body) => {
  // The best of three: other processes use the same processors.
  const times = [1, 2, 3].map(() => {
    const start = performance.now()
    try {
      expect(render(body).text.length).toBeLessThanOrEqual(textMaxLength)
    } catch (error) {
      expect(error).toBeInstanceOf(TemplateError)
    }
    return performance.now() - start
  })
  expect(Math.min(...times)).toBeLessThan(1000)
})

const output = fc
  .tuple(
    fc.constantFrom(...values.keys()),
    fc.array(fc.constantFrom('upcase', 'strip', 'truncate: 5', 'append: "x"', 'default: "y"', 'size'), {
      maxLength: 3,
    }),
  )
  .map(([name, filters]) => `{{ ${[name, ...filters].join(' | ')} }}`)
const condition = fc
  .tuple(fc.constantFrom(...values.keys()), output)
  .map(([name, one]) => `{% if ${name} %}${one}{% endif %}`)
const bodies = fc.array(fc.oneof(output, condition, fc.constantFrom(' ', 'Hola', '\n')), { maxLength: 8 })

test('a text has all its values, or names those that are missing', () => {
  fc.assert(
    fc.property(bodies, parts => {
      const { text, missing } = render(parts.join(''))
      expect(text).not.toMatch(/\{\{|\}\}|\{%|undefined|null|NaN|\[object/)
      const unresolved = [...values].filter(([, value]) => value === null).map(([name]) => name)
      for (const name of missing) expect(unresolved).toContain(name)
      // What is printed without a condition, and has no fallback, is either there or missing.
      for (const part of parts)
        for (const name of unresolved)
          if (part.startsWith(`{{ ${name}`) && !part.includes('default')) expect(missing).toContain(name)
    }),
  )
})

test('any text is rendered or refused, never anything else', () => {
  const pieces = fc.constantFrom(
    '{{',
    '}}',
    '{%',
    '%}',
    ' if ',
    ' for ',
    ' in ',
    'contact.name',
    '|',
    ':',
    '"',
    "'",
    '(1..9)',
    '[',
    ']',
    ' endif ',
    ' assign ',
    '=',
    'a',
    '-',
    '\n',
    '==',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), parts => {
      try {
        render(parts.join(''))
      } catch (error) {
        expect(error).toBeInstanceOf(TemplateError)
      }
    }),
    { numRuns: 2000 },
  )
})

test('a provider gets numbered placeholders, and their values in one line', () => {
  const parsed = parseBody(
    'Hola {{ contact.name | upcase }}: {{ property.price }}. {{contact.name | upcase}}, {{ property.features | join: "\n\n" }}',
  )
  const placeholders = toPlaceholderText(parsed)
  expect(placeholders.body).toBe('Hola {{1}}: {{2}}. {{1}}, {{3}}')
  expect(renderPlaceholders(placeholders, values, createTextFormats('es', 'UTC'))).toEqual([
    'MARTA SOLER',
    '374.000 €',
    'ascensor balcón piscina',
  ])
  expect(() => toPlaceholderText(parseBody('{% if contact.name %}a{% endif %}'))).toThrow(/has no tags/)
})
