/**
 * Completes and corrects the places of a listing: the levels of an address follow from the names of provinces, from
 * breadcrumbs and from headings. What stays uncertain stays empty.
 */
import { countriesOfLanguage, findCurrencyOfCountry } from '../countries.ts'
import type { Evidence, ListingField, ListingValues } from '../page-listing.ts'
import { toPhrase } from '../words/words.ts'
import { isNamedTown } from './named-towns.ts'
import {
  findDistrict,
  isPlace,
  omitPostcode,
  type PlaceParts,
  parseCodedTown,
  parsePlaceLine,
  splitBefore,
  splitLine,
} from './place-line.ts'
import { findRegionKind, listCountriesOfRegion, mayBeProvince } from './regions.ts'
import { hasStreet, isStreetPart } from './streets.ts'
import { parseTrail, type TrailPlaces } from './trail.ts'

/** The texts of a page that name the place of its listing. */
export interface PlaceTexts {
  /** Title and headings. */
  headings: readonly string[]
  /** Breadcrumbs. */
  trails: readonly (readonly string[])[]
  url: string
  /** ISO 639-1. */
  language: string | null
}

type PlaceField = 'address' | 'neighbourhood' | 'municipality' | 'province' | 'country'

const confidence = 0.6
/** Countries where towns are written with their district: `Düsseldorf - Flingern Nord`. */
const joinedCountries = new Set(['DE', 'AT', 'PL', 'CZ'])
/** German headings write nouns as names. */
const nounCountries = new Set(['DE', 'AT', 'CH'])
const headingMax = 200
const headingSources = new Set(['h1', 'title', 'og:title', 'heading'])
/** `Frankfurt am Main` has no district, and neither has `Praha 5`. */
const districtPattern = /^(?!(?:am|an|im|in|ob|bei|unter|auf|nad|pod|u)\s)\p{Lu}[^\d]*$/iu
/** `Wohnung in Lichtenberg` */
const placePattern = /\s(?:in|en|em|a|à|w|v|ve|te)\s(\p{Lu}[\p{L}'’-]+(?: \p{L}[\p{L}'’-]*){0,4})(?=,|$)/u
const areaPattern = /(?<!\p{L})(?:okr|okres|powiat|pow|kreis|landkreis)\b\.? [^,|]{2,40}/giu

/** Changes the values in place; `evidence` names what was derived. */
export function derivePlaces(values: ListingValues, evidence: Evidence, texts: PlaceTexts): void {
  const headings = texts.headings.map(toHeadingLine)
  let namedWords = ''
  const set = (field: PlaceField, value: string, where: string) => {
    const old = evidence[field]
    const losers = old === undefined || values[field] === null ? [] : [{ ...old, value: values[field] }]
    values[field] = value
    evidence[field] = {
      source: 'derived',
      where,
      confidence,
      others: losers.map(({ value: lost, source, where: place }) => ({ value: lost, source, where: place })),
    }
  }
  if (values.country === null && !isContradiction('country')) {
    const country = findCountry(values, headings, texts)
    if (country !== null) set('country', country, 'province')
  }
  cleanNames()
  const { country } = values
  if (country === null) return
  settleMunicipality()
  settleProvince(country)
  const trail = readTrails(country)
  if (trail !== null) correctLevels(trail)
  const heading = headings.find(line => isWholeAddress(line, country))
  if (values.address === null && heading !== undefined && !isContradiction('address'))
    set('address', heading, 'heading')
  const isOfHeading = headingSources.has(evidence.address?.where ?? '')
  if (values.address !== null)
    fill(
      isOfHeading ? parseHeadingPlaces(values.address) : parsePlaceLine(values.address, country),
      'address',
    )
  if (trail !== null) fill(trail, 'breadcrumb')
  for (const text of texts.headings) fill(parseCodedTown(text.slice(0, headingMax), country), 'heading')
  for (const line of headings) fill(parseHeadingPlaces(line), 'heading')
  divideMunicipality(country)
  fillNeighbourhood(country)

  function isContradiction(field: ListingField): boolean {
    return values[field] === null && evidence[field]?.confidence === 0
  }

  function isLike(field: PlaceField, name: string): boolean {
    return toPhrase(values[field] ?? '') === toPhrase(name)
  }

  /** Other words than places may stand in a heading, at its end (`Park Road, Corner Plot`) and before the town. */
  function parseHeadingPlaces(line: string): PlaceParts {
    const found = parsePlaceLine(line, country!)
    const { neighbourhood, ...places } = found
    const { municipality, province } = places
    const isSure =
      municipality === undefined ||
      province !== undefined ||
      findRegionKind(municipality, country!) !== null ||
      omitPostcode(line, country!) !== line ||
      isNamedTown(municipality, { ...texts, description: values.description ?? '' })
    if (!isSure) return {}
    return hasStreet(line.split(',')[0]!) ? found : places
  }

  function cleanNames(): void {
    for (const field of ['neighbourhood', 'municipality', 'province'] as const)
      values[field] = values[field]?.replace(/[\s,;.(]*(?:\([^()]*\)?)?[\s,;(]*$/, '') || null
  }

  /** Sources name two towns: if one is the district, the other is the town. */
  function settleMunicipality(): void {
    if (!isContradiction('municipality') || values.neighbourhood === null) return
    const towns = evidence.municipality!.others.filter(({ value }) => !isLike('neighbourhood', String(value)))
    if (new Set(towns.map(({ value }) => toPhrase(String(value)))).size !== 1) return
    set('municipality', String(towns[0]!.value), towns[0]!.where)
  }

  /** Data may name a town or a district as the region. */
  function settleProvince(code: string): void {
    const { province } = values
    if (province === null || mayBeProvince(province, code)) return
    const other = evidence.province?.others.find(({ value }) => mayBeProvince(String(value), code))
    if (other !== undefined) set('province', String(other.value), other.where)
    else {
      values.province = null
      delete evidence.province
    }
  }

  function isNamed(place: string): boolean {
    return namedWords.includes(` ${toPhrase(place)} `)
  }

  function readTrails(code: string): TrailPlaces | null {
    const path = URL.parse(texts.url)?.pathname ?? ''
    // `okres Karlovy Vary` names no town.
    const text = [...texts.headings, values.address ?? '', decodeSafely(path)]
      .join(' | ')
      .replace(areaPattern, '')
    namedWords = ` ${toPhrase(text)} `
    const found = texts.trails.flatMap(trail => parseTrail(trail, code, isNamed) ?? [])
    return found.find(({ municipality }) => municipality !== undefined) ?? found[0] ?? null
  }

  /** Data may name a district as the town, or a town as the province. */
  function correctLevels({ province, municipality, neighbourhood, below }: TrailPlaces): void {
    // Codes of data may name an area that nothing else on the page does.
    const isOdd =
      evidence.neighbourhood?.source === 'state' &&
      !isNamed(values.neighbourhood ?? '') &&
      !below.includes(toPhrase(values.neighbourhood ?? ''))
    if (isOdd && neighbourhood !== undefined && isNamed(neighbourhood))
      set('neighbourhood', neighbourhood, 'breadcrumb')
    const { province: oldProvince, municipality: oldTown } = values
    if (oldProvince !== null && findRegionKind(oldProvince, country!) === null) {
      const lower = [...below, toPhrase(municipality ?? '')]
      if (lower.includes(toPhrase(oldProvince))) set('province', province!, 'breadcrumb')
    }
    const isStated = evidence.municipality?.source === 'text' || evidence.municipality?.source === 'pairs'
    if (isStated || oldTown === null || municipality === undefined || !below.includes(toPhrase(oldTown)))
      return
    if (values.neighbourhood === null) set('neighbourhood', oldTown, evidence.municipality?.where ?? '')
    set('municipality', municipality, 'breadcrumb')
  }

  function fill(found: PlaceParts, where: string): void {
    for (const field of ['province', 'municipality', 'neighbourhood'] as const) {
      const name = found[field]
      if (name === undefined || values[field] !== null || isContradiction(field)) continue
      // The district of another town is none of this one.
      if (field === 'neighbourhood' && !isLike('municipality', found.municipality ?? '')) continue
      if (field === 'neighbourhood' && isLike('municipality', name)) continue
      if (field === 'municipality' && isLike('neighbourhood', name)) continue
      set(field, name, where)
    }
  }

  /** `Düsseldorf - Flingern Nord`, `Dahlem, Berlin`, `Düsseldorf Derendorf` under the breadcrumb `Düsseldorf`. */
  function divideMunicipality(code: string): void {
    const town = values.municipality
    if (town === null) return
    const divide = (municipality: string, district: string) => {
      set('municipality', municipality, evidence.municipality?.where ?? '')
      if (values.neighbourhood === null) set('neighbourhood', district, evidence.municipality?.where ?? '')
    }
    const [first = '', second = '', ...others] = town.split(/,\s*/)
    if (second !== '' && others.length === 0 && findRegionKind(second, code) === 'city') divide(second, first)
    if (!joinedCountries.has(code)) return
    const [, whole, part] = /^(\p{Lu}[\p{L} .-]*?)(?: [-–/] )(\p{Lu}.*)$/u.exec(town) ?? []
    if (whole !== undefined) divide(whole, part!)
    const above = texts.trails.flat().find(place => town.startsWith(`${place} `))
    const district = above === undefined ? '' : town.slice(above.length + 1)
    if (districtPattern.test(district)) divide(above!, district)
  }

  function fillNeighbourhood(code: string): void {
    if (values.neighbourhood !== null || values.municipality === null || isContradiction('neighbourhood'))
      return
    for (const line of [values.address ?? '', ...headings]) {
      const parts = splitBefore(line, values.municipality, code)
      if (line !== values.address && !hasStreet(parts?.[0] ?? '')) continue
      const { neighbourhood } = parts === null ? {} : findDistrict(parts, code)
      if (neighbourhood === undefined || isLike('province', neighbourhood)) continue
      set('neighbourhood', neighbourhood, line === values.address ? 'address' : 'heading')
      return
    }
    // A listing in a district of a city that is a province: `Villa in Dubai Hills`.
    if (findRegionKind(values.municipality, code) !== 'city' || nounCountries.has(code)) return
    const district = texts.headings.flatMap(text => placePattern.exec(cutHeading(text))?.[1] ?? [])[0]
    if (district !== undefined && isPlace(district) && findRegionKind(district, code) === null)
      set('neighbourhood', district, 'heading')
  }
}

/**
 * The country of a province that the page names. Countries share names of provinces, so that the currency of the price
 * has to fit, or else the language of the page.
 */
function findCountry(
  { province, address, currency }: ListingValues,
  headings: readonly string[],
  { trails, language }: PlaceTexts,
): string | null {
  const speaking = language === null ? null : countriesOfLanguage(language)
  const tails = [address ?? '', ...headings].flatMap(line => splitLine(line, '').slice(1))
  for (const name of [province ?? '', ...tails, ...trails.flat()]) {
    if (/^Dublin \d{1,2}W?$/.test(name)) return 'IE'
    const found = listCountriesOfRegion(name.replace(/^(?:Co\.?|County) /, '')).filter(country =>
      currency === null
        ? (speaking?.includes(country) ?? isLong(name))
        : findCurrencyOfCountry(country) === currency,
    )
    if (found.length === 1) return found[0]!
  }
  return null
}

/** `Sandland Grove, Nantwich`: an address in a country where headings are addresses. */
function isWholeAddress(line: string, country: string): boolean {
  const parts = splitLine(line, country)
  return (
    (country === 'GB' || country === 'IE') &&
    parts.length >= 2 &&
    isStreetPart(parts[0]!) &&
    parts.every(part => /^[\p{Lu}\d][\p{L}\d .'’-]{1,40}$/u.test(part))
  )
}

/** No other place has a name as long: `Bouches-du-Rhône`. */
function isLong(name: string): boolean {
  return toPhrase(name).split(' ').length >= 3
}

/** `Haus in Ulm | Site` → `Haus, Ulm`; `Maison à Cuges (Bouches-du-Rhône)` → `Maison, Cuges, Bouches-du-Rhône`. */
function toHeadingLine(heading: string): string {
  return cutHeading(heading)
    .replace(/\s\(([^()]{2,40})\)/g, ', $1')
    .replace(placePattern, ', $1')
}

/** The heading without what follows a dash: the name of the site. */
function cutHeading(heading: string): string {
  return heading.slice(0, headingMax).split(/\s[|–—•·]\s|\s-\s/)[0]!
}

function decodeSafely(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
