/** QR codes as SVG. */
import encodeQr from 'qr'
import { createElement, ink } from './charts/svg.ts'

/** The white border that readers need, in modules. */
const quietModules = 2
/** The longest URL that is still easy to scan in print. */
const textMax = 300

/** Returns an SVG document; `description` is its alternative text. Null if the text is too long for a small code. */
export function drawQr(text: string, description: string): string | null {
  if (text.length > textMax) return null
  const modules = encodeQr(text, 'raw', { ecc: 'medium', border: quietModules })
  // One path for all modules: a row of dark modules is one rectangle.
  const path = modules.map((row, y) =>
    toRuns(row)
      .map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)
      .join(''),
  )
  const side = modules.length
  const attributes = { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${side} ${side}` }
  return createElement(
    'svg',
    { ...attributes, role: 'img', 'aria-label': description, 'shape-rendering': 'crispEdges' },
    createElement('rect', { width: side, height: side, fill: '#ffffff' }) +
      createElement('path', { d: path.join(''), fill: ink }),
  )
}

/** The start and the length of each run of dark modules. */
function toRuns(row: boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = []
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1)
    if (!isDark) continue
    if (last && last[0] + last[1] === x) last[1]++
    else runs.push([x, 1])
  }
  return runs
}
