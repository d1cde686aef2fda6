/** An element as a tree: namespaces, CDATA, references, and malformed markup. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findChild, findChildren, getValue, parseXmlElement } from './xml-element.ts'

const getValueAt = (xml: string, ...path: string[]) =>
  getValue(path.reduce((element, name) => findChild(element, name), parseXmlElement(xml)))

describe('the value of an element', () => {
  test.each([
    ['<a>text</a>', 'text'],
    ['<a>\n  text \n</a>', 'text'],
    ['<a>caf&#233; &amp; t&#xe9; &lt;b&gt;</a>', 'café & té <b>'],
    ['<a>&euro;&nbsp;5</a>', '€\u00a05'],
    ['<a><![CDATA[1 < 2 && <b>3</b> &amp;]]></a>', '1 < 2 && <b>3</b> &amp;'],
    ['<a>&lt;<![CDATA[&lt;]]>&lt;</a>', '<&lt;<'],
    ['<a>one<!-- no <x> -->two</a>', 'onetwo'],
    ['<a>one <b>bold</b><br/> two</a>', 'one <b>bold</b><br/> two'],
    ['<?xml version="1.0"?><!-- c --><a x="1>2">text</a>', 'text'],
    ['<a/>', ''],
    ['<a>unclosed', 'unclosed'],
    ['<a><![CDATA[unclosed', 'unclosed'],
  ])('%s', (xml, value) => {
    expect(getValue(parseXmlElement(xml))).toBe(value)
  })

  test('a missing element has an empty value', () => {
    expect(getValueAt('<a><b>1</b></a>', 'c', 'd')).toBe('')
    expect(parseXmlElement('no element < 5 &')).toBeNull()
  })
})

describe('children', () => {
  test('have names without prefix, in order', () => {
    const root = parseXmlElement('<r xmlns:k="urn:k"><k:a n="1">1</k:a><b/><a>2<a>3</a></a></r>')
    expect(root?.children.map(({ name, tag }) => [name, tag])).toEqual([
      ['a', '<k:a n="1">'],
      ['b', '<b/>'],
      ['a', '<a>'],
    ])
    expect(findChildren(root, 'a').map(child => child.inner)).toEqual(['1', '2<a>3</a>'])
    expect(findChildren(root, 'a')[1]?.children).toHaveLength(1)
  })

  test('an unclosed element ends with its parent', () => {
    expect(getValueAt('<r><desc>one<br>two</desc><price>5</price></r>', 'desc')).toBe('one<br>two')
    expect(getValueAt('<r><desc>one<br>two</desc><price>5</price></r>', 'price')).toBe('5')
  })

  test('a closing tag without an opening one is ignored', () => {
    expect(getValueAt('<r><a>1</b></a><c>2</c></r>', 'c')).toBe('2')
  })

  test('only the first element is parsed', () => {
    expect(parseXmlElement('<a>1</a><b>2</b>')).toMatchObject({ name: 'a', inner: '1' })
  })
})

test('any text is parsed without failing, however deep', () => {
  const signs = fc.constantFrom(
    '<',
    '>',
    '/',
    '<a>',
    '</a>',
    '<b x="',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '&',
    '<?',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(signs, fc.string({ maxLength: 3 })), { maxLength: 60 }), pieces => {
      const root = parseXmlElement(pieces.join(''))
      expect(typeof getValue(root)).toBe('string')
    }),
    { numRuns: 2000 },
  )
  expect(parseXmlElement('<a>'.repeat(20_000))?.name).toBe('a')
})
