/** Parses phone numbers as people write them into E.164, for comparison and calls. */
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { memoize } from '../memoize.ts'

/**
 * The number in E.164 (`+34612345678`), read as dialled in `country` (ISO 3166-1 alpha-2). Null if there is none, or
 * more than one. An extension is dropped: E.164 has none.
 */
export function toE164(text: string, country: string): string | null {
  return parseE164(`${country} ${text}`)
}

// Memoized: an agency has the same number in all its listings.
const parseE164 = memoize((key: string) => {
  const space = key.indexOf(' ')
  const country = key.slice(0, space)
  const text = key.slice(space + 1)
  const number = parsePhoneNumberFromString(text, isSupportedCountry(country) ? country : undefined)
  return number?.isValid() ? number.number : null
})
