// Words of adverts, and what they mean; also those that look like a word and are none.
import { describe, expect, test } from 'vitest'
import type { ListingFacts } from './listing.ts'
import { readDetailLines, readFeature, readFloor, readPathWords, readTitleWords } from './vocabulary.ts'

describe('lines of characteristics', () => {
  const rows: [line: string, facts: ListingFacts][] = [
    ['86 m² construidos', { squareMeters: 86 }],
    ['75 m² útiles', {}],
    ['3 habitaciones', { rooms: 3 }],
    ['1 habitación', { rooms: 1 }],
    ['Sin habitación', { rooms: 0 }],
    ['2 hab.', { rooms: 2 }],
    ['2 dormitorios', { bedrooms: 2 }],
    ['1 baño', { bathrooms: 1 }],
    ['4 bedrooms', { bedrooms: 4 }],
    ['Segunda mano/buen estado', { condition: 'good' }],
    ['Segunda mano/para reformar', { condition: 'to_renovate' }],
    ['Promoción de obra nueva', { condition: 'new' }],
    ['Second hand/good condition', { condition: 'good' }],
    ['Planta 3ª exterior con ascensor', { floor: '3', features: ['exterior', 'lift'] }],
    ['Planta 12ª interior sin ascensor', { floor: '12', features: ['interior'] }],
    ['5th floor exterior', { floor: '5', features: ['exterior'] }],
    ['Bajo interior', { floor: '0', features: ['interior'] }],
    ['Sótano con ascensor', { floor: '-1', features: ['lift'] }],
    ['Exterior con ascensor', { features: ['exterior', 'lift'] }],
    ['Última planta', { features: ['topFloor'] }],
    ['Plaza de garaje incluida en el precio', { features: ['parking'] }],
    ['Terraza y balcón', { features: ['terrace', 'balcony'] }],
    ['Armarios empotrados', { features: ['wardrobes'] }],
    ['Aire acondicionado', { features: ['airConditioning'] }],
    ['Sin ascensor', {}],
    ['No tiene piscina', {}],
    ['Carpintería exterior de aluminio', {}],
    ['Construido en 2024', {}],
    ['Certificado energético: Clase E', {}],
    ['', {}],
  ]
  test.each(rows)('%s', (line, facts) => {
    expect(readDetailLines([line])).toEqual(facts)
  })

  test('the first line that tells a value counts, and features add up', () => {
    expect(readDetailLines(['86 m² construidos', '90 m²', 'Terraza', 'Con ascensor', 'Terraza'])).toEqual({
      squareMeters: 86,
      features: ['terrace', 'lift'],
    })
  })
})

describe('titles', () => {
  const rows: [title: string, facts: ListingFacts][] = [
    ['Piso en venta en Carrer de Galileu', { operation: 'sale', propertyType: 'homes' }],
    ['Ático en alquiler en Calle de la Venta', { operation: 'rent', propertyType: 'homes' }],
    ['Piso en Calle de la Venta', { propertyType: 'homes' }],
    ['Oficina en Avenida del General Perón', { propertyType: 'offices' }],
    ['Local comercial en Calle de la Princesa', { propertyType: 'premises' }],
    ['Plaza de garaje en Calle de la Casa Alta', { propertyType: 'garages' }],
    ['Piso con plaza de garaje y trastero', { propertyType: 'homes' }],
    ['Terreno con casa en ruinas', {}],
    ['4 bed semi-detached house for sale', { operation: 'sale', propertyType: 'homes' }],
    ['Office to let', { operation: 'rent', propertyType: 'offices' }],
    ['Pisotear la ventana', {}],
  ]
  test.each(rows)('%s', (title, facts) => {
    expect(readTitleWords(title)).toEqual(facts)
  })
})

test.each<[path: string, facts: ListingFacts]>([
  ['/venta/viviendas/barcelona/', { operation: 'sale', propertyType: 'homes' }],
  ['/alquiler/locales/madrid', { operation: 'rent', propertyType: 'premises' }],
  ['/for-sale/details/71365505/', { operation: 'sale' }],
  ['/inmueble/1678322/', {}],
])('the path %s', (path, facts) => {
  expect(readPathWords(path)).toEqual(facts)
})

test.each<[label: string, floor: string | null]>([
  ['3', '3'],
  ['Planta 3ª', '3'],
  ['3rd', '3'],
  ['-1', '-1'],
  ['Bajo', '0'],
  ['Planta baja', '0'],
  ['Ground', '0'],
  ['Semisótano', '-1'],
  ['Entresuelo', 'entresuelo'],
  ['alta', null],
])('the floor %s is %s', (label, floor) => {
  expect(readFloor(label)).toBe(floor)
})

test.each([
  ['Ascensor', 'lift'],
  ['Swimming pool', 'pool'],
  ['Portero físico', 'doorman'],
  ['Sin ascensor', null],
  ['Mascotas permitidas', null],
])('the feature %s is %s', (label, feature) => {
  expect(readFeature(label)).toBe(feature)
})
