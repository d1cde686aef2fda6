// Pieces of pages, tidy and not, and what is read out of them as text.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attributeOf, decodeEntities, elementOf, elementsOf, textOf } from './html.ts'

describe('decodeEntities', () => {
  const rows: [text: string, decoded: string][] = [
    ['Piso &amp; terraza', 'Piso & terraza'],
    ['&aacute;&Ntilde;&ccedil;&yuml;&iexcl;', 'áÑçÿ¡'],
    ['86&nbsp;m&sup2; &euro;', '86\u00a0m² €'],
    ['&#8364;&#x20AC;&#x20ac;&#128;', '€€€€'],
    ['&amp;lt;', '&lt;'],
    ['&nosuch; & &amp &#0; &#xD800; &#x110000;', '&nosuch; & &amp \uFFFD \uFFFD \uFFFD'],
    ['&constructor;', '&constructor;'],
  ]
  test.each(rows)('%j', (text, decoded) => {
    expect(decodeEntities(text)).toBe(decoded)
  })
})

describe('textOf', () => {
  const rows: [html: string, text: string][] = [
    ['<p>Piso\n  en <b>Sants</b></p>', 'Piso en Sants'],
    ['a<br>b', 'a b'],
    ['a<script>if (1 < 2) x()</script>b<style>p{}</style>c', 'a b c'],
    ['a<!-- <p>no</p> -->b', 'a b'],
    ['a <p class="x', 'a'],
    ['1 &lt; 2', '1 < 2'],
    ['a\u0000b\u0007c \uD800', 'a b c \uFFFD'],
  ]
  test.each(rows)('%j', (html, text) => {
    expect(textOf(html)).toBe(text)
  })
})

describe('attributeOf', () => {
  const rows: [tag: string, name: string, value: string | null][] = [
    ['<a href="/x">', 'href', '/x'],
    ["<a class='b' href='/x?a=1&amp;b=2'>", 'href', '/x?a=1&b=2'],
    ['<a href=/x>', 'href', '/x'],
    ['<a data-href="/y" href="/x">', 'href', '/x'],
    ['<a\n  href="/x"\n>', 'href', '/x'],
    ['<a href="">', 'href', ''],
    ['<a href>', 'href', null],
    ['<a title="href=1">', 'href', null],
    ['<a href="/x', 'href', null],
  ]
  test.each(rows)('%j %s', (tag, name, value) => {
    expect(attributeOf(tag, name)).toBe(value)
  })
})

describe('elementsOf', () => {
  test('finds elements by name and class, in page order', () => {
    const html = '<ul class="a"><li>1</ul><ul class="b a"><li>2</ul><ul class="ab"><li>3</ul>'
    expect(elementsOf(html, 'ul', 'a').map(element => element.inner)).toEqual(['<li>1', '<li>2'])
    expect(elementsOf(html, 'ul', 'a', 1)).toHaveLength(1)
    expect(elementOf(html, 'ol')).toBeNull()
  })

  test('an element reaches to its own end, over those of its name inside', () => {
    expect(elementOf('<div class="a"><div>1</div><div>2</div></div>3', 'div', 'a')?.inner).toBe(
      '<div>1</div><div>2</div>',
    )
  })

  test('a name is not the beginning of another', () => {
    expect(elementsOf('<article>1</article><a>2</a>', 'a').map(element => element.inner)).toEqual(['2'])
  })

  test('an element that is not closed reaches to the end', () => {
    expect(elementOf('<main><p>x', 'main')?.inner).toBe('<p>x')
  })

  test('no text makes it fail or stall', () => {
    const piece = fc.constantFrom(
      '<div',
      '<div>',
      '</div>',
      ' class="a"',
      '>',
      '<',
      'x',
      '<!--',
      '-->',
      '<script>',
      '&',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), pieces => {
        const html = pieces.join('')
        for (const element of elementsOf(html, 'div', 'a')) expect(html).toContain(element.inner)
        textOf(html)
      }),
      { numRuns: 1000 },
    )
    const started = performance.now()
    for (const piece of ['<div class="a">', '<script', '<!--', '</div><div>', '&', '<a href="']) {
      const html = piece.repeat(20_000)
      elementsOf(html, 'div', 'a')
      textOf(html)
    }
    expect(performance.now() - started).toBeLessThan(2000)
  })
})
