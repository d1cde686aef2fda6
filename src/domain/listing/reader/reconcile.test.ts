/** How one value is chosen among those of several sources. */
import { describe, expect, test } from 'vitest'
import type { Candidate } from './page-listing.ts'
import { reconcile } from './reconcile.ts'

const candidate = (field: string, value: unknown, source: string, weight: number, where = source) =>
  ({ field, value, source, where, weight }) as Candidate

describe('reconcile', () => {
  test('equal values of several sources win against one source with more weight', () => {
    const { values, evidence } = reconcile([
      candidate('price', 300, 'state', 0.8),
      candidate('price', 570_000, 'json-ld', 0.7),
      candidate('price', 570_000, 'opengraph', 0.6),
    ])
    expect(values.price).toBe(570_000)
    expect(evidence.price).toMatchObject({
      source: 'json-ld',
      others: [{ value: 300, source: 'state' }],
    })
  })

  test('a contradiction of equally trusted values leaves the field empty, and is reported', () => {
    const { values, evidence } = reconcile([
      candidate('bedrooms', 3, 'state', 0.8),
      candidate('bedrooms', 4, 'json-ld', 0.8),
    ])
    expect(values.bedrooms).toBeNull()
    expect(evidence.bedrooms).toMatchObject({ confidence: 0, others: [{ value: 3 }, { value: 4 }] })
  })

  test('coordinates are chosen as pairs', () => {
    const { values } = reconcile([
      candidate('latitude', 41.1, 'state', 0.9, 'agency'),
      candidate('longitude', 2.1, 'state', 0.5, 'map'),
      candidate('latitude', 40.1, 'state', 0.5, 'map'),
      candidate('latitude', 40.1001, 'opengraph', 0.5),
      candidate('longitude', 2.1001, 'opengraph', 0.5),
    ])
    expect([values.latitude, values.longitude]).toEqual([40.1, 2.1])
  })

  test('an address with more detail is the same address', () => {
    const { values } = reconcile([
      candidate('address', 'Gran Vía, 1', 'state', 0.6),
      candidate('address', 'Gran Via 1, Madrid', 'json-ld', 0.6),
      candidate('address', 'Calle Mayor, 5', 'opengraph', 0.6),
    ])
    expect(values.address).toBe('Gran Vía, 1')
  })

  test('features of all sources are collected; photos come from the source with a gallery', () => {
    const { values } = reconcile([
      candidate('features', ['lift'], 'state', 0.8),
      candidate('features', ['pool', 'lift'], 'json-ld', 0.7),
      candidate('images', ['share'], 'opengraph', 0.9),
      candidate('images', ['1', '2', '3'], 'state', 0.6),
    ])
    expect(values.features).toEqual(['lift', 'pool'])
    expect(values.images).toEqual(['1', '2', '3'])
  })
})
