/** Addresses as portals and people write them. */
import { describe, expect, test } from 'vitest'
import { compareStreets, parseStreetAddress } from './street-address.ts'

const same = 'same house'

test.each<[one: string, other: string, ReturnType<typeof compareStreets>]>([
  ['Carrer de Mallorca, 214', 'Carrer de Mallorca, 214', same],
  ['Carrer de Mallorca, 214', 'C/ Mallorca 214', same],
  ['Carrer de Mallorca, 214', 'CARRER DE MALLORCA 214', same],
  ['Carrer de Mallorca, 214', 'Mallorca nº 214, 3º 1ª', same],
  ['Carrer de Mallorca, 214', 'c. Mallorca, núm. 214', same],
  ['Carrer de Mallorca, 214', 'Calle Mallorca, 214, 08008 Barcelona', same],
  ['Carrer de Mallorca, 214', 'Carrer de Mallorca, 214-216', same],
  ['Carrer de Mallorca, 214', 'Carrer de Mallorca, 214 bis', same],
  ['Avinguda Diagonal 400', 'Avda. Diagonal, 400', same],
  ['Paseo de la Castellana, 12', 'Pº Castellana 12', same],
  ['Plaza Mayor, 3', 'Pl. Mayor 3', same],
  ['Calle 8 de Marzo, 5', 'C/ 8 de Marzo 5', same],
  ['Calle del Doctor Fleming, 7', 'C/ Dr. Fleming 7', same],
  ['Rua da Rosa, 12', 'R. da Rosa 12, 3º Esq', same],
  ['Avenida 25 de Abril, 40', 'Av. 25 de Abril 40', same],
  ['Via dei Serpenti, 12', 'via Serpenti 12/A', same],
  ["Carrer de l'Hospital, 5", 'Carrer Hospital 5', same],
  ['Carrer de Mallorca, 214', 'Carrer de Mallorca', 'same street'],
  ['Carrer de Mallorca, 214', 'Mallorca, s/n', 'same street'],
  ['Calle de Colón, 3', 'Calle de Colón, Valencia', 'same street'],
  ['Gran Vía, 3', 'Gran Vía de Don Diego López de Haro, 3', 'similar street'],
  ['Carrer de Mallorca, 214', 'Carrer de Mallorca, 216', 'other number'],
  ['Carrer de Mallorca, 214', 'Carrer de València, 214', 'other street'],
  ['Calle Mayor, 3', 'Plaza Mayor, 3', 'other street'],
])('%j and %j: %s', (one, other, verdict) => {
  const [a, b] = [parseStreetAddress(one)!, parseStreetAddress(other)!]
  expect(compareStreets(a, b)).toBe(verdict)
  expect(compareStreets(b, a)).toBe(verdict)
})

describe('the door', () => {
  test.each<[address: string, unit: string | null]>([
    ['Carrer de Mallorca 214, 3º 1ª', '3-1'],
    ['Carrer de Mallorca, 214, 3º 1ª', '3-1'],
    ['Carrer de Mallorca 214, 3-1', '3-1'],
    ['C/ Alcalá 20, 2º B', '2-b'],
    ['C/ Alcalá 20, bajo izq.', '0-izquierda'],
    ['C/ Alcalá, 20, planta 2, puerta B', '2-b'],
    ['Rua da Rosa 12, 3º Esq', '3-izquierda'],
    ['Rua da Rosa 12, r/c dto', '0-derecha'],
    ['Carrer de Mallorca 214, 3º', null],
    ['Carrer de Mallorca 214, Eixample', null],
    ['C/ Alcalá, 20, 2º B, 28009 Madrid', '2-b'],
    ['Carrer de Mallorca, 214, 08008 Barcelona', null],
    ['Carrer de Mallorca, 214-216', null],
    ['Carrer de Mallorca', null],
  ])('in %j is %s', (address, unit) => {
    expect(parseStreetAddress(address)!.unit).toBe(unit)
  })
})

test.each(['', '-', ', 214', 'de la'])('%j names no street', address => {
  expect(parseStreetAddress(address)?.name ?? null).toBeNull()
})

test('a number alone is the name of a street', () => {
  expect(parseStreetAddress('214')!.name).toBe('214')
})

test.each([
  ['Calle Constructor, 5', 'street', 'constructor'],
  ['Constructor 5', null, 'constructor'],
])('%j has the kind %s and the name %s', (address, kind, name) => {
  expect(parseStreetAddress(address)).toMatchObject({ kind, name, numbers: [5, 5] })
})

test('an extremely long address is parsed quickly', () => {
  expect(parseStreetAddress(`Mallorca ${'1 '.repeat(200_000)}plaza`)?.name).toMatch(/^mallorca/)
})
