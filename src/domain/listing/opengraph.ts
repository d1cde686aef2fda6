/** Parses OpenGraph and related meta tags in the head of a page. */
import { findAttribute } from './html.ts'
import type { ListingFacts } from './listing.ts'
import { mergePlace } from './merge-place.ts'
import { type Money, parseMoney, parseSharedSign } from './money.ts'
import { parseCoordinates, parseCurrency, toAbsoluteUrl, toMultilineText, toSingleLine } from './values.ts'

/** The values of the `og:`, `product:`, `place:`, `article:` and `geo:` properties, in page order. */
export function parseMetaTags(html: string): Map<string, string[]> {
  const headEnd = html.indexOf('</head')
  const head = headEnd === -1 ? html : html.slice(0, headEnd)
  const found = new Map<string, string[]>()
  let position = head.indexOf('<meta')
  while (position !== -1) {
    const end = head.indexOf('>', position)
    if (end === -1) break
    const tag = head.slice(position, end)
    position = head.indexOf('<meta', end)
    if (!/["'](?:og|product|place|article|geo):/.test(tag)) continue
    const name = findAttribute(tag, 'property') ?? findAttribute(tag, 'name')
    const content = findAttribute(tag, 'content')
    if (name === null || content === null || content === '') continue
    const values = found.get(name)
    if (values === undefined) found.set(name, [content])
    else values.push(content)
  }
  return found
}

/** The listing facts in these values. `url` resolves relative image URLs. */
export function parseOpenGraphFacts(meta: ReadonlyMap<string, string[]>, url: string): ListingFacts {
  if (meta.size === 0) return {}
  const value = (...names: string[]) =>
    names.map(name => meta.get(name)?.[0]).find(text => text !== undefined) ?? ''
  const facts: ListingFacts = {}
  const setIfKnown = <K extends keyof ListingFacts>(name: K, read: ListingFacts[K] | null) => {
    if (read !== null && read !== undefined) facts[name] = read
  }
  setIfKnown('title', toSingleLine(value('og:title')))
  setIfKnown('description', toMultilineText(value('og:description')))
  const amount = value('product:price:amount', 'og:price:amount')
  // A plain decimal point is the protocol's form; otherwise the form is local.
  const price: Omit<Money, 'period'> | null = /^\d+(\.\d{1,2})?$/.test(amount)
    ? { amount: Number(amount), currency: null }
    : parseMoney(amount)
  if (price !== null && price.amount > 1) {
    facts.price = price.amount
    const currency = value('product:price:currency', 'og:price:currency')
    setIfKnown(
      'currency',
      parseCurrency(currency) ?? parseSharedSign(currency) ?? price.currency ?? price.sharedSign,
    )
  }
  Object.assign(facts, parsePlace(meta))
  setIfKnown('contact.phoneRaw', toSingleLine(value('og:phone_number')))
  setIfKnown('contact.email', toSingleLine(value('og:email')))
  const images = (meta.get('og:image') ?? []).flatMap(image => toAbsoluteUrl(image, url) ?? [])
  if (images.length > 0) facts.images = [...new Set(images)]
  return facts
}

const placeNames = {
  address: 'og:street-address',
  municipality: 'og:locality',
  province: 'og:region',
  postcode: 'og:postal-code',
} as const

/** The place; {} if several places contradict each other. */
function parsePlace(meta: ReadonlyMap<string, string[]>): ListingFacts {
  const addresses = Object.entries(placeNames).flatMap(([name, property]) =>
    (meta.get(property) ?? []).map(text => ({ [name]: toSingleLine(text) })),
  )
  const listValues = (...names: string[]) => names.flatMap(name => meta.get(name) ?? [])
  const longitudes = listValues('place:location:longitude', 'og:longitude')
  const points = listValues('place:location:latitude', 'og:latitude').map(
    (latitude, position) => parseCoordinates(latitude, longitudes[position]) ?? {},
  )
  return { ...mergePlace(addresses), ...mergePlace(points) }
}
