// OpenGraph and its neighbours: the facts in the meta tags of a page's head.
import { attributeOf } from './html.ts'
import type { ListingFacts } from './listing.ts'
import { type Money, parseMoney, readSharedSign } from './money.ts'
import { onlyPlace } from './only-place.ts'
import { absoluteUrl, cleanText, longText, readCoordinates, readCurrency } from './values.ts'

/** The values of the page's `og:`, `product:`, `place:` and `article:` properties, in page order. */
export function readMetaTags(html: string): Map<string, string[]> {
  const headEnd = html.indexOf('</head')
  const head = headEnd === -1 ? html : html.slice(0, headEnd)
  const found = new Map<string, string[]>()
  let at = head.indexOf('<meta')
  while (at !== -1) {
    const end = head.indexOf('>', at)
    if (end === -1) break
    const tag = head.slice(at, end)
    at = head.indexOf('<meta', end)
    if (!/["'](?:og|product|place|article|geo):/.test(tag)) continue
    const name = attributeOf(tag, 'property') ?? attributeOf(tag, 'name')
    const content = attributeOf(tag, 'content')
    if (name === null || content === null || content === '') continue
    const values = found.get(name)
    if (values === undefined) found.set(name, [content])
    else values.push(content)
  }
  return found
}

/** What these values say of an advert. `url` resolves relative addresses of images. */
export function readOpenGraphFacts(meta: ReadonlyMap<string, string[]>, url: string): ListingFacts {
  if (meta.size === 0) return {}
  const value = (...names: string[]) =>
    names.map(name => meta.get(name)?.[0]).find(text => text !== undefined) ?? ''
  const facts: ListingFacts = {}
  const put = <K extends keyof ListingFacts>(name: K, read: ListingFacts[K] | null) => {
    if (read !== null && read !== undefined) facts[name] = read
  }
  put('title', cleanText(value('og:title')))
  put('description', longText(value('og:description')))
  const amount = value('product:price:amount', 'og:price:amount')
  // A plain decimal point is the protocol's form; else the form is local.
  const price: Omit<Money, 'period'> | null = /^\d+(\.\d{1,2})?$/.test(amount)
    ? { amount: Number(amount), currency: null }
    : parseMoney(amount)
  if (price !== null && price.amount > 1) {
    facts.price = price.amount
    const currency = value('product:price:currency', 'og:price:currency')
    put('currency', readCurrency(currency) ?? readSharedSign(currency) ?? price.currency ?? price.sharedSign)
  }
  Object.assign(facts, readPlace(meta))
  put('contact.phoneRaw', cleanText(value('og:phone_number')))
  put('contact.email', cleanText(value('og:email')))
  const images = (meta.get('og:image') ?? []).flatMap(image => absoluteUrl(image, url) ?? [])
  if (images.length > 0) facts.images = [...new Set(images)]
  return facts
}

const PLACE_NAMES = {
  address: 'og:street-address',
  municipality: 'og:locality',
  province: 'og:region',
  postcode: 'og:postal-code',
} as const

/** Where it is; of several places none. */
function readPlace(meta: ReadonlyMap<string, string[]>): ListingFacts {
  const addresses = Object.entries(PLACE_NAMES).flatMap(([name, property]) =>
    (meta.get(property) ?? []).map(text => ({ [name]: cleanText(text) })),
  )
  const valuesOf = (...names: string[]) => names.flatMap(name => meta.get(name) ?? [])
  const longitudes = valuesOf('place:location:longitude', 'og:longitude')
  const points = valuesOf('place:location:latitude', 'og:latitude').map(
    (latitude, at) => readCoordinates(latitude, longitudes[at]) ?? {},
  )
  return { ...onlyPlace(addresses), ...onlyPlace(points) }
}
