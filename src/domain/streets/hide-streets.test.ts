/** Streets and house numbers are hidden however they are written; other prose stays. */
import { describe, expect, test } from 'vitest'
import { hideStreets, toStreet } from './hide-streets.ts'

test.each([
  ['Carrer de Mallorca, 214', 'Carrer de Mallorca'],
  ['Carrer de Mallorca 214, 3r 1a', 'Carrer de Mallorca'],
  ['Calle 8 de Marzo, 5', 'Calle 8 de Marzo'],
  ['Avenida 25 de Abril', 'Avenida 25 de Abril'],
  ['Via Roma 12/A', 'Via Roma'],
  ['Rua Augusta, n.º 20', 'Rua Augusta'],
  ['Camino Viejo, s/n', 'Camino Viejo'],
  ['12 rue de Rivoli', 'rue de Rivoli'],
  ['Carrer de Mallorca núm. 214', 'Carrer de Mallorca'],
  ['C/ Mallorca nº 214 3º 2ª', 'C/ Mallorca'],
  ['Via Roma n. 5', 'Via Roma'],
  ['12 Main St.', 'Main St.'],
  ['12 bis, rue de Rivoli', 'rue de Rivoli'],
  ['Hauptstraße 5a', 'Hauptstraße'],
  ['Mallorca kalea, 214', 'Mallorca kalea'],
  ['Mallorca 214, 3º 2ª', 'Mallorca'],
  ['Carretera N340, km 12,5', 'Carretera N340'],
  ['Calle Mayor 5 de Madrid', 'Calle Mayor'],
  ['Am Markt 3', 'Am Markt'],
  ['Chamartín', 'Chamartín'],
  ['Gran Vía, 45', 'Gran Vía'],
  ['Gran Vía de Colón, 45', 'Gran Vía de Colón'],
  ['Edificio Sol, Calle Mayor, 5', 'Calle Mayor'],
  ['12, rue de Rivoli', 'rue de Rivoli'],
  ['5, Calle Mayor', 'Calle Mayor'],
  ['Carrer del Mig-dia, 5', 'Carrer del Mig-dia'],
  ['número 5 de la calle Mayor', 'calle Mayor'],
  ['', ''],
])('the street of %j is %j', (address, street) => {
  expect(toStreet(address)).toBe(street)
})

const mallorca = 'Carrer de Mallorca'

describe('the known street', () => {
  test.each([
    // Spanish and Catalan, in all their short forms.
    ['Piso en C/ Mallorca 214 con terraza.', 'Piso en C/ Mallorca con terraza.', 'Piso con terraza.'],
    ['Piso en c. de Mallorca, 214.', 'Piso en c. de Mallorca.', 'Piso.'],
    ['Pis al Carrer de Mallorca núm. 214, lluminós', 'Pis al Carrer de Mallorca, lluminós', 'Pis, lluminós'],
    ['Mallorca 214, 3º 2ª. Reformado.', 'Mallorca. Reformado.', 'Reformado.'],
    [
      'Situado en la calle mallorca, nº 214, Barcelona',
      'Situado en la calle mallorca, Barcelona',
      'Situado, Barcelona',
    ],
    ['PISO EN CALLE MALLORCA 214 ESC. B', 'PISO EN CALLE MALLORCA', 'PISO'],
    [
      'El piso de Mallorca n.º 214-216 (2º B) es amplio',
      'El piso de Mallorca (2º B) es amplio',
      'El piso (2º B) es amplio',
    ],
    ['Carrer de Mallorca: tranquil·la', 'Carrer de Mallorca: tranquil·la', 'tranquil·la'],
    ['Vendo piso (C/Mallorca 214)', 'Vendo piso (C/Mallorca)', 'Vendo piso'],
    ['Carrer Mallorca, s/n. Pis', 'Carrer Mallorca. Pis', 'Pis'],
  ])('in %j', (text, withoutNumber, withoutStreet) => {
    expect(hideStreets(text, { street: mallorca, hides: 'number' })).toBe(withoutNumber)
    expect(hideStreets(text, { street: mallorca, hides: 'street' })).toBe(withoutStreet)
  })

  test.each([
    [
      'Via Roma',
      'Appartamento in Via Roma n. 5, secondo piano',
      'Appartamento in Via Roma, secondo piano',
      'Appartamento, secondo piano',
    ],
    ['Via Roma', 'Trilocale in via Roma 5 int. 3', 'Trilocale in via Roma', 'Trilocale'],
    [
      'Rua Augusta',
      'Apartamento T2 na Rua Augusta, nº 20, 3.º Esq.',
      'Apartamento T2 na Rua Augusta',
      'Apartamento T2',
    ],
    [
      'Rua 25 de Abril',
      'Moradia na R. 25 de Abril, 10, com jardim',
      'Moradia na R. 25 de Abril, com jardim',
      'Moradia, com jardim',
    ],
    ['Main Street', 'Flat at 12 Main St. with garden', 'Flat at Main St. with garden', 'Flat with garden'],
    ['Main Street', '12 Main Street, Dublin', 'Main Street, Dublin', 'Dublin'],
    [
      'rue de Rivoli',
      'Studio au 12 bis, rue de Rivoli, Paris',
      'Studio au rue de Rivoli, Paris',
      'Studio, Paris',
    ],
    ['Hauptstraße', 'Wohnung in der Hauptstr. 5a, hell', 'Wohnung in der Hauptstr., hell', 'Wohnung, hell'],
    ['Mallorca kalea', 'Pisua Mallorca kalea, 214, Bilbo', 'Pisua Mallorca kalea, Bilbo', 'Pisua, Bilbo'],
    ['Rúa do Príncipe', 'Piso na rúa do Príncipe 5, Vigo', 'Piso na rúa do Príncipe, Vigo', 'Piso, Vigo'],
    ['Carrer d’Aragó', 'Piso en C. Aragón 300, alto', 'Piso en C. Aragón, alto', 'Piso, alto'],
    ['Calle Doctor Fleming', 'Piso en Dr. Fleming 7. Metro', 'Piso en Dr. Fleming. Metro', 'Piso. Metro'],
    ['Calle de Diego de León', 'Piso en Diego de León, alto', 'Piso en Diego de León, alto', 'Piso, alto'],
  ])('%s in %j', (street, text, withoutNumber, withoutStreet) => {
    expect(hideStreets(text, { street, hides: 'number' })).toBe(withoutNumber)
    expect(hideStreets(text, { street, hides: 'street' })).toBe(withoutStreet)
  })
})

test('a name that is also that of the place counts only with a type or a number', () => {
  const place = { street: 'Carrer de Sant Gervasi', places: ['Sant Gervasi - Galvany', 'Barcelona'] }
  const hide = (text: string) => hideStreets(text, { ...place, hides: 'street' })
  expect(hide('Pis a Sant Gervasi, Barcelona')).toBe('Pis a Sant Gervasi, Barcelona')
  expect(hide('Pis a Sant Gervasi 12, Barcelona')).toBe('Pis, Barcelona')
  expect(hide('Pis al carrer Sant Gervasi, Barcelona')).toBe('Pis, Barcelona')
})

test.each([
  'Calle de Diego de León',
  'Calle de Diego de León, 5',
  'Diego de León, 5',
  'San Diego de Leónidas',
])('the place %j does not make its street a place', place => {
  const street = 'Calle de Diego de León'
  const hide = (text: string) => hideStreets(text, { street, places: [place], hides: 'street' })
  expect(hide('Piso en Diego de León, alto')).toBe('Piso, alto')
})

test.each([
  ['Gran Vía', 'Piso en Gran Vía, alto', 'Piso, alto'],
  ['Gran Vía', 'Piso en la Gran Vía 45, alto', 'Piso, alto'],
  ['Gran Vía', 'Piso en la Gran Vía de Madrid', 'Piso de Madrid'],
  [null, 'Piso en Gran Vía 45, alto', 'Piso, alto'],
  [null, 'Piso en Gran Vía, alto', 'Piso, alto'],
  [null, 'Piso a 200 m de Gran Vía, alto', 'Piso a 200 m de Gran Vía, alto'],
  ['Calle Ronda de Toledo', 'Piso en Ronda de Toledo, alto', 'Piso, alto'],
])('a type that is the name, with the street %j in %j', (street, text, hidden) => {
  expect(hideStreets(text, { street, hides: 'street' })).toBe(hidden)
})

test('a known name without the type of a street does not keep other streets', () => {
  const hide = (street: string) => hideStreets('Piso en calle Mayor, alto', { street, hides: 'street' })
  expect(hide('Edificio Sol')).toBe('Piso, alto')
  expect(hide('Calle del Sol')).toBe('Piso en calle Mayor, alto')
})

describe('a number before its street', () => {
  test.each([
    ['Situado en el número 5 de la calle Mayor', 'Situado en la calle Mayor', 'Situado'],
    ['Situado en el nº 5 de la calle mayor, alto', 'Situado en la calle mayor, alto', 'Situado, alto'],
    ['En el número 5 de la calle mayor hay un piso', 'En la calle mayor hay un piso', 'hay un piso'],
    ['Piso en el 5, 2º B de Gran Vía', 'Piso en Gran Vía', 'Piso'],
    ['Piso nº 5, calle Mayor. Alto', 'Piso calle Mayor. Alto', 'Piso. Alto'],
    ['Situat al número 214 del carrer de Mallorca', 'Situat al carrer de Mallorca', 'Situat'],
    ['Situado no número 5 da Rua Augusta', 'Situado no Rua Augusta', 'Situado'],
    ['Casa al civico 5 di via Roma', 'Casa al via Roma', 'Casa'],
    ['Studio au 12 de la rue de Rivoli', 'Studio au rue de Rivoli', 'Studio'],
  ])('in %j', (text, withoutNumber, withoutStreet) => {
    expect(hideStreets(text, { street: null, hides: 'number' })).toBe(withoutNumber)
    expect(hideStreets(text, { street: null, hides: 'street' })).toBe(withoutStreet)
  })
})

describe('an unknown street', () => {
  test.each([
    ['Piso en C/ Mallorca 214, 3º 2ª, Barcelona', 'Piso en C/ Mallorca, Barcelona', 'Piso, Barcelona'],
    ['Piso en avda. Diagonal, 640', 'Piso en avda. Diagonal', 'Piso'],
    ['Vivenda na rúa do Príncipe nº 5.', 'Vivenda na rúa do Príncipe.', 'Vivenda.'],
    ['Etxea Kale Nagusia 5, Donostia', 'Etxea Kale Nagusia, Donostia', 'Etxea, Donostia'],
    ['Pis a la plaça de Catalunya, 3. Alt', 'Pis a la plaça de Catalunya. Alt', 'Pis. Alt'],
    ['T3 na Av. da Liberdade 110', 'T3 na Av. da Liberdade', 'T3'],
    ['PISO EN LA AVENIDA GARCIA BARBON Nº8 BAJO', 'PISO EN LA AVENIDA GARCIA BARBON BAJO', 'PISO BAJO'],
    ['Ufficio in p.zza Dante, 3', 'Ufficio in p.zza Dante', 'Ufficio'],
    ['Bilocale, corso Buenos Aires 12/A', 'Bilocale, corso Buenos Aires', 'Bilocale'],
    ['House at 221B Baker Street.', 'House at Baker Street.', 'House.'],
    ['Appartement, 5 avenue Foch, lumineux', 'Appartement, avenue Foch, lumineux', 'Appartement, lumineux'],
    ['Haus, Goethestraße 12, Köln', 'Haus, Goethestraße, Köln', 'Haus, Köln'],
    ['Haus, Lindenweg 12, Köln', 'Haus, Lindenweg, Köln', 'Haus, Köln'],
    ['piso en calle mallorca 214.', 'piso en calle mallorca.', 'piso.'],
    ['Piso en venta en Calle de Mallorca, Barcelona', null, 'Piso en venta, Barcelona'],
    ['Calle de Mallorca', null, null],
  ])('in %j', (text, withoutNumber, withoutStreet) => {
    expect(hideStreets(text, { street: null, hides: 'number' })).toBe(withoutNumber ?? text)
    expect(hideStreets(text, { street: null, hides: 'street' })).toBe(withoutStreet)
  })
})

describe('prose stays:', () => {
  test.each([
    'A 200 m de la calle Mayor y a 5 min de la plaza de España.',
    'Plaza de garaje 2, plaza de parking incluida.',
    'En calle tranquila, 3 dormitorios y 2 baños.',
    'Ventanas a la calle. 3 habitaciones.',
    'Vía de acceso de 12 metros. Reformado en 2005.',
    'Largo de 20 m por 5 de ancho.',
    'Gran salón con vistas a Mallorca. Desde 214.000 €.',
    'Mallorca, 3 habitaciones, 85 m².',
    'Es ermöglicht uns, Verkäufer zu finden. Stellplatz 2, in Sackgasse, Radweg.',
    'Zwei Zimmer, 2. OG, Balkon, 85 m² Platz.',
    '3 Bedroom Terrace with 2 Bathrooms in a quiet way.',
    'Rua sem saída com 2 lugares; T2 com 80 m2.',
    'Via libera: 3 camere e 2 bagni a 5 minuti dal corso.',
    'À 5 minutes de la place, 3 pièces.',
    'Cerca de la Avenida Diagonal, con 3 plazas.',
    'Junto al Paseo Marítimo 2 habitaciones.',
    'Plaza nº 5 de garaje. Una gran vía de acceso. El 50 % de la plaza.',
    '- Cocina\n- Salón de 25 m²\n- 2 baños',
  ])('%j', text => {
    for (const hides of ['number', 'street'] as const) {
      expect(hideStreets(text, { street: null, hides })).toBe(text)
      expect(hideStreets(text, { street: mallorca, hides })).toBe(text)
    }
  })
})

test('no form of the address leaves the number or the street behind', () => {
  const types = ['Calle', 'calle', 'C/', 'c/', 'C.', 'Carrer', 'CARRER']
  const joints = [' ', ' de ']
  const numbers = [
    ' 214',
    ', 214',
    ' nº 214',
    ', nº214',
    ' n.º 214',
    ', núm. 214',
    ' número 214',
    ' - 214',
    ' 214 bis',
    ' 214-216',
  ]
  const doors = ['', ', 3º 2ª', ' 3r 1a', ', esc. A, 2º B', ', piso 4, puerta 2', ' bajo', ', 1º dcha.']
  for (const type of types)
    for (const joint of joints)
      for (const number of numbers)
        for (const door of doors)
          for (const street of [mallorca, null]) {
            const text = `Se vende en ${type}${joint}Mallorca${number}${door}, en Barcelona.`
            const place = { street }
            expect(hideStreets(text, { ...place, hides: 'number' })).not.toMatch(/214|216/)
            const hidden = hideStreets(text, { ...place, hides: 'street' })
            expect(hidden, text).not.toMatch(/214|216|Mallorca/)
            expect(hidden, text).toMatch(/^Se vende\b.*, en Barcelona\.$/)
          }
})

test('a hostile text takes little time', () => {
  const before = process.threadCpuUsage()
  for (const piece of [
    'calle ',
    'C/ A ',
    'calle de la ',
    '1 ',
    '1-',
    'Mallorca ',
    'Mallorca 214 ',
    ' ',
    '(C/ A 1)',
    'A kalea ',
    'el nº 5 de ',
    'el 5 de la calle ',
    'Gran Vía ',
  ])
    hideStreets(piece.repeat(20_000 / piece.length), { street: mallorca, hides: 'street' })
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(1500)
})
