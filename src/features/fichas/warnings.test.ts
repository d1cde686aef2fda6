/** Warnings about the listing, beside those of the law. */
import { expect, test } from 'vitest'
import { fichaExample } from './examples.ts'
import { toWarnings } from './warnings.ts'

const { property, privacy, energy, advertising, layout, language } = fichaExample
const content = {
  property: property!,
  evidence: {},
  photos: [{ number: 1, alt: null }],
  photosFailed: 0,
  isReserved: false,
  privacy,
  energy,
  advertising,
  agent: null,
  layout,
  language,
}
const listCodes = (changes: object) =>
  toWarnings({ ...content, ...changes }, Temporal.PlainDate.from('2026-12-01'))
    .filter(({ law }) => law === null)
    .map(({ code }) => code)

test.each([
  [{}, []],
  [{ isReserved: true }, ['LISTING_RESERVED']],
  [{ photosFailed: 2 }, ['PHOTOS_FAILED']],
  [{ photos: [] }, ['NO_PHOTOS']],
])('%j is warned of as %j', (changes, codes) => {
  expect(listCodes(changes)).toEqual(codes)
})
