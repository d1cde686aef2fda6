/**
 * Parses the listings of a result page without embedded data. A layout declares the element of a card and of its
 * values.
 */
import { type Element, extractText, findAttribute, findElement, hasClass } from './html.ts'
import type { ListingFacts } from './listing.ts'
import { parseMoney } from './money.ts'
import { parseLocalNumber } from './number.ts'
import { toAbsoluteUrl } from './values.ts'
import { parseDetailLines } from './vocabulary.ts'

/** Selects elements by name and optional class. The value is their text, or that of `attribute`. */
export interface Selector {
  name: string
  className?: string
  attribute?: string
}

export interface CardLayout {
  /** The element around one listing. */
  card: Selector
  /** The first match links to the listing's own page. */
  link: Selector
  title: Selector
  /** The first match with an amount and a currency is the price. */
  price: Selector
  /** Each match is a detail; several in one element are separated by `·` or `|`. */
  lines: Selector
  description?: Selector
  image?: Selector
}

export interface ParsedCard {
  /** Absolute URL of the listing's own page. */
  url: string
  facts: ListingFacts
  /** The HTML inside the card, for portal-specific parsing. */
  inner: string
}

/** Parses the cards of a page. `cardCount` also counts cards without a link. */
export function parseCards(
  html: string,
  url: string,
  layout: CardLayout,
): { cards: ParsedCard[]; cardCount: number } {
  const elements = selectElements(html, layout.card)
  return {
    cards: elements.flatMap(element => parseCard(element, url, layout) ?? []),
    cardCount: elements.length,
  }
}

/** The first number in the element's text (`1.261 anúncios`, `Encontrados 12`); null if its start has none. */
export function parseCount(html: string, selector: Selector): number | null {
  const selectedText = selectText(selectElement(html, selector), selector)
  const digits = /^[^\d]{0,40}(\d[\d.,'’\u00a0\u202f]*)/.exec(selectedText)?.[1]
  return digits === undefined ? null : parseLocalNumber(digits.replace(/[.,'’\u00a0\u202f]+$/, ''))
}

function parseCard({ inner }: Element, pageUrl: string, layout: CardLayout): ParsedCard | null {
  const link = selectElement(inner, layout.link)
  const href = link && findAttribute(link.tag, layout.link.attribute ?? 'href')
  const url = href ? toAbsoluteUrl(href, pageUrl) : null
  if (url === null) return null
  const lines = selectElements(inner, layout.lines).flatMap(line =>
    selectText(line, layout.lines).split(/ ?[·|] ?/),
  )
  const facts = parseDetailLines(lines)
  const price = parsePrice(inner, layout.price)
  if (price !== null && price.amount > 0) {
    facts.price = price.amount
    const currency = price.currency ?? price.sharedSign
    if (currency) facts.currency = currency
    if (price.period === 'month') facts.operation = 'rent'
  }
  const title = selectText(selectElement(inner, layout.title), layout.title)
  if (title !== '') facts.title = title
  const description = layout.description
    ? selectText(selectElement(inner, layout.description), layout.description)
    : ''
  if (description !== '') facts.description = description
  const image = layout.image && selectElement(inner, layout.image)
  const imageUrl =
    image && toAbsoluteUrl(findAttribute(image.tag, layout.image?.attribute ?? 'src') ?? '', pageUrl)
  if (imageUrl) facts.images = [imageUrl]
  return { url, facts, inner }
}

function parsePrice(html: string, selector: Selector): ReturnType<typeof parseMoney> {
  for (const element of selectElements(html, selector)) {
    const money = parseMoney(selectText(element, selector))
    if (money?.currency || money?.sharedSign) return money
  }
  return null
}

/** The value of an element: its text, with a superscript 2 read as `²`, or its attribute. */
function selectText(element: Element | null, selector: Selector): string {
  if (element === null) return ''
  if (selector.attribute !== undefined) return findAttribute(element.tag, selector.attribute)?.trim() ?? ''
  return extractText(element.inner.replace(/<sup>\s*2\s*<\/sup>/g, '²'))
}

export function selectElement(html: string, selector: Selector): Element | null {
  return selectElements(html, selector, 1)[0] ?? null
}

/** The matching elements in page order, without those nested inside another match. */
export function selectElements(
  html: string,
  selector: Selector,
  limit = Number.POSITIVE_INFINITY,
): Element[] {
  const found: Element[] = []
  let position = 0
  while (found.length < limit) {
    const start = findNextStart(html, selector, position)
    if (start === -1) return found
    const element = voidElementNames.has(selector.name)
      ? findVoidElement(html, start)
      : findElement(html.slice(start), selector.name)
    if (element === null) return found
    found.push(element)
    position = start + element.tag.length + element.inner.length
  }
  return found
}

// Void elements have no content and no closing tag.
const voidElementNames = new Set(['img', 'input', 'meta', 'link', 'source'])

function findVoidElement(html: string, start: number): Element | null {
  const end = html.indexOf('>', start)
  return end === -1 ? null : { tag: html.slice(start, end + 1), inner: '' }
}

/**
 * The start of the next matching tag, or -1. Searches for the class name: pages have thousands of `div`, and few of a
 * class.
 */
function findNextStart(html: string, { name, className }: Selector, from: number): number {
  const needle = className ?? `<${name}`
  let start = -1
  // The HTML before this position was searched already.
  let searched = from
  for (
    let position = html.indexOf(needle, from);
    position !== -1;
    position = html.indexOf(needle, position)
  ) {
    const nearestStart =
      className === undefined ? position - searched : html.slice(searched, position).lastIndexOf('<')
    if (nearestStart !== -1) start = searched + nearestStart
    searched = position
    position += needle.length
    if (start === -1 || !isTagStart(html, start, name)) continue
    if (className === undefined) return start
    // The class name occurs in text after the tag.
    if (html.slice(start, searched).includes('>')) continue
    const end = html.indexOf('>', position)
    if (end === -1) return -1
    if (hasClass(html.slice(start, end), className)) return start
    position = end
    searched = end
  }
  return -1
}

function isTagStart(html: string, start: number, name: string): boolean {
  return html.startsWith(`<${name}`, start) && /[\s>/]/.test(html[start + name.length + 1] ?? '')
}
