/** Drawn streets stay within the map, and their names overlap nothing. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeCityTiles } from '../../../test/sample-city.ts'
import { drawStreets } from './draw-streets.ts'
import { clipLine, clipRing } from './geometry.ts'
import { drawStreetLabels } from './street-labels.ts'
import { createStreetsReader, type Streets } from './streets.ts'

const centre = { latitude: 41.39, longitude: 2.17 }
const plot = { width: 620, height: 403, unitsPerMeter: 0.3 }

async function readCity(): Promise<Streets> {
  const reader = createStreetsReader({ centre, halfWidthMeters: 1_100, halfHeightMeters: 700 })
  for (const tile of makeCityTiles(centre, 'Protomaps')) await reader.add(tile, tile.bytes)
  return { ...reader.finish()!.streets, attribution: '' }
}

/** The positions of the labels, in units. */
const findLabels = (svg: string) =>
  [...svg.matchAll(/translate\(([\d.-]+) ([\d.-]+)\)(?: rotate\(([\d.-]+)\))?"><text [^>]*>([^<]*)</g)].map(
    ([, x, y, angle, text]) => ({ x: Number(x), y: Number(y), angle: Number(angle ?? 0), text: text! }),
  )

test('the streets of a city are drawn below 300 KB, with nothing far outside of the map', async () => {
  const svg = drawStreets(await readCity(), plot)
  expect(svg.length).toBeGreaterThan(10_000)
  expect(svg.length).toBeLessThan(300_000)
  for (const [, x, y] of svg.matchAll(/M([\d.-]+) ([\d.-]+)l/g)) {
    expect(Math.abs(Number(x) - plot.width / 2)).toBeLessThanOrEqual(plot.width / 2 + 13)
    expect(Math.abs(Number(y) - plot.height / 2)).toBeLessThanOrEqual(plot.height / 2 + 13)
  }
})

describe('names', () => {
  test('are written along their streets, never upside down', async () => {
    const labels = findLabels(drawStreetLabels(await readCity(), plot, []))
    expect(labels.length).toBeGreaterThan(10)
    expect(labels.map(({ text }) => text)).toContain('Avinguda Diagonal')
    const diagonal = labels.find(({ text }) => text === 'Avinguda Diagonal')!
    expect(diagonal.angle).toBeCloseTo(-17.9, 0)
    for (const { angle } of labels) expect(Math.abs(angle)).toBeLessThanOrEqual(90)
  })

  test('keep pins free', async () => {
    const pin = { left: 100, top: 100, right: 500, bottom: 300 }
    const labels = findLabels(drawStreetLabels(await readCity(), plot, [pin]))
    expect(labels.length).toBeGreaterThan(0)
    for (const { x, y } of labels)
      expect(x > pin.left && x < pin.right && y > pin.top && y < pin.bottom).toBe(false)
  })

  test('are escaped', async () => {
    const streets = await readCity()
    const place = { kind: 'town' as const, name: '<b>"&', x: 0, y: 0 }
    const svg = drawStreetLabels({ ...streets, places: [place] }, plot, [])
    expect(svg).toContain('&lt;b&gt;&#34;&amp;')
    expect(svg).not.toContain('<b>')
  })
})

describe('clipping', () => {
  const coordinate = fc.double({ min: -300, max: 300, noNaN: true })
  const points = fc
    .array(fc.tuple(coordinate, coordinate), { minLength: 2, maxLength: 12 })
    .map(list => list.flat())
  const box = { left: -50, top: -40, right: 60, bottom: 70 }
  const isIn = (list: number[]) =>
    list.every((value, at) =>
      at % 2 === 0
        ? value >= box.left - 1e-6 && value <= box.right + 1e-6
        : value >= box.top - 1e-6 && value <= box.bottom + 1e-6,
    )

  test('keeps lines and rings within the box', () => {
    fc.assert(
      fc.property(points, list => {
        for (const part of clipLine(list, box)) expect(isIn(part)).toBe(true)
        expect(isIn(clipRing(list, box))).toBe(true)
      }),
    )
  })

  test('changes nothing inside, and removes everything outside', () => {
    expect(clipLine([0, 0, 10, 10, 20, 5], box)).toEqual([[0, 0, 10, 10, 20, 5]])
    expect(clipLine([100, 0, 100, 90], box)).toEqual([])
    expect(clipLine([-100, 0, 100, 0], box)).toEqual([[-50, 0, 60, 0]])
    expect(clipLine([0, 0, 100, 0, 100, 10, 0, 10], box)).toEqual([
      [0, 0, 60, 0],
      [60, 10, 0, 10],
    ])
    expect(clipRing([100, 100, 200, 100, 200, 200], box)).toEqual([])
    expect(clipRing([-500, -500, 500, -500, 500, 500, -500, 500], box)).toHaveLength(8)
  })
})
