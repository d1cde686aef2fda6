/** Floors in short texts, and what is none. */
import { describe, expect, it } from 'vitest'
import { readListing } from '../read-listing.ts'

const read = (body: string, head = 'Piso en venta en Getafe') =>
  readListing({
    html: `<!doctype html><html lang="es"><body><h1>${head}</h1><p>250.000 €</p><p>3 habitaciones</p>${body}</body></html>`,
    url: 'https://homes.example/listing/1234567',
    country: 'ES',
    currency: null,
  })!.values

describe('a short text', () => {
  it.each<[string, number]>([
    ['3ª planta', 3],
    ['Planta 3ª exterior con ascensor', 3],
    ['2° piano', 2],
    ['3º andar', 3],
    ['3ème étage', 3],
    ['2. OG', 2],
    ['1 piętro z 6', 1],
    ['Piso 3, exterior', 3],
    ['Planta 3', 3],
    ['3. patro', 3],
  ])('%s', (text, floor) => {
    expect(read(`<span>${text}</span>`)).toMatchObject({ floor, floorText: text })
  })

  it.each([
    '2 plantas',
    'Planta baja',
    'First floor',
    '3ª planta: cocina y 2 baños',
    'Planta 3 de 4 calles y 5',
    'Piso 3 habitaciones',
    'Piso 2 baños',
  ])('%s is no floor', text => {
    expect(read(`<span>${text}</span>`).floor).toBeNull()
  })

  it('is none beside another one', () => {
    expect(read('<span>1ª planta</span><span>2ª planta</span>').floor).toBeNull()
  })
})

it.each([{ stories: 1 }, { numberOfFloor: 1 }, { nbFloor: 1 }, { floor: '1 story' }, { level: '2 storeys' }])(
  'is none in data about the storeys of the building: %j',
  data => {
    const json = JSON.stringify({ id: 1234567, price: 250000, bedrooms: 3, ...data })
    expect(read(`<script type="application/json">${json}</script>`).floor).toBeNull()
  },
)

it('is not that of land, which has no rooms either', () => {
  const values = read('<span>3ª planta</span><p>500 m²</p>', 'Terreno en venta en Getafe')
  expect(values).toMatchObject({ subtype: 'land', floor: null, bedrooms: null, plotSquareMeters: 500 })
})
