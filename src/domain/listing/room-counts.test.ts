/** Room counts in the nine languages of the portals, and lines that only look like counts. */
import { describe, expect, test } from 'vitest'
import { parseCountLabel, type RoomCounts } from './room-counts.ts'
import { parseDetailLines } from './vocabulary.ts'

const rows: [line: string, counts: RoomCounts & { squareMeters?: number }][] = [
  ['3 habitacions', { rooms: 3 }],
  ['2 dormitoris', { bedrooms: 2 }],
  ['2 banys', { bathrooms: 2 }],
  ['4 estancias', { rooms: 4 }],
  ['Nº de habitaciones: 3', { rooms: 3 }],
  ['Número de baños: 2', { bathrooms: 2 }],
  ['5 divisões', { rooms: 5 }],
  ['3 dormitórios', { bedrooms: 3 }],
  ['2 banheiros', { bathrooms: 2 }],
  ['Número de quartos: 2', { bedrooms: 2 }],
  ['4 locali', { rooms: 4 }],
  ['2 camere da letto', { bedrooms: 2 }],
  ['Numero bagni: 2', { bathrooms: 2 }],
  ['4 pièces', { rooms: 4 }],
  ['3 chambres', { bedrooms: 3 }],
  ["1 salle d'eau", { bathrooms: 1 }],
  ['Nombre de pièces : 5', { rooms: 5 }],
  ['3 Zimmer', { rooms: 3 }],
  ['3,5 Zimmer', { rooms: 3.5 }],
  ['4 ½ Zimmer', { rooms: 4.5 }],
  ['3-Zimmer-Wohnung', { rooms: 3 }],
  ['Zimmer: 3,5', { rooms: 3.5 }],
  ['Zimmer 3', { rooms: 3 }],
  ['Anzahl Zimmer: 4', { rooms: 4 }],
  ['Anzahl Schlafzimmer: 2', { bedrooms: 2 }],
  ['2 Bäder', { bathrooms: 2 }],
  ['Badezimmer 1', { bathrooms: 1 }],
  ['4 kamers', { rooms: 4 }],
  ['4 kamers (3 slaapkamers)', { rooms: 4, bedrooms: 3 }],
  ['Aantal kamers: 5', { rooms: 5 }],
  ['1 badkamer', { bathrooms: 1 }],
  ['3 beds', { bedrooms: 3 }],
  ['3 bed', { bedrooms: 3 }],
  ['2 baths', { bathrooms: 2 }],
  ['3 beds, 2 baths', { bedrooms: 3, bathrooms: 2 }],
  ['3 beds | 2 baths | 86 m²', { bedrooms: 3, bathrooms: 2, squareMeters: 86 }],
  ['5 rooms', { rooms: 5 }],
  ['3 bds, 2 ba', { bedrooms: 3, bathrooms: 2 }],
  ['3 bd', { bedrooms: 3 }],
  ['3 slpk', { bedrooms: 3 }],
  ['3 habs.', { rooms: 3 }],
  ['4-Raum-Wohnung', { rooms: 4 }],
  ['3 Räume', { rooms: 3 }],
  ['2 sdb', { bathrooms: 2 }],
  ['Bedrooms: 3', { bedrooms: 3 }],
  ['3 pokoje', { rooms: 3 }],
  ['Liczba pokoi: 5', { rooms: 5 }],
  ['2 sypialnie', { bedrooms: 2 }],
  ['2 łazienki', { bathrooms: 2 }],
  ['Ohne Badezimmer', { bathrooms: 0 }],
  ['86 metros quadrados', { squareMeters: 86 }],
  ['86 mètres carrés', { squareMeters: 86 }],
  ['86 Quadratmeter', { squareMeters: 86 }],
  ['86 vierkante meter', { squareMeters: 86 }],
  ['86 metri quadrati', { squareMeters: 86 }],
  ['86 m kw.', { squareMeters: 86 }],
  ['Grundstücksfläche: 500 m²', {}],
  ['Perceeloppervlakte: 500 m²', {}],
  ['500 m² działki', {}],
  ['Habitación 3', {}],
  ['3 habitables', {}],
  ['2 cameras', {}],
  ['3 bedside tables', {}],
  ['Zimmermann 3', {}],
]

describe('a line', () => {
  test.each(rows)('%s', (line, counts) => {
    const { rooms, bedrooms, bathrooms, squareMeters } = parseDetailLines([line])
    const found = Object.entries({ rooms, bedrooms, bathrooms, squareMeters }).filter(
      ([, value]) => value !== undefined,
    )
    expect(Object.fromEntries(found)).toEqual(counts)
  })
})

test.each([
  ['Slaapkamers', 'bedrooms'],
  ['Anzahl Zimmer:', 'rooms'],
  ['Baños', 'bathrooms'],
  ['Bedroom', 'bedrooms'],
  ['Color', null],
])('the label %s counts %s', (label, kind) => {
  expect(parseCountLabel(label)).toBe(kind)
})
