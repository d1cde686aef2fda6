/** Codes can be scanned. */
import jsqr from 'jsqr'
import { expect, test } from 'vitest'
import { makeSampleSheet } from '../../test/sample-sheet.ts'
import { renderSheetHtml } from '../features/fichas/sheet/document.ts'
import { drawQr } from './qr.ts'

const links = [
  'https://fichas.example.org/share/fichas/3f9c0c2ad1b94c2c9fd2',
  'http://127.0.0.1:3000/share/fichas/a',
  `https://example.org/${'a'.repeat(280)}`,
]

test.each(links)('a reader finds the link: %s', link => {
  expect(readQr(drawQr(link, 'Ver en línea')!)).toBe(link)
})

test('the code of a sheet is the link that it is shared by', () => {
  const sheet = makeSampleSheet()
  const [svg] = renderSheetHtml(sheet).match(/(?<=<figure class="qr">)<svg.*?<\/svg>/s)!
  expect(readQr(svg)).toBe(sheet.shareUrl)
})

test('a link that is too long has no code', () => {
  expect(drawQr(`https://example.org/${'a'.repeat(281)}`, '')).toBeNull()
})

/** Draws the rectangles of the code in pixels, and scans them. */
function readQr(svg: string): string | undefined {
  const scale = 6
  const edge = 5
  const side = (Number(/viewBox="0 0 (\d+)/.exec(svg)![1]) + 2 * edge) * scale
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255)
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let row = (Number(y) + edge) * scale; row < (Number(y) + edge + 1) * scale; row++) {
      const start = row * side + (Number(x) + edge) * scale
      for (let at = start; at < start + Number(length) * scale; at++) pixels.fill(0, at * 4, at * 4 + 3)
    }
  // The package exports its function as `default` of a CommonJS module.
  return jsqr.default(pixels, side, side)?.data
}
