/** Photos take the place of their placeholders, and the table of objects stays right. */
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { makeSampleSheet } from '../../test/sample-sheet.ts'
import { renderSheetPdf } from '../features/fichas/sheet/document.ts'
import { createPlaceholders } from './pdf-photos.ts'

const client = { tenantId: 'reader', signal: new AbortController().signal }
const draw = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#7a2f3b' } })
const colours = await draw(90, 60).jpeg().toBuffer()
const grey = await draw(40, 60).toColourspace('b-w').jpeg().toBuffer()
const toPhoto = (bytes: Uint8Array, widthPx: number) => ({
  widthPx,
  heightPx: 60,
  sources: [{ widthPx, bytes }],
  alt: null,
})

test('a PDF has the photos unchanged, in their size and colours', async () => {
  const photos = [toPhoto(colours, 90), toPhoto(grey, 40)]
  const pdf = Buffer.from(await renderSheetPdf(makeSampleSheet({ photos }), client))
  for (const photo of [colours, grey]) expect(pdf.includes(photo)).toBe(true)
  expect(pdf.includes('placeholder ')).toBe(false)
  const images = pdf.toString('latin1').match(/<<[^<]*\/Filter \/DCTDecode[^>]*>>/g)!
  expect(images).toHaveLength(2)
  expect(images[0]).toMatch(/\/Width 90\s+\/Height 60\s+\/ColorSpace \d+ 0 R/)
  expect(images[1]).toMatch(/\/Width 40\s+\/Height 60\s+\/ColorSpace \/DeviceGray/)
})

test('texts of the listing are never taken for placeholders', async () => {
  const count = 6
  const photos = Array.from({ length: count }, (_, at) => ({
    ...toPhoto(colours, 90),
    alt: `placeholder ${count - 1 - at}.`,
  }))
  const property = { ...makeSampleSheet().property, title: 'placeholder 0.' }
  const pdf = Buffer.from(await renderSheetPdf(makeSampleSheet({ photos, property }), client))
  const text = pdf.toString('latin1')
  expect(text.split(colours.toString('latin1'))).toHaveLength(count + 1)
  expect(text.match(/\/Alt \(placeholder \d\.\)/g)).toHaveLength(count)
  expect(text).toContain('>placeholder 0.</rdf:li>')
})

test('a sheet always becomes the same file', async () => {
  const render = () => renderSheetPdf(makeSampleSheet({ photos: [toPhoto(colours, 90)] }), client)
  expect(Buffer.from(await render()).equals(await render())).toBe(true)
})

test('every object is where the table says', async () => {
  const photos = [toPhoto(colours, 90), toPhoto(grey, 40)]
  const pdf = Buffer.from(await renderSheetPdf(makeSampleSheet({ photos }), client)).toString('latin1')
  const start = Number(/startxref\n(\d+)/.exec(pdf)![1])
  expect(pdf.slice(start, start + 4)).toBe('xref')
  const offsets = [...pdf.slice(start).matchAll(/^(\d{10}) 00000 n/gm)].map(([, offset]) => Number(offset))
  expect(offsets.length).toBeGreaterThan(50)
  for (const [at, offset] of offsets.entries())
    expect(pdf.slice(offset, offset + 16)).toMatch(new RegExp(`^${at + 1} 0 obj`))
})

test('a file that is no JPEG, and a PDF of another program, are refused', () => {
  const { create, embed } = createPlaceholders('')
  const image = Buffer.concat([Buffer.from('<<\nstream\n'), create(3), Buffer.from('\nendstream')])
  expect(() => embed(image, new Map([[3, Buffer.from('GIF89a')]]))).toThrow('not a JPEG')
  expect(() => embed(Buffer.from('%PDF-1.7'), new Map())).toThrow('table of objects')
})
