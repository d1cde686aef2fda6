/** The measure of the listing reader sees what is wrong. */
import { describe, expect, test } from 'vitest'
import { scoreListing } from '../bench/listing-score.ts'
import type { ListingValues } from '../src/domain/listing/reader/page-listing.ts'
import { emptyValues } from '../src/domain/listing/reader/reconcile.ts'

const judge = (expected: object, found: Partial<ListingValues>, html = '') =>
  scoreListing({ ...expected }, { ...emptyValues(), ...found }, html).map(
    ({ field, verdict }) => `${field} ${verdict}`,
  )

describe('a place', () => {
  test.each([
    ['Frankfurt am Main', 'frankfurt am main', 'right'],
    ['Frankfurt am Main', 'Frankfurt', 'wrong'],
    ['A Coruña', 'A Coruna', 'right'],
  ])('%s read as %s is %s', (expected, municipality, verdict) => {
    expect(judge({ municipality: expected }, { municipality })).toEqual([`municipality ${verdict}`])
  })

  test('has several right forms', () => {
    const expected = { municipality: { anyOf: ['Galway', 'Galway City'] } }
    expect(judge(expected, { municipality: 'Galway City' })).toEqual(['municipality right'])
  })
})

describe('features', () => {
  const labels = ['Lift', 'Balcony']

  test.each<[string, string[], ListingValues['features'], string, string]>([
    ['are right as the labels', labels, ['lift', 'balcony'], '', 'right'],
    ['are right if the page says one more', labels, ['lift', 'pool'], '<p>With a pool</p>', 'right'],
    ['are wrong if the page does not say one', labels, ['lift', 'pool'], '<script>"pool"</script>', 'wrong'],
    ['are wrong if a label denies one', ['Lift', 'Sin piscina'], ['lift', 'pool'], '<p>Pool</p>', 'wrong'],
    ['are missing', labels, [], '', 'missing'],
  ])('%s', (_, expected, features, html, verdict) => {
    expect(judge({ features: expected }, { features }, html)).toEqual([`features ${verdict}`])
  })
})

test('emissions that a page does not state are wrong', () => {
  const expected = { emissionsKgM2: null, emissionsClass: null }
  expect(judge(expected, {})).toEqual([])
  expect(judge(expected, { emissionsKgM2: 12, emissionsRating: 'B' })).toEqual([
    'emissionsKgM2 wrong',
    'emissionsRating wrong',
  ])
})
