/**
 * Finds the listings of any search page without knowing its layout: repeated structure with a link and a price, and
 * lists in embedded data.
 */
import { parseJsonLdBlocks } from './json-ld.ts'
import type { ListingFacts } from './listing.ts'
import { type EmbeddedCard, findEmbeddedLists } from './reader/cards/embedded.ts'
import { collectLinks, groupLinks, type PageLink, toShape } from './reader/cards/links.ts'
import { findNextUrl, findStatedUrl, findTotal, saysNoResults } from './reader/cards/page-facts.ts'
import { findCardPrice } from './reader/cards/price.ts'
import {
  type CardElement,
  findCardElements,
  findKnownCardElements,
  indexPage,
  type PageIndex,
} from './reader/cards/structure.ts'
import { findRepeatedTexts, toDetailLines } from './reader/cards/texts.ts'
import { findCardTitle } from './reader/cards/title.ts'
import { type PageTree, parsePageTree } from './reader/page-tree.ts'
import { collectStateDocuments, type StateDocument } from './reader/sources/state-documents.ts'
import { parseDetailLines } from './vocabulary.ts'

export interface SearchPage {
  html: string
  /** Absolute URL of the page. */
  url: string
  /**
   * Finds the id of a listing in its URL, null for other URLs. If omitted, links that repeat beside a price are taken as
   * listings.
   */
  findListingId?: (url: URL) => string | null
  /** The parts of the page, if they are known. */
  parts?: PageParts
}

export interface PageParts {
  tree: PageTree
  jsonLd: readonly unknown[]
  documents: readonly StateDocument[]
}

export interface FoundCard {
  /** Absolute URL of the listing's own page. */
  url: string
  facts: ListingFacts
}

export interface FoundCards {
  /** In page order. */
  cards: FoundCard[]
  /** The number of results that the page announces; null if it does not. */
  total: number | null
  /** The URL of the next page; null if the page links to none. */
  nextUrl: string | null
  /** True if there is no card, and the page says that its search found nothing. */
  saysNone: boolean
  /** How the cards were found: `markup`, or `data` if the page embeds listings that its markup does not show. */
  source: 'markup' | 'data'
}

/** Characters of a page that are read. The largest known search page has 3.3 million. */
const pageMax = 4_000_000

interface KeyedCard extends FoundCard {
  key: string
}

/** The listings of a search page. `cards` is empty if it has no list of listings with prices. Never throws. */
export function findCards({ html, url, findListingId, parts = parseParts(html) }: SearchPage): FoundCards {
  const page = indexPage(parts.tree)
  const links = collectLinks(page.tree, url)
  const elements = findListingId
    ? findKnownCardElements(toKnownLinks(links, findListingId), page)
    : findCardElements(groupLinks(links), links, page)
  const repeated = findRepeatedTexts(elements.map(({ node }) => page.getTexts(node)))
  const shown = elements.map(card => readCard(card, page, repeated))
  const documents = [...parts.jsonLd, ...parts.documents.map(({ value }) => value)]
  const lists = findEmbeddedLists(documents, url)
  const { cards, source } = mergeEmbedded(shown, findListingId ? toKnownLists(lists, findListingId) : lists)
  return {
    cards: cards.map(({ key: _, ...card }) => card),
    total: findTotal(
      page,
      elements.map(({ node }) => node),
      cards.length,
    ),
    nextUrl: findNextUrl(page, links, url),
    saysNone: cards.length === 0 && saysNoResults(page),
    source,
  }
}

function parseParts(page: string): PageParts {
  const html = page.slice(0, pageMax)
  const tree = parsePageTree(html)
  return { tree, jsonLd: parseJsonLdBlocks(html), documents: collectStateDocuments(tree, html) }
}

function toKnownLinks(
  links: readonly PageLink[],
  findListingId: NonNullable<SearchPage['findListingId']>,
): PageLink[] {
  return links.flatMap(link => {
    const key = findListingId(link.url)
    return key === null ? [] : [{ ...link, key }]
  })
}

function toKnownLists(
  lists: readonly EmbeddedCard[][],
  findListingId: NonNullable<SearchPage['findListingId']>,
): EmbeddedCard[][] {
  return lists.map(list =>
    list.flatMap(card => {
      const key = card.url === null ? card.key : findListingId(new URL(card.url))
      return key === null ? [] : [{ ...card, key }]
    }),
  )
}

function readCard(
  { node, links, key }: CardElement,
  { tree, ends, getTexts }: PageIndex,
  repeated: ReadonlySet<string>,
): KeyedCard {
  const texts = getTexts(node)
  const facts = parseDetailLines(toDetailLines(texts))
  const price = findCardPrice(texts, node)
  if (price !== null) {
    facts.price = price.amount
    if (price.currency !== null) facts.currency = price.currency
    if (price.period === 'month') facts.operation = 'rent'
  }
  const title = findCardTitle(node, tree.nodes.slice(node.index, ends[node.index]), links, texts, repeated)
  if (title !== null) facts.title = title
  return { key, url: links[0]!.url.href, facts }
}

/**
 * Embedded lists complete the cards: missing prices and titles, and the listings of a page that shows its cards only
 * when people scroll. A list of other listings (similar, recently viewed) shares no listing with the cards.
 */
function mergeEmbedded(
  shown: readonly KeyedCard[],
  lists: readonly EmbeddedCard[][],
): { cards: readonly KeyedCard[]; source: FoundCards['source'] } {
  const byKey = new Map(
    lists
      .flat()
      .toReversed()
      .map(card => [card.key, card]),
  )
  const completed = shown.map(card => {
    const { price, title } = byKey.get(card.key)?.facts ?? {}
    const facts = { ...card.facts }
    if (facts.price === undefined && price !== undefined) {
      facts.price = price
      const currency = byKey.get(card.key)!.facts.currency
      if (currency !== undefined) facts.currency = currency
    }
    if (facts.title === undefined && title !== undefined) facts.title = title
    return { ...card, facts }
  })
  const keys = new Set(shown.map(({ key }) => key))
  const shapes = new Set(shown.map(({ url }) => toShape(new URL(url))))
  const [longest] = lists
    .map(list =>
      list.flatMap(({ key, url, facts }) =>
        url !== null && (shown.length === 0 || shapes.has(toShape(new URL(url))))
          ? [{ key, url, facts }]
          : [],
      ),
    )
    .filter(
      list => shown.length === 0 || list.filter(({ key }) => keys.has(key)).length >= shown.length * 0.5,
    )
    .sort((a, b) => b.length - a.length)
  if (longest === undefined || longest.length < Math.max(2, shown.length * 1.3))
    return { cards: completed, source: 'markup' }
  const completedByKey = new Map(completed.map(card => [card.key, card]))
  const listed = new Set(longest.map(({ key }) => key))
  return {
    cards: [
      ...longest.map(card => completedByKey.get(card.key) ?? card),
      ...completed.filter(({ key }) => !listed.has(key)),
    ],
    source: 'data',
  }
}

/** The URL that a saved page states as its own; null if it states none. */
export const findPageUrl = (html: string): string | null => findStatedUrl(parsePageTree(html))
