/** The meaning of words in listings, including false friends. */
import { describe, expect, test } from 'vitest'
import type { ListingFacts } from './listing.ts'
import { parseDetailLines, parseFeature, parsePathWords, parseTitleWords } from './vocabulary.ts'

describe('detail lines', () => {
  const rows: [line: string, facts: ListingFacts][] = [
    ['86 m² construidos', { squareMeters: 86 }],
    ['75 m² útiles', {}],
    ['70 m² construidos, 65 m² útiles', { squareMeters: 70 }],
    ['65 m² útiles, 1.070,5 m² construidos', { squareMeters: 1070.5 }],
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
    [
      'Planta 3ª exterior con ascensor',
      { floorText: 'Planta 3ª exterior con ascensor', features: ['exterior', 'lift'] },
    ],
    [
      'Planta 12ª interior sin ascensor',
      { floorText: 'Planta 12ª interior sin ascensor', features: ['interior'] },
    ],
    [
      '7ª planta exterior sin ascensor',
      { floorText: '7ª planta exterior sin ascensor', features: ['exterior'] },
    ],
    ['5th floor exterior', { floorText: '5th floor exterior', features: ['exterior'] }],
    ['Bajo interior', { floorText: 'Bajo interior', features: ['interior'] }],
    ['Sótano con ascensor', { floorText: 'Sótano con ascensor', features: ['lift'] }],
    ['Exterior con ascensor', { features: ['exterior', 'lift'] }],
    ['Última planta', { features: ['top_floor'] }],
    ['Plaza de garaje incluida en el precio', { features: ['parking'] }],
    ['Terraza y balcón', { features: ['terrace', 'balcony'] }],
    ['Armarios empotrados', { features: ['fitted_wardrobes'] }],
    ['Aire acondicionado', { features: ['air_conditioning'] }],
    ['Sin ascensor', {}],
    ['No tiene piscina', {}],
    ['Carpintería exterior de aluminio', {}],
    ['Construido en 2024', {}],
    ['Certificado energético: Clase E', {}],
    ['', {}],
  ]
  test.each(rows)('%s', (line, facts) => {
    expect(parseDetailLines([line])).toEqual(facts)
  })

  test('the first line with a value wins, and features are collected', () => {
    expect(parseDetailLines(['86 m² construidos', '90 m²', 'Terraza', 'Con ascensor', 'Terraza'])).toEqual({
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
    expect(parseTitleWords(title)).toEqual(facts)
  })
})

test.each<[path: string, facts: ListingFacts]>([
  ['/venta/viviendas/barcelona/', { operation: 'sale', propertyType: 'homes' }],
  ['/alquiler/locales/madrid', { operation: 'rent', propertyType: 'premises' }],
  ['/for-sale/details/71365505/', { operation: 'sale' }],
  ['/inmueble/1678322/', {}],
])('the path %s', (path, facts) => {
  expect(parsePathWords(path)).toEqual(facts)
})

test.each([
  ['Ascensor', 'lift'],
  ['Swimming pool', 'pool'],
  ['Portero físico', 'concierge'],
  ['Sin ascensor', null],
  ['Mascotas permitidas', null],
])('the feature %s is %s', (label, feature) => {
  expect(parseFeature(label)).toBe(feature)
})

describe('Portuguese', () => {
  test.each<[line: string, facts: ListingFacts]>([
    ['T2', { bedrooms: 2 }],
    ['Tipologia: T3+1', { bedrooms: 3 }],
    ['T0', { bedrooms: 0 }],
    ['3 quartos', { bedrooms: 3 }],
    ['2 casas de banho', { bathrooms: 2 }],
    ['1 casa de banho', { bathrooms: 1 }],
    ['Casas de banho: 2', { bathrooms: 2 }],
    ['Sem casa de banho', { bathrooms: 0 }],
    ['86 m² de área bruta', { squareMeters: 86 }],
    ['Área bruta: 86,5 m2', { squareMeters: 86.5 }],
    ['Área útil: 75 m²', {}],
    ['Área do terreno: 500 m²', {}],
    ['Terraço de 20 m²', { features: ['terrace'] }],
    ['Rés do chão', { floorText: 'Rés do chão' }],
    ['R/C', { floorText: 'R/C' }],
    ['3º andar com elevador', { floorText: '3º andar com elevador', features: ['lift'] }],
    ['Andar: 5º', { floorText: 'Andar: 5º' }],
    ['Piso: -1', { floorText: 'Piso: -1' }],
    ['Cave', { floorText: 'Cave' }],
    ['Último andar', { features: ['top_floor'] }],
    ['No último piso', { features: ['top_floor'] }],
    ['Sem elevador', {}],
    ['Não tem varanda', {}],
    ['Vídeo porteiro', {}],
    ['Porteiro', { features: ['concierge'] }],
    ['Lugar no estacionamento', { features: ['parking'] }],
    ['Roupeiros embutidos', { features: ['fitted_wardrobes'] }],
    ['Para recuperar', { condition: 'to_renovate' }],
    ['Condição: Novo', { condition: 'new' }],
    ['Estado: Bom', { condition: 'good' }],
    ['Em bom estado', { condition: 'good' }],
    ['Cozinha com 12 m²', {}],
    ['Rua do Quarto 3', {}],
  ])('%s', (line, facts) => {
    expect(parseDetailLines([line])).toEqual(facts)
  })

  test.each<[title: string, facts: ListingFacts]>([
    ['Apartamento T2 para arrendar em Rua da Rosa', { operation: 'rent', propertyType: 'homes' }],
    ['Apartamento T2 no último piso para venda', { operation: 'sale', propertyType: 'homes' }],
    ['Moradia à venda com garagem', { operation: 'sale', propertyType: 'homes' }],
    ['Loja para arrendar em Rua da Casa Alta', { operation: 'rent', propertyType: 'premises' }],
    ['Escritório para venda', { operation: 'sale', propertyType: 'offices' }],
    ['Lugar de garagem para venda', { operation: 'sale', propertyType: 'garages' }],
    ['Apartamento T1 arrendado para venda', { operation: 'sale', propertyType: 'homes' }],
    ['Prédio para venda', { operation: 'sale' }],
  ])('%s', (title, facts) => {
    expect(parseTitleWords(title)).toEqual(facts)
  })
})

describe('Italian', () => {
  test.each<[line: string, facts: ListingFacts]>([
    ['3 locali', { rooms: 3 }],
    ['Locali: 3', { rooms: 3 }],
    ['2 camere da letto', { bedrooms: 2 }],
    ['1 bagno', { bathrooms: 1 }],
    ['Bagni: 2', { bathrooms: 2 }],
    ['95 mq', { squareMeters: 95 }],
    ['1.250 mq commerciali', { squareMeters: 1250 }],
    ['Superficie calpestabile: 80 mq', {}],
    ['Giardino di 50 mq', { features: ['garden'] }],
    ['Piano terra', { floorText: 'Piano terra' }],
    ['Piano: terra', { floorText: 'Piano: terra' }],
    ['Piano: 4', { floorText: 'Piano: 4' }],
    ['4° piano con ascensore', { floorText: '4° piano con ascensore', features: ['lift'] }],
    ['Seminterrato', { floorText: 'Seminterrato' }],
    ['Piano rialzato', { floorText: 'Piano rialzato' }],
    ['Ultimo piano', { features: ['top_floor'] }],
    ['Piano cottura', {}],
    ['3 piani', {}],
    ['Esposizione esterna', { features: ['exterior'] }],
    ['Senza ascensore', {}],
    ['Nessun balcone', {}],
    ['Non ha giardino', {}],
    ['Posto auto', { features: ['parking'] }],
    ['Armadi a muro', { features: ['fitted_wardrobes'] }],
    ['Servizio di portineria', { features: ['concierge'] }],
    ['Da ristrutturare', { condition: 'to_renovate' }],
    ['Nuovo', { condition: 'new' }],
    ['Nuovo / In costruzione', { condition: 'new' }],
    ['Bagno nuovo', {}],
    ['Buono / Abitabile', { condition: 'good' }],
    ['Ottimo / Ristrutturato', { condition: 'good', features: ['renovated'] }],
  ])('%s', (line, facts) => {
    expect(parseDetailLines([line])).toEqual(facts)
  })

  test.each<[title: string, facts: ListingFacts]>([
    ['Trilocale in vendita in Via Roma', { operation: 'sale', propertyType: 'homes' }],
    ['Attico in affitto', { operation: 'rent', propertyType: 'homes' }],
    ['Appartamento affittato in vendita', { operation: 'sale', propertyType: 'homes' }],
    ['Locale commerciale in affitto', { operation: 'rent', propertyType: 'premises' }],
    ['Box auto in vendita', { operation: 'sale', propertyType: 'garages' }],
    ['Studio professionale in affitto', { operation: 'rent', propertyType: 'offices' }],
    ['Appartamento con box auto', { propertyType: 'homes' }],
    ['Palazzo in vendita', { operation: 'sale' }],
  ])('%s', (title, facts) => {
    expect(parseTitleWords(title)).toEqual(facts)
  })
})

test('false friends: an intercom is not a doorman, and a Spanish "no" is a negation', () => {
  expect(
    parseDetailLines([
      'Portero automático',
      'No tiene piscina',
      'No lift',
      'No dispone de calefacción',
      'Sin amueblar',
    ]),
  ).toEqual({})
})
