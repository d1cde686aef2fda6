/** Which URLs are listings of a portal. */
import { expect, it } from 'vitest'
import { findListingId, toListingPath } from './listing-path.ts'

const url = new URL('https://portal.example/show.php?id=4711&from=mail')

it('finds the id in the path, without the query', () => {
  const pattern = /^\/inmueble\/(?<listingId>\d+)\/?$/
  const listing = new URL('https://portal.example/inmueble/4711/?from=mail#map')
  expect(findListingId(pattern, listing)).toBe('4711')
  expect(toListingPath(pattern, listing)).toBe('/inmueble/4711/')
  expect(findListingId(pattern, url)).toBeNull()
})

it('finds the id in the query, if the pattern has one', () => {
  const pattern = /^\/show\.php\?(?:.*&)?id=(?<listingId>\d+)/
  expect(findListingId(pattern, url)).toBe('4711')
  expect(toListingPath(pattern, url)).toBe('/show.php?id=4711&from=mail')
})

it('finds the same with a pattern that keeps a position', () => {
  const pattern = /^\/show\.php\?id=(?<listingId>\d+)/g
  expect([findListingId(pattern, url), findListingId(pattern, url)]).toEqual(['4711', '4711'])
})
