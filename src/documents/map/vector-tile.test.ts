/** Vector tiles are read by their specification, within limits. */
import fc from 'fast-check'
import { PbfWriter } from 'pbf'
import { describe, expect, test } from 'vitest'
import { encodeLayers } from '../../../test/encode-tile.ts'
import { readVectorTile, type TileFeature, TileRefused } from './vector-tile.ts'

interface ReadFeature extends TileFeature {
  parts: number[][]
}

function read(bytes: Uint8Array, budget = { features: 1_000, vertices: 10_000 }): ReadFeature[] {
  const found: ReadFeature[] = []
  readVectorTile(bytes, budget, {
    wantsLayer: name => name !== 'unwanted',
    select: feature => parts => {
      found.push({ ...feature, parts: parts.map(part => [...part].map(share => share * 4096)) })
    },
  })
  return found
}

/** A tile with one feature, whose geometry has these commands. */
function encodeCommands(commands: number[]): Uint8Array {
  const pbf = new PbfWriter()
  pbf.writeMessage(
    3,
    (_, pbf) => {
      pbf.writeTag(1, 2)
      pbf.writeString('roads')
      pbf.writeMessage(
        2,
        (_, pbf) => {
          pbf.writeTag(3, 0)
          pbf.writeVarint(3)
          pbf.writePackedVarint(4, commands)
        },
        null,
      )
    },
    null,
  )
  return pbf.finish()
}

test('features have their layer, type, attributes and geometry', () => {
  const coordinates = fc.array(fc.integer({ min: -5_000, max: 9_000 }), { minLength: 4, maxLength: 20 })
  const part = coordinates.map(list => list.slice(0, list.length - (list.length % 2)))
  const attributes = fc.dictionary(
    fc.string({ minLength: 1 }),
    fc.oneof(fc.string(), fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true })),
  )
  const type = fc.constantFrom('line' as const, 'polygon' as const)
  const feature = fc.record({ type, parts: fc.array(part, { minLength: 1, maxLength: 4 }), attributes })
  const toZero = (zero: number) => ({ type: 'line' as const, parts: [[0, 0, 9, 9]], attributes: { zero } })
  fc.assert(
    fc.property(fc.array(feature, { maxLength: 6 }), features => {
      const layers = new Map([
        ['roads', features],
        ['unwanted', features],
      ])
      const found = read(encodeLayers(layers))
      expect(found.map(({ attributes, ...rest }) => ({ ...rest, attributes: { ...attributes } }))).toEqual(
        features.map(feature => ({ layer: 'roads', ...feature })),
      )
    }),
    { examples: [[[toZero(0), toZero(-0)]]] },
  )
})

describe('a hostile tile', () => {
  test.each([
    ['a command that repeats half a billion times', [(1 << 3) | 1, 2, 2, 0xfffffffa]],
    ['an unknown command', [(1 << 3) | 5, 2, 2]],
    ['fewer coordinates than announced', [(1 << 3) | 1, 2, 2, (90 << 3) | 2, 2, 2]],
  ])('with %s is refused', (_, commands) => {
    expect(() => read(encodeCommands(commands))).toThrow(TileRefused)
  })

  test('may close a ring half a billion times: the count is ignored', () => {
    const closed = encodeCommands([(1 << 3) | 1, 2, 2, (2 << 3) | 2, 8, 0, 0, 8, 0xffffffff])
    expect(read(closed)[0]!.parts).toEqual([[1, 1, 5, 1, 5, 5]])
  })

  test('with too many features or vertices is refused', () => {
    const feature = { type: 'line' as const, parts: [[0, 0, 9, 9]], attributes: {} }
    const bytes = encodeLayers(new Map([['roads', Array(20).fill(feature)]]))
    expect(read(bytes, { features: 20, vertices: 40 })).toHaveLength(20)
    expect(() => read(bytes, { features: 19, vertices: 40 })).toThrow('too many features')
    expect(() => read(bytes, { features: 20, vertices: 39 })).toThrow('too many vertices')
  })

  test('of any bytes is read or refused, and nothing else', () => {
    const valid = encodeLayers(
      new Map([['roads', [{ type: 'line', parts: [[0, 0, 50, 60, 70, 80]], attributes: { name: 'Main' } }]]]),
    )
    const changed = fc
      .array(fc.tuple(fc.nat({ max: valid.length - 1 }), fc.nat({ max: 255 })), { maxLength: 4 })
      .map(changes => {
        const bytes = Uint8Array.from(valid)
        for (const [at, byte] of changes) bytes[at] = byte
        return bytes
      })
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), changed), bytes => {
        try {
          read(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(TileRefused)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})
