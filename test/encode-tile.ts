/** Encodes vector tiles (Mapbox Vector Tile specification 2.1). */
import { PbfWriter } from 'pbf'

/** The side of a tile in its own units. */
export const extent = 4096

export interface EncodedFeature {
  type: 'point' | 'line' | 'polygon'
  parts: number[][]
  attributes: Record<string, string | number | boolean>
}

export function encodeLayers(layers: Map<string, EncodedFeature[]>): Uint8Array {
  const pbf = new PbfWriter()
  for (const [name, features] of layers)
    pbf.writeMessage(
      3,
      (_, pbf) => {
        pbf.writeTag(15, 0)
        pbf.writeVarint(2)
        pbf.writeTag(1, 2)
        pbf.writeString(name)
        const keys: string[] = []
        const values: (string | number | boolean)[] = []
        // Zeros of both signs are different values.
        const indexOf = <T>(list: T[], item: T) => {
          const found = list.findIndex(one => Object.is(one, item))
          return found < 0 ? list.push(item) - 1 : found
        }
        for (const { type, parts, attributes } of features) {
          const tags = Object.entries(attributes).flatMap(([key, value]) => [
            indexOf(keys, key),
            indexOf(values, value),
          ])
          pbf.writeMessage(
            2,
            (_, pbf) => {
              pbf.writePackedVarint(2, tags)
              pbf.writeTag(3, 0)
              pbf.writeVarint(['point', 'line', 'polygon'].indexOf(type) + 1)
              pbf.writePackedVarint(4, encodeGeometry(type, parts))
            },
            null,
          )
        }
        for (const key of keys) {
          pbf.writeTag(3, 2)
          pbf.writeString(key)
        }
        for (const value of values)
          pbf.writeMessage(
            4,
            (_, pbf) => {
              if (typeof value === 'string') {
                pbf.writeTag(1, 2)
                pbf.writeString(value)
              } else if (typeof value === 'number') {
                pbf.writeTag(3, 1)
                pbf.writeDouble(value)
              } else {
                pbf.writeTag(7, 0)
                pbf.writeBoolean(value)
              }
            },
            null,
          )
        pbf.writeTag(5, 0)
        pbf.writeVarint(extent)
      },
      null,
    )
  return pbf.finish()
}

function encodeGeometry(type: EncodedFeature['type'], parts: number[][]): number[] {
  const commands: number[] = []
  const zigzag = (value: number) => (value << 1) ^ (value >> 31)
  let [x, y] = [0, 0]
  for (const part of parts) {
    const write = (at: number) => {
      const [nextX, nextY] = [Math.round(part[at]!), Math.round(part[at + 1]!)]
      commands.push(zigzag(nextX - x), zigzag(nextY - y))
      ;[x, y] = [nextX, nextY]
    }
    commands.push((1 << 3) | 1)
    write(0)
    if (type !== 'point') {
      commands.push(((part.length / 2 - 1) << 3) | 2)
      for (let at = 2; at < part.length; at += 2) write(at)
    }
    if (type === 'polygon') commands.push((1 << 3) | 7)
  }
  return commands
}
