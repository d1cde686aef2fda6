/** Extracts text, attributes and elements from valid and broken HTML. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeEntities, extractText, findAttribute, findElement, findElements } from './html.ts'

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

describe('extractText', () => {
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
    expect(extractText(html)).toBe(text)
  })
})

describe('findAttribute', () => {
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
    expect(findAttribute(tag, name)).toBe(value)
  })
})

describe('findElements', () => {
  test('finds elements by name and class, in page order', () => {
    const html = '<ul class="a"><li>1</ul><ul class="b a"><li>2</ul><ul class="ab"><li>3</ul>'
    expect(findElements(html, 'ul', 'a').map(element => element.inner)).toEqual(['<li>1', '<li>2'])
    expect(findElements(html, 'ul', 'a', 1)).toHaveLength(1)
    expect(findElement(html, 'ol')).toBeNull()
  })

  test('an element ends at its own closing tag, after nested ones of the same name', () => {
    expect(findElement('<div class="a"><div>1</div><div>2</div></div>3', 'div', 'a')?.inner).toBe(
      '<div>1</div><div>2</div>',
    )
  })

  test('a name does not match as the beginning of another', () => {
    expect(findElements('<article>1</article><a>2</a>', 'a').map(element => element.inner)).toEqual(['2'])
  })

  test('an unclosed element ends at the end of the text', () => {
    expect(findElement('<main><p>x', 'main')?.inner).toBe('<p>x')
  })

  test('no text makes parsing fail or stall', () => {
    const chunk = fc.constantFrom(
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
      fc.property(fc.array(chunk, { maxLength: 40 }), pieces => {
        const html = pieces.join('')
        for (const element of findElements(html, 'div', 'a')) expect(html).toContain(element.inner)
        extractText(html)
      }),
      { numRuns: 1000 },
    )
    const started = performance.now()
    for (const chunk of ['<div class="a">', '<script', '<!--', '</div><div>', '&', '<a href="']) {
      const html = chunk.repeat(20_000)
      findElements(html, 'div', 'a')
      extractText(html)
    }
    expect(performance.now() - started).toBeLessThan(2000)
  })
})
