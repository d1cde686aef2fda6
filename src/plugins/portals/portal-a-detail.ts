/** Parses the detail page of portal A: the markup holds what JSON-LD omits, and all facts if there is none. */
import { extractText, findAttribute, findElement, findElements } from '../../domain/listing/html.ts'
import type { ListingFacts } from '../../domain/listing/listing.ts'
import { parseMoney } from '../../domain/listing/money.ts'
import { isParish } from '../../domain/listing/municipality.ts'
import { parseCoordinates, toAbsoluteUrl, toMultilineText } from '../../domain/listing/values.ts'
import { parseDetailLines } from '../../domain/listing/vocabulary.ts'

const imagesMax = 500
const addressLengthMax = 500
/** Lines of the address that name an area, not a street. */
const areaLinePattern = /^(?:barrio|distrito|urb\.|urbanización|subdistrict|district)/i

/** The facts of the markup; null if the page lacks the list of characteristics that every listing has. */
export function parseListingMarkup(html: string, url: string): ListingFacts | null {
  const list = findElement(html, 'ul', 'details-property') ?? findSection(html, 'details')
  if (list === null) return null
  const lines = findElements(list.inner, 'li').map(line => extractText(line.inner))
  if (lines.length === 0) return null
  const facts = { ...parseDetailLines(lines), ...parsePrice(html), ...parseContact(html) }
  // JSON-LD states the other facts better.
  return html.includes('application/ld+json') ? facts : { ...facts, ...parseRemaining(html, list.inner, url) }
}

function parseRemaining(html: string, details: string, url: string): ListingFacts {
  const facts = parsePlace(html)
  const title = extractText(findElement(html, 'h1')?.inner ?? '')
  if (title !== '') facts.title = title
  const description = toMultilineText(findElement(details, 'div', 'adCommentsLanguage')?.inner ?? '')
  if (description !== null) facts.description = description
  const images = parseImages(html, url)
  if (images.length > 0) facts.images = images
  return facts
}

function findSection(html: string, id: string) {
  const at = html.indexOf(`<section id="${id}"`)
  return at === -1 ? null : findElement(html.slice(at), 'section')
}

/** A former price has its own element beside it. */
function parsePrice(html: string): ListingFacts {
  const tag =
    findElement(html, 'span', 'info-data-price') ?? findFirstSpan(findElement(html, 'div', 'info-data'))
  const price = parseMoney(extractText(tag?.inner ?? ''))
  if (price === null || price.amount <= 0) return {}
  const currency = price.currency ?? price.sharedSign
  return { price: price.amount, ...(currency && { currency }) }
}

function findFirstSpan(element: ReturnType<typeof findElement>) {
  return element === null ? null : findElement(element.inner, 'span')
}

/** The lines above the map, from the street to `Zona norte, Madrid`; the coordinates are in the script of the map. */
function parsePlace(html: string): ListingFacts {
  const facts: ListingFacts = {}
  const start = html.indexOf('id="headerMap"')
  const list = start === -1 ? null : findElement(html.slice(start), 'ul')
  const lines = findElements(list?.inner ?? '', 'li').map(line => extractText(line.inner))
  const [street = '', province] = [lines[0], lines.at(-1)?.split(',').at(-1)?.trim()]
  // In Portugal this line is the civil parish, and the municipality precedes the district.
  const municipality = isParish(lines.at(-2) ?? '') ? lines.at(-1)?.split(',')[0]?.trim() : lines.at(-2)
  if (lines.length > 2 && !areaLinePattern.test(street)) facts.address = street
  if (lines.length > 1 && municipality) facts.municipality = municipality
  if (province) facts.province = province
  const map = html.indexOf('mapConfig')
  const point =
    map === -1 ? null : /latitude: *"([^"]*)",\s*longitude: *"([^"]*)"/.exec(html.slice(map, map + 300))
  return { ...facts, ...(point && parseCoordinates(point[1], point[2])) }
}

function parseContact(html: string): ListingFacts {
  const contactBox = findElement(html, 'aside', 'contact')?.inner
  if (contactBox !== undefined)
    return buildContact(
      extractText(findElement(contactBox, 'p', 'advertiser-type')?.inner ?? ''),
      extractText(findElement(contactBox, 'p', 'advertiser-name')?.inner ?? ''),
      extractText(findElement(contactBox, 'a', 'phone')?.inner ?? ''),
    )
  const professionalBox = findElement(html, 'div', 'professional-name')?.inner
  if (professionalBox !== undefined) {
    const fields = professionalBox.match(/<input\s[^<>]*>/g) ?? []
    const name = fields.find(tag => findAttribute(tag, 'name') === 'user-name') ?? ''
    const type = extractText(findElement(professionalBox, 'div', 'name')?.inner ?? '')
    return buildContact(type, findAttribute(name, 'value') ?? '', '')
  }
  const box = findElement(html, 'div', 'advertiser-data')?.inner ?? ''
  const paragraphs = findElements(box, 'p').map(paragraph => extractText(paragraph.inner))
  const advertiser = paragraphs
    .map(text => /^(Particular|Profesional|Profissional) - (.+)$/.exec(text))
    .find(Boolean)
  return buildContact(
    advertiser?.[1] ?? '',
    advertiser?.[2] ?? '',
    extractText(findElement(box, 'p', '_browserPhone')?.inner ?? ''),
  )
}

function buildContact(type: string, name: string, phone: string): ListingFacts {
  const facts: ListingFacts = {}
  if (/^(?:particular|private)/i.test(type)) facts['contact.advertiserType'] = 'private'
  if (/^(?:profesional|professional|profissional)/i.test(type)) facts['contact.advertiserType'] = 'agency'
  if (name !== '') facts['contact.name'] = name
  if (phone !== '') facts['contact.phoneRaw'] = phone
  return facts
}

/** The photos of the gallery's script, without floor plans; the markup only has placeholders. */
function parseImages(html: string, url: string): string[] {
  // A picture comes in several sizes: its name identifies it.
  const images = new Map<string, string>()
  const key = 'imageDataService:"'
  for (let at = html.indexOf(key); at !== -1 && images.size < imagesMax; at = html.indexOf(key, at + 1)) {
    const [address = ''] = html.slice(at + key.length, at + key.length + addressLengthMax).split(/[",]/, 1)
    if (
      html
        .slice(Math.max(0, at - 300), at)
        .split('{')
        .at(-1)
        ?.includes('"isPlan":true')
    )
      continue
    const image = toAbsoluteUrl(address, url)
    const name = address.slice(address.lastIndexOf('/') + 1)
    if (image !== null && !images.has(name)) images.set(name, image)
  }
  return [...images.values()]
}
