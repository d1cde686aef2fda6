/** Copied, truncated and rewritten texts; photos on different hosts; references of advertisers. */
import { describe, expect, test } from 'vitest'
import {
  computeOverlap,
  findAdvertiserReference,
  findCadastralNumber,
  toPhotoKeys,
  toShingles,
} from './text-similarity.ts'

const text = `Magnífico piso situado en una de las mejores zonas de la Dreta de l'Eixample. Cuenta con 80 metros cuadrados,
3 dormitorios y 2 baños. Finca de 1930 con ascensor, balcón a la calle y suelos hidráulicos recuperados.`

describe('the overlap of a text with', () => {
  const overlapWith = (other: string, one = text) => {
    const [a, b] = [toShingles(one), toShingles(other)]
    expect(computeOverlap(a, b)).toBe(computeOverlap(b, a))
    return computeOverlap(a, b)
  }

  test.each<[what: string, other: string, atLeast: number, atMost: number]>([
    ['itself', text, 1, 1],
    ['itself in capitals and on one line', text.toUpperCase().replaceAll('\n', '  '), 1, 1],
    ['its beginning', text.slice(0, 130), 0.9, 1],
    [
      'itself with another closing',
      `${text} Llámenos sin compromiso, le atendemos en catalán, inglés y francés.`,
      1,
      1,
    ],
    [
      'itself with other figures',
      text.replace('80', '95').replace('3 dorm', '4 dorm').replace('2 ba', '1 ba'),
      0.6,
      0.8,
    ],
    [
      'another text',
      'Oportunidad para familias que quieran vivir en el centro sin renunciar a la tranquilidad ni a la luz.',
      0,
      0,
    ],
  ])('%s', (_what, other, atLeast, atMost) => {
    expect(overlapWith(other)).toBeGreaterThanOrEqual(atLeast)
    expect(overlapWith(other)).toBeLessThanOrEqual(atMost)
  })

  test.each(['', 'Piso en venta en Barcelona', '🏠 '.repeat(50)])(
    '%j is null: the text is too short',
    other => {
      expect(overlapWith(other)).toBeNull()
    },
  )

  test('a long text counts only its beginning', () => {
    expect(toShingles(Array.from({ length: 10_000 }, (_, index) => `w${index}`).join(' ')).size).toBe(248)
  })
})

test.each<[one: string, other: string, isSame: boolean]>([
  ['https://a.example/f/1207345-1.jpg', 'https://b.example/x/y/1207345-1.webp', true],
  ['https://a.example/f/1207345-1_800x600.jpg', 'https://a.example/f/1207345-1-large.jpg?v=2', true],
  ['https://a.example/f/1207345-1.jpg', 'https://a.example/f/1207345-2.jpg', false],
  ['https://a.example/77/1.jpg', 'https://a.example/77/1.jpg?w=400', true],
  ['https://a.example/77/1.jpg', 'https://a.example/78/1.jpg', false],
  ['https://a.example/77/main-photo.jpg', 'https://b.example/78/main-photo.jpg', false],
])('photos %s and %s: %s', (one, other, isSame) => {
  expect(toPhotoKeys([one]).isDisjointFrom(toPhotoKeys([other]))).toBe(!isSame)
})

test.each<[text: string, reference: string | null]>([
  ['Consúltanos. Ref. 934-22341.', '934-22341'],
  ['REF: AB1234', 'ab1234'],
  ['Referencia nº 12045/B', '12045/b'],
  ['Referência: LX-2201', 'lx-2201'],
  ['Ref 1234', '1234'],
  ['Referencia catastral en la nota simple', null],
  ['Reformado en 2020', null],
  ['Preferencia 1234', null],
  ['Ref. 12', null],
  ['', null],
])("the advertiser's reference in %j is %s", (text, reference) => {
  expect(findAdvertiserReference(text)).toBe(reference)
})

test.each<[text: string, reference: string | null]>([
  ['Ref. catastral: 9872023VH5797S0001WX', '9872023VH5797S0001WX'],
  ['Catastro 9872023 VH5797S 0001 WX.', '9872023VH5797S0001WX'],
  ['9872023VH5797S', null],
  ['Tel. 934123456', null],
])('the cadastral number in %j is %s', (text, reference) => {
  expect(findCadastralNumber(text)).toBe(reference)
})
