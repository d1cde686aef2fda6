/** Values of JSON documents, including those of real partner interfaces. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readShared } from '../../../test/shared.ts'
import { describeShared } from '../../../test/shared-tests.ts'
import { toE164 } from '../contact/phone.ts'
import {
  dropUnknown,
  parseAmount,
  parseAreaValue,
  parseCount,
  parseInstantValue,
  parseJsonObject,
  parseLine,
  toNode,
} from './json-values.ts'
import { parseCoordinates } from './values.ts'

const fixture = (name: string): unknown => JSON.parse(readShared(`fixtures/partner-json/${name}`))

describe('single values', () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    ['\ufeff{"a":1}', { a: 1 }],
    ['[{"a":1}]', null],
    ['null', null],
    ['{"a":', null],
    ['<html></html>', null],
    ['', null],
  ])('the document %j is %j', (text, object) => {
    expect(parseJsonObject(text)).toEqual(object)
  })

  test.each([
    [380000, 380000],
    [380000.5, 380000.5],
    ['1.250 €', 1250],
    ['374000', 374000],
    [0, null],
    [-1, null],
    [Number.POSITIVE_INFINITY, null],
    ['A consultar', null],
    [null, null],
    [{}, null],
  ])('the amount %j is %j', (value, amount) => {
    expect(parseAmount(value)).toBe(amount)
  })

  test.each([
    [61.53, 61.53],
    ['61,53', 61.53],
    ['93 m²', 93],
    ['500 m² de parcela', null],
    [0, null],
    [undefined, null],
  ])('the area %j is %j', (value, area) => {
    expect(parseAreaValue(value)).toBe(area)
  })

  test.each([
    [3, 3],
    ['3', 3],
    [0, 0],
    [2.5, null],
    [-1, null],
    ['3 hab.', null],
    [true, null],
  ])('the count %j is %j', (value, count) => {
    expect(parseCount(value)).toBe(count)
  })

  test.each([
    [1_767_225_600_000, '2026-01-01T00:00:00.000Z'],
    ['2026-08-16T12:25:29.93Z', '2026-08-16T12:25:29.930Z'],
    [0, null],
    [1e20, null],
    ['ayer', null],
    [false, null],
  ])('the instant %j is %j', (value, instant) => {
    expect(parseInstantValue(value)).toBe(instant)
  })

  test('lines have no breaks, non-objects become empty nodes, and unknown facts are dropped', () => {
    expect(parseLine(' Calle  Mayor,\n3 ')).toBe('Calle Mayor, 3')
    expect([parseLine(3), parseLine('  ')]).toEqual([null, null])
    expect([toNode(null), toNode([1]), toNode({ a: 1 })]).toEqual([{}, {}, { a: 1 }])
    expect(dropUnknown({ price: 1, rooms: null, title: undefined, images: [], bathrooms: 0 })).toEqual({
      price: 1,
      bathrooms: 0,
    })
  })

  test('no value makes parsing fail', () => {
    fc.assert(
      fc.property(fc.anything(), fc.string(), (value, text) => {
        for (const read of [parseAmount, parseAreaValue, parseCount, parseInstantValue, parseLine, toNode]) {
          read(value)
          read(text)
        }
        parseJsonObject(text)
      }),
    )
  })
})

describeShared('documents of other interfaces', () => {
  test('Deutsche Wohnen: price, area, rooms and coordinates of every result', () => {
    const { results } = fixture('deutsche-wohnen-list.json') as { results: Record<string, unknown>[] }
    expect(results).toHaveLength(83)
    const read = results.map(({ preis, groesse, anzahl_zimmer: rooms, lat, lng }) => ({
      price: parseAmount(preis),
      squareMeters: parseAreaValue(groesse),
      rooms: parseCount(rooms),
      ...parseCoordinates(lat, lng),
    }))
    expect(read[0]).toEqual({
      price: 959.87,
      squareMeters: 61.53,
      rooms: 2,
      latitude: 52.4503177,
      longitude: 13.2616793,
    })
    expect(read.filter(({ price, squareMeters }) => price === null || squareMeters === null)).toEqual([])
  })

  test('Immowelt: values as text, dates, and a phone', () => {
    const [first] = fixture('immowelt-classifieds.json') as Record<string, never>[]
    const { hardFacts, metadata, provider } = first as unknown as {
      hardFacts: { price: { value: string }; facts: { type: string; value: string; splitValue: string }[] }
      metadata: { creationDate: string }
      provider: { phoneNumbers: string[] }
    }
    expect(parseAmount(hardFacts.price.value)).toBe(1250)
    expect(
      hardFacts.facts.map(({ type, value }) => (type === 'livingSpace' ? parseAreaValue(value) : null)),
    ).toContain(93)
    expect(parseCount(hardFacts.facts[0]!.splitValue)).toBe(2)
    expect(parseInstantValue(metadata.creationDate)).toBe('2026-08-16T12:25:29.930Z')
    expect(toE164(provider.phoneNumbers[0]!, 'DE')).toBe('+491782862207')
  })

  test('ImmoScout24: price and area among unnamed attributes', () => {
    const { resultListItems } = fixture('immoscout24-list.json') as {
      resultListItems: { item: { attributes?: { value: string }[] } }[]
    }
    const values = resultListItems[0]!.item.attributes!.map(({ value }) => value)
    expect(values.map(parseAmount)).toEqual([2300, null, null])
    expect(values.slice(1).map(parseAreaValue)).toEqual([131, null])
  })
})
