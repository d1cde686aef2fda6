/** Telephone numbers as people write them, into the one form in which they can be compared and called. */
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { memoize } from '../memoize.ts'

/**
 * The number in E.164 (`+34612345678`), read as somebody in `country` (ISO 3166-1 alpha-2) would dial it;
 * null if there is none, or more than one. An extension is dropped: E.164 has none.
 */
export function toE164(text: string, country: string): string | null {
  return parseE164(`${country} ${text}`)
}

// An agency has one number in all its adverts.
const parseE164 = memoize((key: string) => {
  const space = key.indexOf(' ')
  const country = key.slice(0, space)
  const text = key.slice(space + 1)
  const number = parsePhoneNumberFromString(text, isSupportedCountry(country) ? country : undefined)
  return number?.isValid() ? number.number : null
})
