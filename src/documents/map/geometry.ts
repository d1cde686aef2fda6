/** Clips lines and polygons, given as `x, y, x, y, …`. Every function takes time in proportion to its input. */
import type { Box } from '../charts/svg.ts'

export type Coordinates = ArrayLike<number>

export function computeBox(points: Coordinates): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  for (let at = 0; at + 1 < points.length; at += 2) {
    const [x, y] = [points[at]!, points[at + 1]!]
    if (x < box.left) box.left = x
    if (x > box.right) box.right = x
    if (y < box.top) box.top = y
    if (y > box.bottom) box.bottom = y
  }
  return box
}

/** Returns the parts of a line within the box (Liang–Barsky). */
export function clipLine(points: Coordinates, box: Box): number[][] {
  const parts: number[][] = []
  let part: number[] = []
  for (let at = 0; at + 3 < points.length; at += 2) {
    const [x, y, toX, toY] = [points[at]!, points[at + 1]!, points[at + 2]!, points[at + 3]!]
    const [dx, dy] = [toX - x, toY - y]
    let from = 0
    let to = 1
    for (const [step, room] of [
      [-dx, x - box.left],
      [dx, box.right - x],
      [-dy, y - box.top],
      [dy, box.bottom - y],
    ] as const) {
      if (step === 0) {
        if (room < 0) to = -1
      } else if (step < 0) from = Math.max(from, room / step)
      else to = Math.min(to, room / step)
    }
    if (from > to) {
      if (part.length > 0) parts.push(part)
      part = []
      continue
    }
    if (part.length === 0 || from > 0) {
      if (part.length > 0) parts.push(part)
      part = [x + from * dx, y + from * dy]
    }
    part.push(x + to * dx, y + to * dy)
    if (to < 1) {
      parts.push(part)
      part = []
    }
  }
  if (part.length > 0) parts.push(part)
  return parts
}

/** Returns the part of a ring within the box (Sutherland–Hodgman), or an empty array. */
export function clipRing(points: Coordinates, box: Box): number[] {
  const { left, top, right, bottom } = box
  let ring: number[] = Array.from(points)
  // The axis of the edge, its position, and the side on which points are kept.
  for (const [axis, limit, sign] of [
    [0, left, 1],
    [0, right, -1],
    [1, top, 1],
    [1, bottom, -1],
  ] as const) {
    const clipped: number[] = []
    for (let at = 0; at < ring.length; at += 2) {
      const before = at === 0 ? ring.length - 2 : at - 2
      const [x, y, fromX, fromY] = [ring[at]!, ring[at + 1]!, ring[before]!, ring[before + 1]!]
      const depth = ((axis === 0 ? x : y) - limit) * sign
      const fromDepth = ((axis === 0 ? fromX : fromY) - limit) * sign
      if (depth >= 0 !== fromDepth >= 0) {
        const share = fromDepth / (fromDepth - depth)
        clipped.push(fromX + share * (x - fromX), fromY + share * (y - fromY))
      }
      if (depth >= 0) clipped.push(x, y)
    }
    ring = clipped
  }
  return ring
}

/** Removes points that are nearer than `distance` to the point before. Keeps the ends. */
export function simplify(points: Coordinates, distance: number): number[] {
  if (points.length < 4) return Array.from(points)
  const kept = [points[0]!, points[1]!]
  for (let at = 2; at + 1 < points.length; at += 2) {
    const [x, y] = [points[at]!, points[at + 1]!]
    const isLast = at + 3 >= points.length
    if (isLast || Math.hypot(x - kept.at(-2)!, y - kept.at(-1)!) >= distance) kept.push(x, y)
  }
  return kept
}
