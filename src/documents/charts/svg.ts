/** SVG elements of the charts. They use attributes only, no styles, so that a content security policy allows them. */
import { escapeMarkup } from '../markup.ts'
import type { Palette } from '../palette.ts'

/** The target of a drawing. Lengths are in SVG user units; the font size is 12. */
export interface Canvas {
  width: number
  palette: Palette
}

export interface Point {
  x: number
  y: number
}

export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

export const ink = '#14181f'
/** Has a contrast of 7.6 with white. */
export const softInk = '#4a5361'
export const line = '#d5dae1'
/** The font of the PDF, also used on screens where it is installed. */
export const fontFamily = 'Source Sans 3'
const fontSize = 12

export type Attributes = Record<string, string | number>

export function createElement(name: string, attributes: Attributes, content = ''): string {
  const written = Object.entries(attributes)
    .map(
      ([key, value]) => ` ${key}="${escapeMarkup(typeof value === 'number' ? formatNumber(value) : value)}"`,
    )
    .join('')
  return content === '' ? `<${name}${written}/>` : `<${name}${written}>${content}</${name}>`
}

/** Draws text; `y` is the baseline. */
export function drawText({ x, y }: Point, text: string, attributes: Attributes = {}): string {
  return createElement('text', { x, y, fill: softInk, ...attributes }, escapeMarkup(text))
}

/** Draws text with a white outline, readable over lines. */
export function drawHaloText(at: Point, text: string, attributes: Attributes = {}): string {
  const halo = { stroke: '#ffffff', 'stroke-width': 3, 'stroke-linejoin': 'round', 'paint-order': 'stroke' }
  return drawText(at, text, { ...halo, ...attributes })
}

export function drawPath(points: readonly Point[], attributes: Attributes): string {
  return createElement('path', {
    d: points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${formatNumber(x)} ${formatNumber(y)}`).join(''),
    ...attributes,
  })
}

/** Draws a circle with the number of a comparable. */
export function drawNumberedPin({ x, y }: Point, radius: number, number: number, palette: Palette): string {
  const size = radius < 9 && number > 9 ? 9.5 : 11
  return (
    createElement('circle', {
      cx: x,
      cy: y,
      r: radius,
      fill: palette.accent,
      stroke: '#ffffff',
      'stroke-width': 1.2,
    }) +
    drawText({ x, y: y + size * 0.34 }, String(number), {
      'text-anchor': 'middle',
      'font-size': size,
      'font-weight': 600,
      fill: '#ffffff',
    })
  )
}

/** Returns an SVG document; `description` is its alternative text. */
export function drawSvg(width: number, height: number, description: string, content: string): string {
  return createElement(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${formatNumber(width)} ${formatNumber(height)}`,
      role: 'img',
      'aria-label': description,
      'font-family': fontFamily,
      'font-size': fontSize,
    },
    createElement('title', {}, escapeMarkup(description)) + content,
  )
}

/** Estimates the width of a text. The estimate is usually a little too large. */
export function estimateWidth(text: string, size = fontSize): number {
  return text.length * size * 0.54
}

export function createBox({ x, y }: Point, width: number, height: number): Box {
  return { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 }
}

export function overlaps(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
}

export function isWithin(one: Box, other: Box): boolean {
  return (
    one.left >= other.left && one.right <= other.right && one.top >= other.top && one.bottom <= other.bottom
  )
}

export function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value))
}

function formatNumber(value: number): string {
  return String(Math.round(value * 10) / 10)
}
