/** The privacy of a sheet hides numbers, streets and points. */
import { expect, test } from 'vitest'
import { metersBetween } from '../../domain/geo.ts'
import { fichaExample } from './examples.ts'
import { applyPrivacy, toStreet } from './privacy.ts'

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

test.each([
  ['Carrer de Mallorca, 214', 'Carrer de Mallorca'],
  ['Carrer de Mallorca 214, 3r 1a', 'Carrer de Mallorca'],
  ['Calle 8 de Marzo, 5', 'Calle 8 de Marzo'],
  ['Avenida 25 de Abril', 'Avenida 25 de Abril'],
  ['Via Roma 12/A', 'Via Roma'],
  ['Rua Augusta, n.º 20', 'Rua Augusta'],
  ['Camino Viejo, s/n', 'Camino Viejo'],
  ['12 rue de Rivoli', 'rue de Rivoli'],
])('the street of %j is %j', (address, street) => {
  expect(toStreet(address)).toBe(street)
})

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

test('an approximate point is 300 to 500 m away, and always the same; a hidden one is null', () => {
  const { latitude, longitude } = apply('full', 'approximate')
  const point = { latitude: latitude!, longitude: longitude! }
  const exact = { latitude: property.latitude!, longitude: property.longitude! }
  expect(metersBetween(point, exact)).toBeGreaterThan(290)
  expect(metersBetween(point, exact)).toBeLessThan(510)
  expect(apply('full', 'approximate')).toMatchObject(point)
  expect(apply('full', 'hidden')).toMatchObject({ latitude: null, longitude: null })
})
