/** The places in the parts of an address, which go from the street to the country. */
import { parseFeatureName } from '../../features.ts'
import { toIsoCountry } from '../countries.ts'
import { isListingWord } from '../guards/interface-words.ts'
import { allLanguages, findWords, toPhrase } from '../words/words.ts'
import { findRegionKind } from './regions.ts'
import { isStreetPart } from './streets.ts'

export interface PlaceParts {
  neighbourhood?: string
  municipality?: string
  province?: string
}

const lineMax = 160
const partsMax = 8
const placeName = /^\p{Lu}[\p{L} .'’/-]{1,40}$/u
/** Areas between a municipality and its province. */
const areaWords =
  /^(?:zona|comarca|costa|area|zone|region|gran|greater|metropolitan|alrededores)\b|\b(?:zona|zone|area|comarca|district)$/
/** Words that lead to a landmark. */
const landmarkWords =
  /^(?:after|near|behind|off|opposite|beside|by|close to|next to|junto|cerca|frente|detras|proximo|perto|vicino|presso|pres|nahe|bei|obok|kolo) /
/** Nouns that German headings write after "in", with a capital letter as names have. */
const situationWords =
  /^(?:\p{L}{3,}lage|\p{L}{3,}nahe|neubau|altbau|zentrum|innenstadt|stadtmitte|umgebung|grunen)(?: |$)/u
/** Countries where the place before a county is its town, and other places between are no districts. */
const countyCountries = new Set(['IE', 'GB', 'US', 'AU', 'CA'])
/** The last part of an address in these countries is its town, also without a province. */
const townCountries = new Set(['GB', 'IE', 'CZ'])
const ukPostcode = /(?:^|[\s,]+)[A-Z]{1,2}\d[A-Z\d]?(?: ?\d[A-Z]{2})?$/
const eircode = /(?:^|[\s,]+)(?:[AC-FHKNPRTV-Y]\d{2}|D6W) ?[0-9AC-FHKNPRTV-Y]{4}$/
/** Postal districts of one city: `Dublin 24`. */
const cityDistrict = /^(Dublin) \d{1,2}W?$/

/** The places of an address in one line (`Sandland Grove, Nantwich, Cheshire`); {} if their levels are uncertain. */
export function parsePlaceLine(text: string, country: string): PlaceParts {
  if (text.length > lineMax || !text.includes(',')) return {}
  const line = text.trim()
  const bare = omitPostcode(line, country)
  return parsePlaceParts(splitLine(bare, country), country, bare !== line)
}

/** The parts of a line, without empty ones. */
export function splitLine(line: string, country: string): string[] {
  // `Rua Augusta, 20 - Consolação, São Paulo - SP`
  const text = country === 'BR' ? line.replace(/ [-–] /g, ',') : line
  return text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
    .slice(-partsMax)
}

/** The line without the postcode at its end. */
export function omitPostcode(text: string, country: string): string {
  if (country === 'GB') return text.replace(ukPostcode, '')
  return country === 'IE' ? text.replace(eircode, '') : text
}

/** `parts`: from the smallest place to the largest. `isAddress`: they are known to be an address. */
export function parsePlaceParts(parts: readonly string[], country: string, isAddress = false): PlaceParts {
  const left = [...parts]
  const province = popRegions(left, country)
  const last = left.at(-1)
  if (last === undefined) return {}
  const found: PlaceParts = { ...(province !== undefined && { province }) }
  const city = cityDistrict.exec(last)?.[1]
  if (city !== undefined) return { ...found, municipality: city }
  const kind = findRegionKind(last, country)
  const isCode = province !== undefined && /^[A-Z]{2,3}$/.test(province)
  if (kind === 'city' || (kind === 'shared' && isCode))
    return { ...found, municipality: last, ...findDistrict(left, country) }
  if (kind === 'shared') return { ...found, ...readShared(left, country, province) }
  if (!isPlace(last) || left.length < 2) return found
  // Without a province, only an address says what its last part is.
  const isTown =
    province !== undefined || (townCountries.has(country) && (isAddress || isStreetPart(left[0]!)))
  return isTown ? { ...found, municipality: last, ...findDistrict(left, country) } : found
}

/** Removes the country and the regions at the end. The smallest region, or undefined. */
function popRegions(parts: string[], country: string): string | undefined {
  while (parts.length > 1 && toIsoCountry(parts.at(-1)!) === country) parts.pop()
  let province: string | undefined
  while (parts.length > 1 && findRegionKind(parts.at(-1)!, country) === 'apart') province = parts.pop()
  return province
}

/** The last part is the province, or its capital. */
function readShared(parts: readonly string[], country: string, province: string | undefined): PlaceParts {
  const last = parts.at(-1)!
  const between = parts.slice(1, -1)
  const before = between.at(-1)
  if (before !== undefined && toPhrase(before) === toPhrase(last))
    return { municipality: last, province: province ?? last, ...findDistrict(parts.slice(0, -1), country) }
  if (!between.some(isPlace)) return parts.slice(0, -1).some(isStreetPart) ? { municipality: last } : {}
  return countyCountries.has(country) && isPlace(before!)
    ? { municipality: before!, province: province ?? last }
    : {}
}

/** The district between the street and a town that is known to be the last part. */
export function findDistrict(parts: readonly string[], country: string): PlaceParts {
  if (countyCountries.has(country)) return {}
  const between = parts.slice(1, -1).filter(isPlace)
  return between.length === 1 ? { neighbourhood: between[0]! } : {}
}

/** The parts of a line up to the town; null if the town is not its last part. */
export function splitBefore(line: string, town: string, country: string): string[] | null {
  const parts = splitLine(omitPostcode(line.slice(0, lineMax).trim(), country), country)
  popRegions(parts, country)
  while (parts.length > 1 && toPhrase(parts.at(-2)!) === toPhrase(town)) parts.pop()
  return toPhrase(parts.at(-1) ?? '') === toPhrase(town) ? parts : null
}

/** True for the name of a place that is no street, no area of several towns and no word of listings. */
export function isPlace(text: string): boolean {
  if (!placeName.test(text) || isStreetPart(text)) return false
  // `Reformado`, `Balkon`
  if (isListingWord(text) || parseFeatureName(text) !== null) return false
  const phrase = toPhrase(text)
  return !areaWords.test(phrase) && !landmarkWords.test(phrase) && !situationWords.test(phrase)
}

const codePattern = /^(.{2,120}?)\s?\(([A-Z]{2})\)/u

/** `Monzuno - Bologna (BO)`: a town, the province and its code. `Flat a Monzuno (BO)`: a town and the code. */
export function parseCodedTown(heading: string, country: string): PlaceParts {
  const [, text, code] = country === 'IT' ? (codePattern.exec(heading) ?? []) : []
  if (text === undefined || findRegionKind(code!, country) !== 'apart') return {}
  const [last = '', before = ''] = text
    .split(/\s[-–|]\s/)
    .toReversed()
    .map(part => part.replace(/^.*(?:,|\s(?:a|ad|in)(?=\s))\s*/u, ''))
  if (findRegionKind(last, country) === 'shared' && isPlace(before) && !hasListingWord(before))
    return { municipality: before, province: last }
  return isPlace(last) && !hasListingWord(last) ? { municipality: last, province: code! } : {}
}

function hasListingWord(text: string): boolean {
  return (['operation', 'subtype'] as const).some(kind => findWords(kind, text, allLanguages).length > 0)
}
