/** Codes can be scanned. */
import jsqr from 'jsqr'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { makeSampleSheet } from '../../test/sample-sheet.ts'
import { renderSheetHtml } from '../features/fichas/sheet/document.ts'
import { drawQr } from './qr.ts'

const links = [
  'https://fichas.example.org/share/fichas/3f9c0c2ad1b94c2c9fd2',
  'http://127.0.0.1:3000/share/fichas/a',
  `https://example.org/${'a'.repeat(280)}`,
]

test.each(links)('a reader finds the link: %s', async link => {
  expect(await readQr(drawQr(link, 'Ver en línea')!)).toBe(link)
})

test('the code of a sheet is the link that it is shared by', async () => {
  const sheet = makeSampleSheet()
  const [svg] = renderSheetHtml(sheet).match(/(?<=<figure class="qr">)<svg.*?<\/svg>/s)!
  expect(await readQr(svg)).toBe(sheet.shareUrl)
})

test('a link that is too long has no code', () => {
  expect(drawQr(`https://example.org/${'a'.repeat(281)}`, '')).toBeNull()
})

async function readQr(svg: string): Promise<string | undefined> {
  const { data, info } = await sharp(Buffer.from(svg))
    .resize(400)
    // A camera sees a dark edge.
    .extend({ top: 40, bottom: 40, left: 40, right: 40, background: '#333333' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  // The package exports its function as `default` of a CommonJS module.
  return jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data
}
