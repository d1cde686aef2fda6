/** Whole listings that exclude agencies: those of the simulator, and those in saved portal pages. */
import { expect, test } from 'vitest'
import { listShared, readShared } from '../../../test/shared.ts'
import { describeShared } from '../../../test/shared-tests.ts'
import { createWorld } from '../../simulator/world.ts'
import { extractText, findElements } from '../listing/html.ts'
import { statesNoAgencies } from './no-agencies.ts'

const world = await createWorld({ seed: 1, asOf: Date.parse('2026-11-01T00:00:00Z') })

test.each(['ES', 'PT', 'IT'] as const)(
  '%s: finds exactly the simulated listings that exclude agencies',
  country => {
    const listings = [...world.published(country)].map(world.listing)
    const listIds = (matches: (listing: (typeof listings)[number]) => boolean) =>
      listings.filter(matches).map(({ id }) => id)
    const expected = listIds(listing => listing.statesNoAgencies)
    expect(expected.length).toBeGreaterThan(200)
    expect(listIds(({ title, description }) => statesNoAgencies(`${title}\n${description}`))).toEqual(
      expected,
    )
  },
)

describeShared('saved pages', () => {
  const folders = ['listing-detail', 'listing-search', 'feeds', 'partner-json']
  const files = folders.flatMap(folder =>
    listShared(`fixtures/${folder}`)
      .filter(name => /\.(html|xml|json|csv|blm)$/.test(name) && !name.endsWith('.expected.json'))
      .map(name => `${folder}/${name}`),
  )
  // Checked by hand: an owner who rents out his flat, and one whose portal adds the sentence to all listings.
  const expectedPhrases = new Map([
    ['listing-search/idealista-es-2016-zona-rent.html', /^-ABSTENERSE AGENCIAS-CONTACTAR VÍA WHATSAPP/],
    ['listing-detail/immobilien-de-2026-9739832.html', /^Makleranfragen nicht erwünscht\. Nach § 7 UWG/],
  ])

  test.each(files)('%s', file => {
    // Splits at tags and quotation marks. The parts are texts of listings and of the portal itself.
    const parts = readShared(`fixtures/${file}`).split(/\\?"|\n|>|</)
    const found = parts.filter(statesNoAgencies)
    const expected = expectedPhrases.get(file)
    expect(found).toHaveLength(expected ? 1 : 0)
    if (expected) expect(found[0]).toMatch(expected)
  })

  test('finds one listing on a result page', () => {
    const page = readShared('fixtures/listing-search/idealista-es-2016-zona-rent.html')
    const descriptions = findElements(page, 'p', 'item-description').map(({ inner }) => extractText(inner))
    expect(descriptions).toHaveLength(29)
    expect(descriptions.map(statesNoAgencies).indexOf(true)).toBe(23)
    expect(descriptions.filter(statesNoAgencies)).toHaveLength(1)
  })
})
