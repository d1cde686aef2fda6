/** Parses detail pages of portal B's former site, which keeps its state in advertising variables. */
import { parseLocalInstant } from '../../domain/listing/dates.ts'
import type { Feature } from '../../domain/listing/features.ts'
import { findAttribute } from '../../domain/listing/html.ts'
import { findListingNodes, parseJsonLdBlocks } from '../../domain/listing/json-ld.ts'
import { parseJsonLdFacts } from '../../domain/listing/json-ld-facts.ts'
import {
  dropUnknown,
  parseAmount,
  parseAreaValue,
  parseCount,
  parseLine,
} from '../../domain/listing/json-values.ts'
import type { ListingFacts, Operation } from '../../domain/listing/listing.ts'
import { mergeFacts, type PageContext, type ParsedListing } from '../../domain/listing/parse-listing.ts'
import { findStates, getPath, parseState } from '../../domain/listing/state.ts'
import { parseCoordinates, toAbsoluteUrl } from '../../domain/listing/values.ts'
import { parseFeature, parseTitleWords } from '../../domain/listing/vocabulary.ts'

const operationsByCode = new Map<unknown, Operation>([
  ['venta', 'sale'],
  ['alquiler', 'rent'],
])

/** Parses such a page; null for other pages. Its times are local to `timezone`, an IANA name. */
export function parseLegacyPage(html: string, context: PageContext, timezone: string): ParsedListing | null {
  const data = findStates(html, 'utag_data').find(value => getPath(value, 'ad_id') !== undefined)
  if (data === undefined) return null
  const nodes = findListingNodes(parseJsonLdBlocks(html), context.url)
  const state = parseListingData(data, html, timezone)
  return mergeFacts(context, [
    ['markup', parseMarkup(html, context.url)],
    ['state', state],
    ['json-ld', nodes === null ? {} : parseJsonLdFacts(nodes, context.url)],
    ['text', parseTitleWords(state.title ?? '')],
  ])
}

function parseListingData(data: unknown, html: string, timezone: string): ListingFacts {
  const parseTextLine = (name: string) => parseLine(getPath(data, name))
  const [area, city] = [parseTextLine('neighbourhood'), parseTextLine('city')]
  const publisher = parseTextLine('ad_publisher_type')
  const query = getPath(parseState(html, '_T'), 'Ads', 'Query')
  return dropUnknown({
    title: parseTextLine('ad_title'),
    operation: operationsByCode.get(parseTextLine('transaction')),
    price: parseAmount(parseTextLine('price')),
    squareMeters: parseAreaValue(parseTextLine('mts2')),
    rooms: parseCount(parseTextLine('rooms')) || null,
    bedrooms: parseCount(parseTextLine('rooms')) || null,
    bathrooms: parseCount(parseTextLine('bathrooms')) || null,
    features: parseFeatureNames(parseState(html, 'featuresValues')),
    address: area && city ? `${area}, ${city}` : area,
    municipality: city,
    province: parseTextLine('region_level2'),
    postcode: parseTextLine('postal_code'),
    ...parseCoordinates(getPath(query, 'Lat'), getPath(query, 'Lng')),
    publishedAt: parseLocalInstant(parseTextLine('publish_date') ?? '', timezone, null),
    'contact.name': parseTextLine('company'),
    'contact.advertiserType': publisher === null ? null : publisher === 'professional' ? 'agency' : 'private',
  })
}

/** `aire-acondicionado,armarios,garaje-privado`. */
function parseFeatureNames(names: unknown): Feature[] {
  const labels = typeof names === 'string' ? names.split(',') : []
  return [...new Set(labels.flatMap(label => parseFeature(label.replaceAll('-', ' ')) ?? []))]
}

/** Hidden fields, and the advertiser's name as printed: the state has it in capitals. */
function parseMarkup(html: string, url: string): ListingFacts {
  const pictures = findHiddenField(html, 'hidUrlsPhotos')?.split('|') ?? []
  const index = html.indexOf(' id="lnkMoreBuildings"')
  const name = index === -1 ? null : /^[^<>]*>([^<]*)</.exec(html.slice(index))?.[1]
  return dropUnknown({
    images: [...new Set(pictures.flatMap(picture => toAbsoluteUrl(picture, url) ?? []))],
    'contact.name': parseLine(name),
    'contact.phoneRaw': findHiddenField(html, 'hid_AdPhone')?.replace(/^tel:/, ''),
  })
}

function findHiddenField(html: string, id: string): string | null {
  const index = html.indexOf(` id="${id}"`)
  return index === -1 ? null : findAttribute(html.slice(index, html.indexOf('>', index)), 'value')
}
