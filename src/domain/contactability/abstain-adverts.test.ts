// Whole adverts that ask agencies to keep away: all those of the simulator, and those among the saved pages of portals.
import { expect, test } from 'vitest'
import { readShared, sharedNames } from '../../../test/shared.ts'
import { describeShared } from '../../../test/shared-tests.ts'
import { createWorld } from '../../simulator/world.ts'
import { elementsOf, textOf } from '../listing/html.ts'
import { agenciesAbstain } from './abstain.ts'

const world = await createWorld({ seed: 1, asOf: Date.parse('2026-11-01T00:00:00Z') })

test.each(['ES', 'PT', 'IT'] as const)('%s: the adverts of the simulator that ask, and no other', country => {
  const adverts = [...world.published(country)].map(world.advert)
  const told = (text: (advert: (typeof adverts)[number]) => boolean) =>
    adverts.filter(text).map(({ id }) => id)
  const expected = told(advert => advert.agenciesAbstain)
  expect(expected.length).toBeGreaterThan(200)
  expect(told(({ title, description }) => agenciesAbstain(`${title}\n${description}`))).toEqual(expected)
})

describeShared('saved pages', () => {
  const folders = ['listing-detail', 'listing-search', 'feeds', 'partner-json']
  const files = folders.flatMap(folder =>
    sharedNames(`fixtures/${folder}`)
      .filter(name => /\.(html|xml|json|csv|blm)$/.test(name) && !name.endsWith('.expected.json'))
      .map(name => `${folder}/${name}`),
  )
  // Read by hand: an owner who lets his flat, and one whose portal adds the request to all its adverts.
  const asking = new Map([
    ['listing-search/idealista-es-2016-zona-rent.html', /^-ABSTENERSE AGENCIAS-CONTACTAR VÍA WHATSAPP/],
    ['listing-detail/immobilien-de-2026-9739832.html', /^Makleranfragen nicht erwünscht\. Nach § 7 UWG/],
  ])

  test.each(files)('%s', file => {
    // Whatever stands between tags or quotation marks: texts of adverts, and all that portals say of agencies.
    const pieces = readShared(`fixtures/${file}`).split(/\\?"|\n|>|</)
    const found = pieces.filter(agenciesAbstain)
    const expected = asking.get(file)
    expect(found).toHaveLength(expected ? 1 : 0)
    if (expected) expect(found[0]).toMatch(expected)
  })

  test('one of the adverts of a page of results', () => {
    const page = readShared('fixtures/listing-search/idealista-es-2016-zona-rent.html')
    const descriptions = elementsOf(page, 'p', 'item-description').map(({ inner }) => textOf(inner))
    expect(descriptions).toHaveLength(29)
    expect(descriptions.map(agenciesAbstain).indexOf(true)).toBe(23)
    expect(descriptions.filter(agenciesAbstain)).toHaveLength(1)
  })
})
