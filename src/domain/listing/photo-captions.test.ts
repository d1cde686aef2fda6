/** Captions are those of single photos, in the words of the page. */
import { expect, test } from 'vitest'
import { findPhotoCaptions } from './photo-captions.ts'

const url = 'https://portal.example/piso/1'
const toUrl = (number: number) => `https://portal.example/fotos/${number}.jpg`
const find = (alts: string[], title: string | null = 'Piso en venta en Vigo') => {
  const html = alts.map((alt, index) => `<figure><img alt="${alt}" src="/fotos/${index + 1}.jpg"></figure>`)
  const photoUrls = alts.map((_, index) => toUrl(index + 1))
  const captions = findPhotoCaptions(html.join('\n'), { url, title, photoUrls })
  return photoUrls.map(one => captions.get(one) ?? null)
}

test('the position among the photos is no part of a caption', () => {
  expect(find(['Sal&oacute;n — foto 1 de 12', 'Cocina, photo 2/12', 'Baño 3'])).toEqual([
    'Salón',
    'Cocina',
    'Baño',
  ])
})

test('an area, a year and a code keep their digits', () => {
  const alts = ['Salón de 25 m2', 'Casa de 1998', 'Piso de 90m2', 'Terraza foto3']
  expect(find(alts)).toEqual([...alts.slice(0, 3), 'Terraza'])
})

test('what says nothing about the photo is no caption', () => {
  expect(find(['', 'Foto 2', 'IMG_3.jpg', 'Piso en venta en Vigo, foto 4', '12', 'Imagen'])).toEqual(
    Array(6).fill(null),
  )
  expect(find(['Inmobiliaria Sol', 'Inmobiliaria Sol', 'Inmobiliaria Sol', 'Terraza'])).toEqual([
    null,
    null,
    null,
    'Terraza',
  ])
  expect(find(['a'.repeat(301)])).toEqual([null])
})

test('images that are no photos of the listing are left out; lazy photos are found', () => {
  const html = `<img src="/logo.png" alt="Logo"><img src="data:image/gif;base64,A" data-src="/fotos/1.jpg" alt="Patio">`
  expect([...findPhotoCaptions(html, { url, title: null, photoUrls: [toUrl(1)] })]).toEqual([
    [toUrl(1), 'Patio'],
  ])
})

test('a hostile page takes little time', () => {
  const before = process.threadCpuUsage()
  for (const piece of [
    '<img',
    '<img alt="1',
    '<img alt="foto 1 de 1 " src=/1>',
    `<img alt="${'- '.repeat(150)}" src=/1>`,
  ])
    findPhotoCaptions(piece.repeat(8_000_000 / piece.length), { url, title: 'a', photoUrls: [toUrl(1)] })
  expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(2500)
})
