/** Whole adverts that ask agencies to keep away: all those of the simulator, and those among the saved pages of portals. */
import { expect, test } from 'vitest'
import { listShared, readShared } from '../../../test/shared.ts'
import { describeShared } from '../../../test/shared-tests.ts'
import { createWorld } from '../../simulator/world.ts'
import { extractText, findElements } from '../listing/html.ts'
import { statesNoAgencies } from './no-agencies.ts'

const world = await createWorld({ seed: 1, asOf: Date.parse('2026-11-01T00:00:00Z') })

test.each(['ES', 'PT', 'IT'] as const)('%s: the adverts of the simulator that ask, and no other', country => {
  const listings = [...world.published(country)].map(world.listing)
  const countListings = (text: (listing: (typeof listings)[number]) => boolean) =>
    listings.filter(text).map(({ id }) => id)
  const expected = countListings(listing => listing.statesNoAgencies)
  expect(expected.length).toBeGreaterThan(200)
  expect(countListings(({ title, description }) => statesNoAgencies(`${title}\n${description}`))).toEqual(
    expected,
  )
})

describeShared('saved pages', () => {
  const folders = ['listing-detail', 'listing-search', 'feeds', 'partner-json']
  const files = folders.flatMap(folder =>
    listShared(`fixtures/${folder}`)
      .filter(name => /\.(html|xml|json|csv|blm)$/.test(name) && !name.endsWith('.expected.json'))
      .map(name => `${folder}/${name}`),
  )
  // Read by hand: an owner who lets his flat, and one whose portal adds the request to all its adverts.
  const expectedPhrases = new Map([
    ['listing-search/idealista-es-2016-zona-rent.html', /^-ABSTENERSE AGENCIAS-CONTACTAR VÍA WHATSAPP/],
    ['listing-detail/immobilien-de-2026-9739832.html', /^Makleranfragen nicht erwünscht\. Nach § 7 UWG/],
  ])

  test.each(files)('%s', file => {
    // Whatever stands between tags or quotation marks: texts of adverts, and all that portals say of agencies.
    const parts = readShared(`fixtures/${file}`).split(/\\?"|\n|>|</)
    const found = parts.filter(statesNoAgencies)
    const expected = expectedPhrases.get(file)
    expect(found).toHaveLength(expected ? 1 : 0)
    if (expected) expect(found[0]).toMatch(expected)
  })

  test('one of the adverts of a page of results', () => {
    const page = readShared('fixtures/listing-search/idealista-es-2016-zona-rent.html')
    const descriptions = findElements(page, 'p', 'item-description').map(({ inner }) => extractText(inner))
    expect(descriptions).toHaveLength(29)
    expect(descriptions.map(statesNoAgencies).indexOf(true)).toBe(23)
    expect(descriptions.filter(statesNoAgencies)).toHaveLength(1)
  })
})
