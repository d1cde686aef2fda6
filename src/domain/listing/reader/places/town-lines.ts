/** Recognizes addresses without a street. */
import { toIsoCountry } from '../countries.ts'
import type { ListingValues } from '../page-listing.ts'
import { toPhrase } from '../words/words.ts'
import { isPlace } from './place-line.ts'

const lengthMax = 160
const codePattern = /(?<!\S)\d{4,5}(?!\S)/
/** Countries where house numbers are as long as postcodes. */
const longNumberCountries = new Set(['US', 'CA', 'AU', 'NZ', 'ZA'])

/** True for an address that is only the town with its postcode, province or country: `Bayeux 14400`. */
export function isTownLine({ address, municipality, province, postcode, country }: ListingValues): boolean {
  if (address === null || address.length > lengthMax) return false
  const bare = postcode === null ? address : address.replace(postcode, '')
  const parts = bare.split(/[,()]|\s-\s/).flatMap(part => part.replace(codePattern, '').trim() || [])
  const names = new Set([municipality, province].map(name => toPhrase(name ?? '')))
  if (parts.every(part => names.has(toPhrase(part)) || toIsoCountry(part) !== null)) return true
  const [town = '', ...others] = parts
  return (
    municipality === null &&
    others.length === 0 &&
    codePattern.test(address) &&
    !longNumberCountries.has(country ?? '') &&
    isPlace(town)
  )
}
