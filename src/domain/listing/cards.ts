// Reads the adverts of a result page that embeds no data: a declaration says which element is a card and where its values stand.
import { attributeOf, type Element, elementOf, hasClass, textOf } from './html.ts'
import type { ListingFacts } from './listing.ts'
import { parseMoney } from './money.ts'
import { parseLocalNumber } from './number.ts'
import { absoluteUrl } from './values.ts'
import { readDetailLines } from './vocabulary.ts'

/** The elements of a name, those of a class if one is given: their words, or one of their attributes, are the value. */
export interface Spot {
  name: string
  className?: string
  attribute?: string
}

export interface CardLayout {
  /** The element around one advert. */
  card: Spot
  /** The first link of these is the advert's own page. */
  link: Spot
  title: Spot
  /** The first of these that tells a price in a currency. */
  price: Spot
  /** Each is a characteristic; several in one are told apart by `·` or `|`. */
  lines: Spot
  description?: Spot
  image?: Spot
}

export interface ReadCard {
  /** Absolute address of the advert's own page. */
  url: string
  facts: ListingFacts
  /** The card as written, for what only the portal knows. */
  inner: string
}

/** What the first cards of the page say, and how many cards there are, the ones without a link included. */
export function readCards(
  html: string,
  url: string,
  layout: CardLayout,
): { cards: ReadCard[]; cardCount: number } {
  const elements = elementsAt(html, layout.card)
  return {
    cards: elements.flatMap(element => readCard(element, url, layout) ?? []),
    cardCount: elements.length,
  }
}

/** The first number that the words of such an element begin with (`1.261 anúncios`), or null. */
export function readCount(html: string, spot: Spot): number | null {
  const words = wordsAt(firstAt(html, spot), spot)
  const digits = /^[^\d]{0,40}(\d[\d.,'’\u00a0\u202f]*)/.exec(words)?.[1]
  return digits === undefined ? null : parseLocalNumber(digits.replace(/[.,'’\u00a0\u202f]+$/, ''))
}

function readCard({ inner }: Element, pageUrl: string, layout: CardLayout): ReadCard | null {
  const link = firstAt(inner, layout.link)
  const href = link && attributeOf(link.tag, layout.link.attribute ?? 'href')
  const url = href ? absoluteUrl(href, pageUrl) : null
  if (url === null) return null
  const lines = elementsAt(inner, layout.lines).flatMap(line => wordsAt(line, layout.lines).split(/ ?[·|] ?/))
  const facts = readDetailLines(lines)
  const price = readPrice(inner, layout.price)
  if (price !== null && price.amount > 0) {
    facts.price = price.amount
    const currency = price.currency ?? price.sharedSign
    if (currency) facts.currency = currency
    if (price.period === 'month') facts.operation = 'rent'
  }
  const title = wordsAt(firstAt(inner, layout.title), layout.title)
  if (title !== '') facts.title = title
  const description = layout.description
    ? wordsAt(firstAt(inner, layout.description), layout.description)
    : ''
  if (description !== '') facts.description = description
  const image = layout.image && firstAt(inner, layout.image)
  const address =
    image && absoluteUrl(attributeOf(image.tag, layout.image?.attribute ?? 'src') ?? '', pageUrl)
  if (address) facts.images = [address]
  return { url, facts, inner }
}

function readPrice(html: string, spot: Spot): ReturnType<typeof parseMoney> {
  for (const element of elementsAt(html, spot)) {
    const money = parseMoney(wordsAt(element, spot))
    if (money?.currency || money?.sharedSign) return money
  }
  return null
}

/** The words of an element, a raised 2 read as the square that it means; or its attribute. */
function wordsAt(element: Element | null, spot: Spot): string {
  if (element === null) return ''
  if (spot.attribute !== undefined) return attributeOf(element.tag, spot.attribute)?.trim() ?? ''
  return textOf(element.inner.replace(/<sup>\s*2\s*<\/sup>/g, '²'))
}

export function firstAt(html: string, spot: Spot): Element | null {
  return elementsAt(html, spot, 1)[0] ?? null
}

/** The elements of a spot in page order, those inside another left out. */
export function elementsAt(html: string, spot: Spot, limit = Number.POSITIVE_INFINITY): Element[] {
  const found: Element[] = []
  let at = 0
  while (found.length < limit) {
    const start = nextStart(html, spot, at)
    if (start === -1) return found
    const element = VOID_NAMES.has(spot.name) ? voidAt(html, start) : elementOf(html.slice(start), spot.name)
    if (element === null) return found
    found.push(element)
    at = start + element.tag.length + element.inner.length
  }
  return found
}

// They hold nothing and are not closed.
const VOID_NAMES = new Set(['img', 'input', 'meta', 'link', 'source'])

function voidAt(html: string, start: number): Element | null {
  const end = html.indexOf('>', start)
  return end === -1 ? null : { tag: html.slice(start, end + 1), inner: '' }
}

/**
 * Where the next such tag begins. It is the class that is looked for: pages have thousands of `div`, and few of a class.
 */
function nextStart(html: string, { name, className }: Spot, from: number): number {
  const wanted = className ?? `<${name}`
  let start = -1
  // How far the beginning of a tag has been looked for: nothing is looked through twice.
  let searched = from
  for (let at = html.indexOf(wanted, from); at !== -1; at = html.indexOf(wanted, at)) {
    const nearest = className === undefined ? at - searched : html.slice(searched, at).lastIndexOf('<')
    if (nearest !== -1) start = searched + nearest
    searched = at
    at += wanted.length
    if (start === -1 || !isStartOf(html, start, name)) continue
    if (className === undefined) return start
    // It stands in the words behind the tag.
    if (html.slice(start, searched).includes('>')) continue
    const end = html.indexOf('>', at)
    if (end === -1) return -1
    if (hasClass(html.slice(start, end), className)) return start
    at = end
    searched = end
  }
  return -1
}

function isStartOf(html: string, start: number, name: string): boolean {
  return html.startsWith(`<${name}`, start) && /[\s>/]/.test(html[start + name.length + 1] ?? '')
}
