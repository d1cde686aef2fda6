/** Drafts the definition of a portal from one of its search pages. */
import { type FoundCards, findCards } from '../domain/listing/find-cards.ts'
import type { Operation, PropertyType } from '../domain/listing/listing.ts'
import { deriveListingPath, type ListingPath } from '../domain/listing/reader/cards/listing-path.ts'
import { findCountryOfHost } from '../domain/listing/reader/countries.ts'
import { collectMeta, extractNodeText, findFirst, parsePageTree } from '../domain/listing/reader/page-tree.ts'
import { parsePathWords, parseTitleWords } from '../domain/listing/vocabulary.ts'
import type { Gazetteer } from '../domain/location/gazetteer.ts'
import type { Place, PlaceCountry } from '../domain/location/place.ts'
import { foldName } from '../domain/location/words.ts'
import { toSlug } from '../domain/slug.ts'
import type { GeneralPortalOptions } from './general-portal.ts'

/** What people know better than the page. */
export interface DraftHints {
  id?: string
  name?: string
  country?: string
  operation?: Operation
  propertyType?: PropertyType
  /** The id of the place in the gazetteer. */
  place?: string
}

export interface PortalDraft {
  found: FoundCards
  listingPath: ListingPath | null
  place: Place | null
  /** Null if the page does not say enough; `problems` says what is missing. */
  options: GeneralPortalOptions | null
  problems: string[]
}

const countryFacts: Record<PlaceCountry, { language: string; timezone: string; currency: string }> = {
  ES: { language: 'es', timezone: 'Europe/Madrid', currency: 'EUR' },
  PT: { language: 'pt', timezone: 'Europe/Lisbon', currency: 'EUR' },
  IT: { language: 'it', timezone: 'Europe/Rome', currency: 'EUR' },
}

/** `url` is the address of the search page. */
export function draftPortal(
  { html, url }: { html: string; url: string },
  hints: DraftHints,
  gazetteer: Gazetteer,
): PortalDraft {
  const found = findCards({ html, url })
  const listingPath = deriveListingPath(found.cards.map(card => card.url))
  const { hostname, pathname, search } = new URL(url)
  const tree = parsePageTree(html)
  const headings = ['h1', 'title'].flatMap(name => {
    const node = findFirst(tree, name)
    return node === null ? [] : [extractNodeText(node, 200)]
  })
  const problems: string[] = []
  if (found.cards.length === 0)
    problems.push(
      'The page has no list of listings with prices. Give the address of a search page with results.',
    )
  else if (listingPath === null) problems.push('The addresses of the listings have nothing in common.')
  const language = findFirst(tree, 'html')?.attributes.lang ?? ''
  const currency = findCurrency(found)
  const code = hints.country ?? findCountryOfHost(url) ?? findCountryOfLanguage(language, currency)
  const country = toCountry(code)
  if (country === null) problems.push(describeCountry(code))
  const place =
    country === null ? null : findPlace(hints.place, [decode(pathname), ...headings], country, gazetteer)
  if (country !== null && place === null)
    problems.push(
      hints.place === undefined
        ? 'Neither the address nor the heading names one place. Add --place with its id in the gazetteer, such as ES-36057.'
        : `There is no place ${hints.place} in the gazetteer.`,
    )
  const operation = hints.operation ?? findOperation(pathname, headings, found)
  if (operation === null)
    problems.push('The page does not say whether its listings are for sale or to rent. Add --operation.')
  if (country === null || place === null || operation === null || listingPath === null)
    return { found, listingPath, place, options: null, problems }
  const usual = countryFacts[country]
  const site = hostname.replace(/^www\./, '')
  return {
    found,
    listingPath,
    place,
    problems,
    options: {
      id: hints.id ?? toId(/\d$/.test(site) ? site : site.replace(/\.[a-z]+$/, '')),
      name: hints.name ?? collectMeta(tree).get('og:site_name')?.[0] ?? site,
      country,
      language: /^[a-z]{2}/.exec(language)?.[0] ?? usual.language,
      currency: currency ?? usual.currency,
      timezone: usual.timezone,
      listingPath: listingPath.pattern,
      searches: [
        {
          operation,
          propertyType: hints.propertyType ?? findPropertyType(pathname, headings),
          place: place.id,
          path: pathname + search,
        },
      ],
    },
  }
}

function describeCountry(code: string | null): string {
  const countries = new Intl.ListFormat('en', { type: 'disjunction' }).format(Object.keys(countryFacts))
  if (code === null) return `The page does not say its country. Add --country ${countries}.`
  return `The portal is in ${code.toUpperCase()}. Every search of a definition has a place of the gazetteer, which has places of these countries only: ${Object.keys(countryFacts).join(', ')}. So there is no definition, although cards and listings of any country can be read. If the country is wrong, add --country ${countries}.`
}

function toCountry(code: string | null): PlaceCountry | null {
  const upper = code?.toUpperCase() ?? ''
  return Object.hasOwn(countryFacts, upper) ? (upper as PlaceCountry) : null
}

/** Spanish and Portuguese are also spoken where prices are in other currencies. */
const euroLanguages: Record<string, PlaceCountry> = {
  es: 'ES',
  ca: 'ES',
  gl: 'ES',
  eu: 'ES',
  pt: 'PT',
  it: 'IT',
}

function findCountryOfLanguage(language: string, currency: string | null): string | null {
  const region = /^[a-z]{2}-([A-Z]{2})$/.exec(language)?.[1]
  return region ?? (currency === 'EUR' ? (euroLanguages[language.slice(0, 2)] ?? null) : null)
}

/** The most specific place that the last part of the address, or else a heading, names. */
function findPlace(
  id: string | undefined,
  texts: readonly string[],
  country: PlaceCountry,
  gazetteer: Gazetteer,
): Place | null {
  if (id !== undefined) return gazetteer.find(id) ?? null
  for (const text of texts) {
    const isPath = text.startsWith('/')
    const parts = isPath ? text.split(/[/.?]/).reverse() : [text.split(/\s[|–-]\s/)[0]!]
    for (const part of parts) {
      for (const phrase of listPhrases(part)) {
        const place = findNamed(phrase, country, gazetteer)
        if (place !== null) return place
      }
    }
  }
  return null
}

const phraseWordsMax = 5
const partWordsMax = 12

/** The phrases of a text, the longest first, and of equal ones the last first. */
function listPhrases(text: string): string[] {
  const words = text
    .split(/[-_+\s,;:()]+/)
    .filter(word => word !== '')
    .slice(-partWordsMax)
  const phrases: string[] = []
  for (let length = Math.min(phraseWordsMax, words.length); length >= 1; length -= 1)
    for (let start = words.length - length; start >= 0; start -= 1)
      phrases.push(words.slice(start, start + length).join(' '))
  return phrases.filter(phrase => phrase.length >= 3 && !/^\d+$/.test(phrase))
}

/** Words of searches that are names of villages as well. */
const searchWords = new Set(
  'casas casa villa villas venta ventas piso vivienda viviendas vende case ville'.split(' '),
)

function findNamed(phrase: string, country: PlaceCountry, gazetteer: Gazetteer): Place | null {
  const folded = foldName(phrase)
  if (searchWords.has(folded)) return null
  const province = /^(.+) provincia$|^provincia (?:de |di )?(.+)$/.exec(folded)
  const q = province?.[1] ?? province?.[2] ?? phrase
  const types =
    province === null ? (['municipality', 'province', 'region'] as const) : (['province'] as const)
  return (
    gazetteer
      .search({ q, limit: 5, countries: [country], types })
      .find(({ names }) => names.some(name => foldName(name) === foldName(q))) ?? null
  )
}

function findOperation(path: string, headings: readonly string[], { cards }: FoundCards): Operation | null {
  const stated =
    parsePathWords(path).operation ?? headings.map(text => parseTitleWords(text).operation).find(Boolean)
  if (stated !== undefined) return stated
  const rents = cards.filter(({ facts }) => facts.operation === 'rent').length
  return cards.length > 0 && rents > cards.length / 2 ? 'rent' : null
}

function findPropertyType(path: string, headings: readonly string[]): PropertyType {
  return (
    parsePathWords(path).propertyType ??
    headings.map(text => parseTitleWords(text).propertyType).find(Boolean) ??
    'homes'
  )
}

function findCurrency({ cards }: FoundCards): string | null {
  const counts = new Map<string, number>()
  for (const { facts } of cards)
    if (facts.currency && /^[A-Z]{3}$/.test(facts.currency))
      counts.set(facts.currency, (counts.get(facts.currency) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null
}

/** An id of letters, digits and `_` that begins with a letter. */
function toId(text: string): string {
  const id = toSlug(text).replaceAll('-', '_').slice(0, 50)
  return /^[a-z]/.test(id) ? id : `portal_${id}`.slice(0, 50)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The source of a definition file. */
export function formatDefinition(
  options: GeneralPortalOptions,
  { source, place }: { source: string; place: string },
): string {
  const { listingPath, searches, ...facts } = options
  const lines = Object.entries(facts).map(([key, value]) => `    ${key}: ${toLiteral(value)},`)
  const starts = searches.map(search => {
    const members = Object.entries(search).map(([key, value]) => `${key}: ${toLiteral(value)}`)
    return `      // ${toComment(place)}\n      { ${members.join(', ')} },`
  })
  return `/** Drafted by \`aldaba portals draft\` from ${toComment(source)}. Check each value: docs/guides/add-a-portal.md. */
export default ({ generalPortal }) =>
  generalPortal({
${lines.join('\n')}
    listingPath: /${listingPath.source}/,
    // The first page of each search: one for each place, operation and type of property.
    searches: [
${starts.join('\n')}
    ],
    // 'all' only if the pages of a search show all its listings: then missing ones are withdrawn.
    coverage: 'latest',
  })
`
}

const toLiteral = (value: unknown): string =>
  typeof value === 'string'
    ? `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'").replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`
    : String(value)

const toComment = (text: string): string => text.replaceAll('*/', '* /').replace(/[\r\n\u2028\u2029]/g, ' ')
