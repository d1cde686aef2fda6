/** Links that open a route in a map program. */
import { expect, test } from 'vitest'
import { toMapLinks } from './map-links.ts'

const toPlaces = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ latitude: 41 + index, longitude: -0.5 }))
const parse = (links: string[]) => links.map(link => Object.fromEntries(new URL(link).searchParams))

test('a route begins where the device is and visits every place once, in order', () => {
  const [one, two] = toPlaces(2)
  const [link] = parse(toMapLinks([one!, one!, two!, one!]))
  expect(link).toEqual({
    api: '1',
    travelmode: 'driving',
    waypoints: '41.000000,-0.500000|42.000000,-0.500000',
    destination: '41.000000,-0.500000',
  })
  expect(toMapLinks([])).toEqual([])
  expect(parse(toMapLinks([one!]))[0]).not.toHaveProperty('waypoints')
})

test('a long route has several links of at most nine places between, each from where the former ended', () => {
  const links = parse(toMapLinks(toPlaces(21)))
  expect(links.map(({ waypoints }) => waypoints?.split('|').length)).toEqual([9, 9, undefined])
  expect(links.map(({ origin, destination }) => [origin, destination])).toEqual([
    [undefined, '50.000000,-0.500000'],
    ['50.000000,-0.500000', '60.000000,-0.500000'],
    ['60.000000,-0.500000', '61.000000,-0.500000'],
  ])
})
