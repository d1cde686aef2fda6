// The page of an advert as portal B made it before its present build: the state in variables for its advertising.
import { readLocalInstant } from '../../domain/listing/dates.ts'
import type { Feature } from '../../domain/listing/features.ts'
import { attributeOf } from '../../domain/listing/html.ts'
import { findAdvertNodes, readJsonLdBlocks } from '../../domain/listing/json-ld.ts'
import { readJsonLdFacts } from '../../domain/listing/json-ld-facts.ts'
import { amountOf, areaOf, countOf, knownFacts, lineOf } from '../../domain/listing/json-values.ts'
import type { ListingFacts, Operation } from '../../domain/listing/listing.ts'
import { type FoundListing, joinFacts, type PageContext } from '../../domain/listing/read-listing.ts'
import { readState, statesOf, valueAt } from '../../domain/listing/state.ts'
import { absoluteUrl, readCoordinates } from '../../domain/listing/values.ts'
import { readFeature, readTitleWords } from '../../domain/listing/vocabulary.ts'

const OPERATIONS = new Map<unknown, Operation>([
  ['venta', 'sale'],
  ['alquiler', 'rent'],
])

/** Reads such a page; null if it is none. Its times are those of `timezone`, an IANA name. */
export function readOlderPage(html: string, context: PageContext, timezone: string): FoundListing | null {
  const data = statesOf(html, 'utag_data').find(value => valueAt(value, 'ad_id') !== undefined)
  if (data === undefined) return null
  const nodes = findAdvertNodes(readJsonLdBlocks(html), context.url)
  const state = readAdvertData(data, html, timezone)
  return joinFacts(context, [
    ['markup', readMarkup(html, context.url)],
    ['state', state],
    ['json-ld', nodes === null ? {} : readJsonLdFacts(nodes, context.url)],
    ['text', readTitleWords(state.title ?? '')],
  ])
}

function readAdvertData(data: unknown, html: string, timezone: string): ListingFacts {
  const line = (name: string) => lineOf(valueAt(data, name))
  const [area, city] = [line('neighbourhood'), line('city')]
  const publisher = line('ad_publisher_type')
  const query = valueAt(readState(html, '_T'), 'Ads', 'Query')
  return knownFacts({
    title: line('ad_title'),
    operation: OPERATIONS.get(line('transaction')),
    price: amountOf(line('price')),
    squareMeters: areaOf(line('mts2')),
    rooms: countOf(line('rooms')) || null,
    bedrooms: countOf(line('rooms')) || null,
    bathrooms: countOf(line('bathrooms')) || null,
    features: readFeatureNames(readState(html, 'featuresValues')),
    address: area && city ? `${area}, ${city}` : area,
    municipality: city,
    province: line('region_level2'),
    postcode: line('postal_code'),
    ...readCoordinates(valueAt(query, 'Lat'), valueAt(query, 'Lng')),
    publishedAt: readLocalInstant(line('publish_date') ?? '', timezone, null),
    'contact.name': line('company'),
    'contact.advertiserType': publisher === null ? null : publisher === 'professional' ? 'agency' : 'private',
  })
}

/** `aire-acondicionado,armarios,garaje-privado`. */
function readFeatureNames(names: unknown): Feature[] {
  const labels = typeof names === 'string' ? names.split(',') : []
  return [...new Set(labels.flatMap(label => readFeature(label.replaceAll('-', ' ')) ?? []))]
}

/** Hidden fields, and the advertiser's name as it is printed: the state has it in capitals. */
function readMarkup(html: string, url: string): ListingFacts {
  const pictures = hiddenField(html, 'hidUrlsPhotos')?.split('|') ?? []
  const at = html.indexOf(' id="lnkMoreBuildings"')
  const name = at === -1 ? null : /^[^<>]*>([^<]*)</.exec(html.slice(at))?.[1]
  return knownFacts({
    images: [...new Set(pictures.flatMap(picture => absoluteUrl(picture, url) ?? []))],
    'contact.name': lineOf(name),
    'contact.phoneRaw': hiddenField(html, 'hid_AdPhone')?.replace(/^tel:/, ''),
  })
}

function hiddenField(html: string, id: string): string | null {
  const at = html.indexOf(` id="${id}"`)
  return at === -1 ? null : attributeOf(html.slice(at, html.indexOf('>', at)), 'value')
}
