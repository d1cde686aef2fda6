/** The privacy of a sheet hides numbers, streets and points. */
import { expect, test } from 'vitest'
import { metersBetween } from '../../domain/geo.ts'
import { fichaExample } from './examples.ts'
import { applyPrivacy, createTextReducer } from './privacy.ts'

const property = {
  ...fichaExample.property!,
  title: 'Piso en Carrer de Mallorca, 214',
  description: 'Vivir en Carrer de Mallorca, 214 es vivir bien.',
}
const seed = new Uint8Array(32).fill(77)
const apply = (
  address: 'full' | 'street' | 'hidden',
  coordinates: 'exact' | 'approximate' | 'hidden' = 'exact',
) => applyPrivacy(property, { address, coordinates }, seed)

test('all of the address is shown, only the street, or nothing, in texts too', () => {
  expect(apply('full')).toEqual(property)
  expect(apply('street')).toEqual({
    ...property,
    address: 'Carrer de Mallorca',
    title: 'Piso en Carrer de Mallorca',
    description: 'Vivir en Carrer de Mallorca es vivir bien.',
  })
  const hidden = apply('hidden')
  expect(hidden).toMatchObject({ address: null, postcode: null, municipality: 'Barcelona', title: 'Piso' })
  expect(JSON.stringify(hidden)).not.toContain('Mallorca')
})

test('the address and the postcode are reduced however the texts write them, also if no address is known', () => {
  const texts = {
    ...property,
    postcode: '08036',
    title: 'Piso en C/ Mallorca 214, 08036 Barcelona',
    description: null,
  }
  expect(applyPrivacy(texts, { address: 'hidden', coordinates: 'exact' }, seed).title).toBe('Piso, Barcelona')
  const unknown = { ...texts, address: null }
  const reduce = (address: 'street' | 'hidden') =>
    applyPrivacy(unknown, { address, coordinates: 'exact' }, seed).title
  expect(reduce('street')).toBe('Piso en C/ Mallorca, 08036 Barcelona')
  expect(reduce('hidden')).toBe('Piso, Barcelona')
})

test('a street in place of the neighbourhood is reduced, the neighbourhood is not', () => {
  const reduce = (neighbourhood: string) =>
    applyPrivacy({ ...property, neighbourhood }, { address: 'hidden', coordinates: 'exact' }, seed)
      .neighbourhood
  expect(reduce('Carrer de Mallorca, 214, Eixample')).toBe('Eixample')
  expect(reduce('Sant Gervasi - Galvany')).toBe('Sant Gervasi - Galvany')
})

test.each([
  ['Gran Vía, 45', null, 'Piso en Gran Vía 45, alto', 'Piso, alto'],
  ['Calle de Diego de León, 5', 'Calle de Diego de León', 'Piso en Diego de León, alto', 'Piso, alto'],
  ['Edificio Sol, Calle Mayor, 5', null, 'Piso en Calle Mayor con terraza', 'Piso con terraza'],
  ['12, rue de Rivoli', null, 'Studio donnant rue de Rivoli', 'Studio donnant'],
  ['5, Calle Mayor', null, 'Fachada a Calle Mayor', 'Fachada'],
])('with the address %j and the neighbourhood %j, %j becomes %j', (address, neighbourhood, title, hidden) => {
  const reduced = applyPrivacy(
    { ...property, address, neighbourhood, title },
    { address: 'hidden', coordinates: 'exact' },
    seed,
  )
  expect(reduced.title).toBe(hidden)
})

test('captions are reduced like texts', () => {
  const reduce = createTextReducer(property, 'hidden')
  expect(reduce('Façana del carrer de Mallorca, 214')).toBe('Façana')
  expect(reduce('Carrer de Mallorca, 214')).toBeNull()
  expect(reduce('Cocina')).toBe('Cocina')
  expect(reduce(null)).toBeNull()
})

test('an approximate point is 300 to 500 m away, and always the same; a hidden one is null', () => {
  const { latitude, longitude } = apply('full', 'approximate')
  const point = { latitude: latitude!, longitude: longitude! }
  const exact = { latitude: property.latitude!, longitude: property.longitude! }
  expect(metersBetween(point, exact)).toBeGreaterThan(290)
  expect(metersBetween(point, exact)).toBeLessThan(510)
  expect(apply('full', 'approximate')).toMatchObject(point)
  expect(apply('full', 'hidden')).toMatchObject({ latitude: null, longitude: null })
})
