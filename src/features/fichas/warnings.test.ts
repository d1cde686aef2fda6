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
const today = Temporal.PlainDate.from('2026-12-01')
const listCodes = (changes: object) =>
  toWarnings({ ...content, ...changes }, today)
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

test('what the privacy hides is not stated, and still says which laws apply', () => {
  const hidden = {
    ...content,
    property: { ...content.property, municipality: null, province: null, postcode: '08036' },
  }
  const listLocation = (address: 'street' | 'hidden') =>
    toWarnings({ ...hidden, privacy: { ...privacy, address } }, today).filter(
      ({ code }) => code === 'LOCATION_MISSING',
    )
  expect(listLocation('street')).toEqual([])
  expect(listLocation('hidden')).toMatchObject([{ severity: 'required', law: { title: 'Llei 18/2007' } }])
})

test('a price without a currency is not printed, so it is missing', () => {
  const unpriced = { ...content, property: { ...content.property, currency: null } }
  expect(toWarnings(unpriced, today).map(({ code }) => code)).toContain('PRICE_MISSING')
})
