/** Parses the shapes of a TopoJSON file: id, name and centre. */

type Position = [x: number, y: number]

interface Shape {
  id: string
  properties: { name: string }
  type: 'Polygon' | 'MultiPolygon'
  arcs: number[][] | number[][][]
}

export interface Topology {
  transform: { scale: Position; translate: Position }
  objects: Record<string, { geometries: Shape[] }>
  /** Quantized: each position is relative to the previous one. */
  arcs: Position[][]
}

/** The shapes of one layer; the centre is that of the largest piece, in degrees. */
export function parseTopology(topology: Topology, layer: string) {
  const arcs = topology.arcs.map(arc => toPositions(arc, topology.transform))
  return topology.objects[layer]!.geometries.map(({ id, properties, type, arcs: indexes }) => {
    const outlines = (type === 'Polygon' ? [indexes] : indexes) as number[][][]
    const pieces = outlines.map(rings => toCentroid(rings[0]!.flatMap(index => toArc(arcs, index))))
    const largest = pieces.reduce((a, b) => (b.area > a.area ? b : a))
    return { id, name: properties.name, centre: { latitude: largest.y, longitude: largest.x } }
  })
}

function toPositions(arc: Position[], { scale, translate }: Topology['transform']): Position[] {
  let x = 0
  let y = 0
  return arc.map(step => {
    x += step[0]
    y += step[1]
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
  })
}

/** A negative index means the arc in reverse order. */
function toArc(arcs: Position[][], index: number): Position[] {
  return index < 0 ? arcs[~index]!.toReversed() : arcs[index]!
}

function toCentroid(ring: Position[]): { x: number; y: number; area: number } {
  // Coordinates are relative to the first corner: large ones would reduce the precision of small areas.
  const [originX, originY] = ring[0]!
  let doubled = 0
  let x = 0
  let y = 0
  for (const [index, [x2, y2]] of ring.entries()) {
    const [x1, y1] = ring[index - 1] ?? ring[0]!
    const cross = (x1 - originX) * (y2 - originY) - (x2 - originX) * (y1 - originY)
    doubled += cross
    x += (x1 + x2 - 2 * originX) * cross
    y += (y1 + y2 - 2 * originY) * cross
  }
  if (doubled === 0) return { x: originX, y: originY, area: 0 }
  return { x: originX + x / (3 * doubled), y: originY + y / (3 * doubled), area: Math.abs(doubled) }
}
