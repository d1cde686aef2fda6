// The page of one advert on portal A: the places that its builds keep for what JSON-LD leaves out, or for all of it.
import { attributeOf, elementOf, elementsOf, textOf } from '../../domain/listing/html.ts'
import type { ListingFacts } from '../../domain/listing/listing.ts'
import { parseMoney } from '../../domain/listing/money.ts'
import { isParish } from '../../domain/listing/municipality.ts'
import { absoluteUrl, longText, readCoordinates } from '../../domain/listing/values.ts'
import { readDetailLines } from '../../domain/listing/vocabulary.ts'

const MAX_IMAGES = 500
const MAX_ADDRESS_LENGTH = 500
/** Lines of the place that name more than a street. */
const AREA_LINE = /^(?:barrio|distrito|urb\.|urbanización|subdistrict|district)/i

/** What the markup says; null if the page has no list of characteristics, which every advert has. */
export function readAdvertMarkup(html: string, url: string): ListingFacts | null {
  const list = elementOf(html, 'ul', 'details-property') ?? sectionById(html, 'details')
  if (list === null) return null
  const lines = elementsOf(list.inner, 'li').map(line => textOf(line.inner))
  if (lines.length === 0) return null
  const facts = { ...readDetailLines(lines), ...readPrice(html), ...readContact(html) }
  // What JSON-LD tells better is not looked for.
  return html.includes('application/ld+json') ? facts : { ...facts, ...readRest(html, list.inner, url) }
}

function readRest(html: string, details: string, url: string): ListingFacts {
  const facts = readPlace(html)
  const title = textOf(elementOf(html, 'h1')?.inner ?? '')
  if (title !== '') facts.title = title
  const description = longText(elementOf(details, 'div', 'adCommentsLanguage')?.inner ?? '')
  if (description !== null) facts.description = description
  const images = readImages(html, url)
  if (images.length > 0) facts.images = images
  return facts
}

function sectionById(html: string, id: string) {
  const at = html.indexOf(`<section id="${id}"`)
  return at === -1 ? null : elementOf(html.slice(at), 'section')
}

/** A crossed-out former price stands in an element of its own beside it. */
function readPrice(html: string): ListingFacts {
  const tag = elementOf(html, 'span', 'info-data-price') ?? firstSpan(elementOf(html, 'div', 'info-data'))
  const price = parseMoney(textOf(tag?.inner ?? ''))
  if (price === null || price.amount <= 0) return {}
  const currency = price.currency ?? price.sharedSign
  return { price: price.amount, ...(currency && { currency }) }
}

function firstSpan(element: ReturnType<typeof elementOf>) {
  return element === null ? null : elementOf(element.inner, 'span')
}

/** The lines over the map, from the street to `Zona norte, Madrid`; the point is in the map's script. */
function readPlace(html: string): ListingFacts {
  const facts: ListingFacts = {}
  const start = html.indexOf('id="headerMap"')
  const list = start === -1 ? null : elementOf(html.slice(start), 'ul')
  const lines = elementsOf(list?.inner ?? '', 'li').map(line => textOf(line.inner))
  const [street = '', province] = [lines[0], lines.at(-1)?.split(',').at(-1)?.trim()]
  // In Portugal a civil parish stands there, and the municipality before the district.
  const municipality = isParish(lines.at(-2) ?? '') ? lines.at(-1)?.split(',')[0]?.trim() : lines.at(-2)
  if (lines.length > 2 && !AREA_LINE.test(street)) facts.address = street
  if (lines.length > 1 && municipality) facts.municipality = municipality
  if (province) facts.province = province
  const map = html.indexOf('mapConfig')
  const point =
    map === -1 ? null : /latitude: *"([^"]*)",\s*longitude: *"([^"]*)"/.exec(html.slice(map, map + 300))
  return { ...facts, ...(point && readCoordinates(point[1], point[2])) }
}

function readContact(html: string): ListingFacts {
  const aside = elementOf(html, 'aside', 'contact')?.inner
  if (aside !== undefined)
    return contactOf(
      textOf(elementOf(aside, 'p', 'advertiser-type')?.inner ?? ''),
      textOf(elementOf(aside, 'p', 'advertiser-name')?.inner ?? ''),
      textOf(elementOf(aside, 'a', 'phone')?.inner ?? ''),
    )
  const professional = elementOf(html, 'div', 'professional-name')?.inner
  if (professional !== undefined) {
    const fields = professional.match(/<input\s[^<>]*>/g) ?? []
    const name = fields.find(tag => attributeOf(tag, 'name') === 'user-name') ?? ''
    const type = textOf(elementOf(professional, 'div', 'name')?.inner ?? '')
    return contactOf(type, attributeOf(name, 'value') ?? '', '')
  }
  const box = elementOf(html, 'div', 'advertiser-data')?.inner ?? ''
  const paragraphs = elementsOf(box, 'p').map(paragraph => textOf(paragraph.inner))
  const told = paragraphs
    .map(text => /^(Particular|Profesional|Profissional) - (.+)$/.exec(text))
    .find(Boolean)
  return contactOf(
    told?.[1] ?? '',
    told?.[2] ?? '',
    textOf(elementOf(box, 'p', '_browserPhone')?.inner ?? ''),
  )
}

function contactOf(type: string, name: string, phone: string): ListingFacts {
  const facts: ListingFacts = {}
  if (/^(?:particular|private)/i.test(type)) facts['contact.advertiserType'] = 'private'
  if (/^(?:profesional|professional|profissional)/i.test(type)) facts['contact.advertiserType'] = 'agency'
  if (name !== '') facts['contact.name'] = name
  if (phone !== '') facts['contact.phoneRaw'] = phone
  return facts
}

/** The gallery as its script keeps it, plans left out; the pictures in the markup are placeholders. */
function readImages(html: string, url: string): string[] {
  // The same picture comes in several sizes: its name tells it from the others.
  const images = new Map<string, string>()
  const key = 'imageDataService:"'
  for (let at = html.indexOf(key); at !== -1 && images.size < MAX_IMAGES; at = html.indexOf(key, at + 1)) {
    const [address = ''] = html.slice(at + key.length, at + key.length + MAX_ADDRESS_LENGTH).split(/[",]/, 1)
    if (
      html
        .slice(Math.max(0, at - 300), at)
        .split('{')
        .at(-1)
        ?.includes('"isPlan":true')
    )
      continue
    const image = absoluteUrl(address, url)
    const name = address.slice(address.lastIndexOf('/') + 1)
    if (image !== null && !images.has(name)) images.set(name, image)
  }
  return [...images.values()]
}
