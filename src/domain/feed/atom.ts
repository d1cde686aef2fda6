/** Parses a page of an Atom feed (RFC 4287) with paging (RFC 5005), totals (OpenSearch) and points (GeoRSS). */
import { findAttribute } from '../listing/html.ts'
import { parseCoordinates, parseInstant, toAbsoluteUrl, toSingleLine } from '../listing/values.ts'
import { findChild, findChildren, getValue, parseXmlElement, type XmlElement } from './xml-element.ts'

export interface AtomPage {
  /** Number of all entries of the feed, if stated. */
  total: number | null
  /** Absolute URL of the next page. */
  next: string | null
  entries: AtomEntry[]
}

export interface AtomEntry {
  id: string
  title: string | null
  /** Absolute URL of the page that the entry describes. */
  page: string | null
  /** Absolute URLs of the enclosed images. */
  images: string[]
  /** The summary, otherwise the content: HTML, or plain text. */
  text: string
  author: string | null
  /** ISO 8601, UTC. */
  publishedAt: string | null
  updatedAt: string | null
  point: { latitude: number; longitude: number } | null
  categories: { scheme: string; term: string }[]
}

/** Parses the page at `url`. Null if the text is not a feed or is truncated. Never throws. */
export function parseAtomPage(text: string, url: string): AtomPage | null {
  const feed = parseXmlElement(text)
  if (feed?.name !== 'feed' || !/<\/(?:[\w.-]+:)?feed\s*>\s*$/.test(text.slice(-200))) return null
  const total = /^\d{1,9}$/.exec(getValue(findChild(feed, 'totalResults')))
  return {
    total: total && Number(total[0]),
    next: parseLinks(feed, 'next', url)[0] ?? null,
    entries: findChildren(feed, 'entry').map(entry => parseEntry(entry, url)),
  }
}

function parseEntry(entry: XmlElement, url: string): AtomEntry {
  const text = (name: string) => getValue(findChild(entry, name))
  const [latitude, longitude] = text('point').split(/[\s,]+/)
  return {
    id: text('id'),
    title: toSingleLine(text('title')),
    page: parseLinks(entry, 'alternate', url)[0] ?? null,
    images: parseLinks(entry, 'enclosure', url, /^image\//),
    text: text('summary') || text('content'),
    author: toSingleLine(getValue(findChild(findChild(entry, 'author'), 'name'))),
    publishedAt: parseInstant(text('published')),
    updatedAt: parseInstant(text('updated')),
    point: parseCoordinates(latitude, longitude),
    categories: findChildren(entry, 'category').map(({ tag }) => ({
      scheme: findAttribute(tag, 'scheme') ?? '',
      term: findAttribute(tag, 'term') ?? '',
    })),
  }
}

/** URLs of the links with this relation; a link without one is `alternate`. */
function parseLinks(element: XmlElement, relation: string, url: string, type?: RegExp): string[] {
  const links = findChildren(element, 'link').filter(
    ({ tag }) =>
      (findAttribute(tag, 'rel') ?? 'alternate') === relation &&
      (type === undefined || type.test(findAttribute(tag, 'type') ?? '')),
  )
  return links.flatMap(({ tag }) => toAbsoluteUrl(findAttribute(tag, 'href') ?? '', url) ?? [])
}
