/** Charts are to scale and readable, also with unusual data. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawMap, type MapData, reachesBeyondMap } from '../map/comparables-map.ts'
import { createPalette } from '../palette.ts'
import { createAxis } from './axis.ts'
import { drawHistogram, type HistogramData } from './histogram.ts'
import { drawTrend, showsTrend, type TrendData } from './trend.ts'

const canvas = { width: 440, palette: createPalette(null) }
const subject = { latitude: 41.4, longitude: 2.17 }
const degreesPerMeter = 1 / 111_195

const createMapData = (offsets: [east: number, north: number][]): MapData => ({
  subject,
  comparables: offsets.map(([east, north]) => ({
    latitude: subject.latitude + north * degreesPerMeter,
    longitude: subject.longitude + (east * degreesPerMeter) / Math.cos((subject.latitude * Math.PI) / 180),
    weight: 1 / offsets.length,
  })),
  streets: null,
  distance: meters => `${Math.round(meters)} m`,
  description: 'Map',
})

/** Finds the circles that have a number. */
const findPins = (svg: string) =>
  [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"[^>]*\/><text/g)].map(found => {
    const [x, y, r] = found.slice(1).map(Number)
    return { x: x!, y: y!, r: r! }
  })

describe('the map', () => {
  test('is to scale, north up', () => {
    const [east, north] = findPins(
      drawMap(
        canvas,
        createMapData([
          [400, 0],
          [0, 200],
        ]),
      ),
    )
    expect(north!.x).toBeCloseTo(220, 0)
    expect(east!.y).toBeCloseTo(143, 0)
    expect((east!.x - 220) / (143 - north!.y)).toBeCloseTo(2, 1)
  })

  test('keeps every number readable, even if all comparables are at one place', () => {
    const offset = fc.tuple(fc.integer({ min: -900, max: 900 }), fc.integer({ min: -900, max: 900 }))
    const lists = fc.oneof(
      fc.constant(Array(20).fill([0, 0])),
      fc.array(offset, { minLength: 1, maxLength: 20 }),
    )
    fc.assert(
      fc.property(lists, offsets => {
        const pins = findPins(drawMap(canvas, createMapData(offsets)))
        expect(pins).toHaveLength(offsets.length)
        for (const [at, pin] of pins.entries())
          for (const other of pins.slice(at + 1))
            expect(Math.hypot(pin.x - other.x, pin.y - other.y)).toBeGreaterThanOrEqual(pin.r + other.r)
      }),
      { numRuns: 40 },
    )
  })

  test('has no ring label outside its frame', () => {
    const offset = fc.tuple(fc.integer({ min: -900, max: 900 }), fc.integer({ min: -900, max: 900 }))
    fc.assert(
      fc.property(fc.array(offset, { minLength: 3, maxLength: 20 }), offsets => {
        const labels = drawMap(canvas, createMapData(offsets)).matchAll(/<text x="([\d.-]+)" y="([\d.-]+)"/g)
        for (const [, x, y] of labels) {
          expect(Number(x)).toBeGreaterThan(0)
          expect(Number(x)).toBeLessThan(440)
          expect(Number(y)).toBeGreaterThan(10)
          expect(Number(y)).toBeLessThan(286)
        }
      }),
      { numRuns: 40 },
    )
  })

  test('shows a far comparable at its edge with the distance, instead of shrinking the scale', () => {
    const near: [number, number][] = [
      [300, 0],
      [-300, 0],
      [0, 150],
      [0, -300],
      [200, 200],
    ]
    const far = createMapData([...near, [0, 30_000]])
    const svg = drawMap(canvas, far)
    expect(reachesBeyondMap(far)).toBe(true)
    expect(reachesBeyondMap(createMapData(near))).toBe(false)
    expect(svg).toContain('>30000 m<')
    const pins = findPins(svg)
    expect(pins[0]!.x - pins[1]!.x).toBeGreaterThan(150)
    expect(pins[5]!.y).toBeLessThan(40)
  })
})

test('an axis contains values that differ by less than a rounding error', () => {
  const { low, high } = createAxis([9999999.999999978], [9999999.99999998], 6)
  expect(low).toBeLessThanOrEqual(9999999.99999998)
  expect(high).toBeGreaterThanOrEqual(9999999.99999998)
})

test('an axis has round steps and contains all required values', () => {
  const values = fc.array(fc.double({ min: 1, max: 1e7, noNaN: true }), { minLength: 1, maxLength: 50 })
  fc.assert(
    fc.property(values, fc.double({ min: 1, max: 1e7, noNaN: true }), (some, required) => {
      const { low, high, ticks, outsideCount } = createAxis(some, [required], 6)
      expect(low).toBeLessThanOrEqual(required)
      expect(high).toBeGreaterThanOrEqual(required)
      expect(ticks.length).toBeGreaterThan(1)
      expect(ticks.length).toBeLessThan(12)
      expect(outsideCount).toBe(some.filter(value => value < low || value > high).length)
    }),
  )
})

describe('the distribution', () => {
  const data = (values: number[]): HistogramData => ({
    values,
    subject: 3500,
    subjectLabel: 'This',
    countLabel: 'Count',
    description: 'Distribution',
    money: String,
    number: String,
  })
  const prices = Array.from({ length: 60 }, (_, at) => 2000 + at * 50)

  /** The sum of the counts that the heights of the bars show. */
  const sumBars = (values: number[]) => {
    const svg = drawHistogram(canvas, data(values))
    const heights = [...svg.matchAll(/<rect[^>]* height="([\d.]+)" fill/g)].map(([, height]) =>
      Number(height),
    )
    const countTop = Math.max(
      ...[...svg.matchAll(/>(\d+)<\/text>/g)].map(([, text]) => Number(text)).filter(n => n < 100),
    )
    return heights.reduce((sum, height) => sum + (height / 150) * countTop, 0)
  }

  test('counts every price in one bar, also prices on a tick and outliers', () => {
    for (const some of [prices, [...prices, 5000, 5000], [...prices, 900_000, 1_000_000, 1]])
      expect(Math.round(sumBars(some))).toBe(some.length)
  })

  test('has a bar for outliers only if there are some', () => {
    const far = drawHistogram(canvas, data([...prices, 900_000]))
    expect(far).toMatch(/>&gt; 5000</)
    expect(far).not.toMatch(/>900000</)
    expect(drawHistogram(canvas, data(prices))).not.toMatch(/&[lg]t;/)
  })
})

describe('the trend', () => {
  const data = (dates: string[]): TrendData => ({
    points: dates.map((date, at) => ({ date: Temporal.PlainDate.from(date), value: 3000 + at * 100 })),
    money: String,
    month: String,
    description: 'Trend',
  })

  test('is shown with at least three months', () => {
    expect(showsTrend(data(['2026-01-03', '2026-01-20', '2026-02-01', '2026-02-02']))).toBe(false)
    expect(showsTrend(data(['2026-01-03', '2026-02-20', '2026-03-01']))).toBe(true)
  })

  test('joins the medians of the months', () => {
    const svg = drawTrend(canvas, data(['2025-11-03', '2025-11-20', '2025-12-24', '2026-02-10']))
    expect(svg.match(/<circle[^>]* r="4"/g)).toHaveLength(3)
  })
})
