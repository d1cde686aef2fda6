/** Saved pages of real portals with the markup of portal F, and some without it. */
import { expect, test } from 'vitest'
import { readShared } from '../../../test/shared.ts'
import { describeShared } from '../../../test/shared-tests.ts'
import { portalF } from './portal-f.ts'

const details = portalF.details!

describeShared('saved pages with the same markup', () => {
  const load = (name: string) => {
    const text = readShared(`fixtures/listing-detail/${name}.html`)
    const expected = readShared(`fixtures/listing-detail/${name}.expected.json`)
    return { text, expected: JSON.parse(expected) as Record<string, unknown> & { url: string } }
  }

  test.each([
    ['zoopla-uk-2018-43719239', ['municipality', 'latitude', 'longitude']],
    ['kleinanzeigen-de-2026-3323958001', ['price', 'currency', 'latitude', 'longitude']],
  ])('%s: its markup is read, with its values unchanged', (name, fields) => {
    const { text, expected } = load(name)
    const result = details.read({ text, url: expected.url })
    if (result.kind !== 'listing') throw new Error(result.kind)
    for (const field of fields)
      expect([field, result.listing[field as 'price']]).toEqual([field, expected[field]])
    for (const field of ['price', 'squareMeters', 'bedrooms', 'bathrooms', 'operation'] as const)
      expect([null, expected[field]]).toContain(result.listing[field])
  })

  test.each([
    'realestateindia-in-2026-1131690-served',
    'wyomingmls-us-2017-20176813',
    're-renting-es-2018-1',
  ])('%s: a page without the markup of a listing is unreadable', name => {
    const { text, expected } = load(name)
    expect(details.read({ text, url: expected.url })).toMatchObject({ kind: 'unreadable', reason: 'layout' })
  })
})
