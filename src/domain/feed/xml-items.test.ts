/** Splits a stream into elements, however it is chunked, and whatever is between and inside them. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitXmlItems } from './xml-items.ts'

const xmlDocument = `<?xml version="1.0"?><!DOCTYPE root [<!ENTITY x "<property>no</property>">]>
<!-- <property>not this</property> -->
<root a="1>0"><head note='it "is"'>x</head>
<property>one</property>
<property class="a>b"><![CDATA[</property><property>]]><b/>two</property>
<properties>not</properties><property/>
<k:property xmlns:k="urn:k"><property>inner</property><!-- </k:property> --> three</k:property >
<property>four <propertyName>n</propertyName><property-x/></property>
</root><!-- end -->`
const expectedItems = [
  '<property>one</property>',
  '<property class="a>b"><![CDATA[</property><property>]]><b/>two</property>',
  '<property/>',
  '<k:property xmlns:k="urn:k"><property>inner</property><!-- </k:property> --> three</k:property >',
  '<property>four <propertyName>n</propertyName><property-x/></property>',
]

/** Returns the bytes of what is still used. */
function measureHeapBytes(): number {
  globalThis.gc!()
  return process.memoryUsage().heapUsed
}

function split(chunks: readonly string[], itemLengthMax?: number) {
  const items = splitXmlItems('property', itemLengthMax)
  const found = chunks.flatMap(chunk => items.push(chunk))
  return { found, isWhole: items.end(), preamble: items.preamble() }
}

/** Splits the text at these positions. */
function splitAt(text: string, positions: readonly number[]): string[] {
  const ends = [...new Set([...positions, text.length])].sort((a, b) => a - b)
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end))
}

describe('the elements of a document', () => {
  test('are found whole, despite comments, CDATA, prefixes, nesting and quoted characters', () => {
    expect(split([xmlDocument])).toEqual({
      found: expectedItems,
      isWhole: true,
      preamble: xmlDocument.slice(0, xmlDocument.indexOf('<property>one')),
    })
  })

  test('are the same if the text arrives character by character', () => {
    expect(split([...xmlDocument])).toEqual(split([xmlDocument]))
  })

  test('are the same however the text is chunked', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(xmlDocument.length), { maxLength: 40 }), positions => {
        expect(split(splitAt(xmlDocument, positions))).toEqual(split([xmlDocument]))
      }),
      { numRuns: 500 },
    )
  })

  test('are returned as soon as they are complete', () => {
    const items = splitXmlItems('p')
    expect(items.push('<r><p>1</p')).toEqual([])
    expect(items.push('>')).toEqual(['<p>1</p>'])
  })

  test('only the outermost of nested elements is returned', () => {
    const text = '<p><p>a</p><p/>b</p>'
    const items = splitXmlItems('p')
    expect(items.push(`<r>${text}</r>`)).toEqual([text])
  })
})

describe('a truncated document', () => {
  test('is recognized wherever it ends', () => {
    const rootEnd = xmlDocument.indexOf('</root>') + '</root>'.length
    for (let length = 0; length <= xmlDocument.length; length += 1) {
      const { found, isWhole } = split([xmlDocument.slice(0, length)])
      expect(isWhole, xmlDocument.slice(0, length)).toBe(length >= rootEnd)
      expect(found).toEqual(expectedItems.slice(0, found.length))
    }
  })

  test.each(['', 'no XML at all', '<root>', '<root><property>', '<', '<!--'])('%j is not complete', text => {
    expect(split([text])).toMatchObject({ found: [], isWhole: false })
  })

  test('an empty root is complete', () => {
    expect(split(['<root/>'])).toMatchObject({ found: [], isWhole: true })
  })
})

describe('an element that is too long', () => {
  const long = `<property>${'x'.repeat(5000)}<![CDATA[</property>]]></property>`

  test('is skipped, and the others are found, however the text is chunked', () => {
    const text = `<root><property>1</property>${long}<property>2</property></root>`
    const expected = ['<property>1</property>', null, '<property>2</property>']
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 30 }), positions => {
        expect(split(splitAt(text, positions), 1000)).toMatchObject({ found: expected, isWhole: true })
      }),
    )
  })

  test('is not kept in memory, even if the text is endless', () => {
    for (const opening of ['<root><property>', '<root><!--', '<root x="', '<root><property><![CDATA[', '']) {
      const items = splitXmlItems('property', 10_000)
      const before = measureHeapBytes()
      items.push(opening)
      for (let chunk = 0; chunk < 500; chunk += 1) items.push(`${chunk} ${'long text '.repeat(10_000)}`)
      expect(measureHeapBytes() - before).toBeLessThan(5e6)
      expect(items.end()).toBe(false)
    }
  })
})

test('any text gives the same result in any chunks and never fails', () => {
  const signs = fc.constantFrom(
    '<',
    '>',
    '/',
    '!',
    '-',
    '[',
    ']',
    'CDATA',
    '"',
    "'",
    '?',
    ' ',
    '<r>',
    '</r>',
    '<property',
    '</property>',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(signs, fc.string({ maxLength: 3 })), { maxLength: 60 }), chunks => {
      expect(split(chunks)).toEqual(split([chunks.join('')]))
    }),
    { numRuns: 2000 },
  )
})
