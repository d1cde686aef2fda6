// A page of an Atom feed (RFC 4287), with what others add to it: paging (RFC 5005), totals (OpenSearch), points (GeoRSS).
import { attributeOf } from '../listing/html.ts'
import { absoluteUrl, cleanText, readCoordinates, readInstant } from '../listing/values.ts'
import { childOf, childrenOf, readXmlElement, valueIn, type XmlElement } from './xml-element.ts'

export interface AtomPage {
  /** Of all entries of the feed, if it says so. */
  total: number | null
  /** Absolute address of the page behind this one. */
  next: string | null
  entries: AtomEntry[]
}

export interface AtomEntry {
  id: string
  title: string | null
  /** Absolute address of what the entry is about. */
  page: string | null
  /** Absolute addresses of images beside it. */
  images: string[]
  /** Summary or else content: HTML, or plain text. */
  text: string
  author: string | null
  /** ISO 8601, UTC. */
  publishedAt: string | null
  updatedAt: string | null
  point: { latitude: number; longitude: number } | null
  categories: { scheme: string; term: string }[]
}

/** The page at `url`; null if the text is no feed, or was cut before the end of it. Never throws. */
export function readAtomPage(text: string, url: string): AtomPage | null {
  const feed = readXmlElement(text)
  if (feed?.name !== 'feed' || !/<\/(?:[\w.-]+:)?feed\s*>\s*$/.test(text.slice(-200))) return null
  const total = /^\d{1,9}$/.exec(valueIn(childOf(feed, 'totalResults')))
  return {
    total: total && Number(total[0]),
    next: linksOf(feed, 'next', url)[0] ?? null,
    entries: childrenOf(feed, 'entry').map(entry => readEntry(entry, url)),
  }
}

function readEntry(entry: XmlElement, url: string): AtomEntry {
  const text = (name: string) => valueIn(childOf(entry, name))
  const [latitude, longitude] = text('point').split(/[\s,]+/)
  return {
    id: text('id'),
    title: cleanText(text('title')),
    page: linksOf(entry, 'alternate', url)[0] ?? null,
    images: linksOf(entry, 'enclosure', url, /^image\//),
    text: text('summary') || text('content'),
    author: cleanText(valueIn(childOf(childOf(entry, 'author'), 'name'))),
    publishedAt: readInstant(text('published')),
    updatedAt: readInstant(text('updated')),
    point: readCoordinates(latitude, longitude),
    categories: childrenOf(entry, 'category').map(({ tag }) => ({
      scheme: attributeOf(tag, 'scheme') ?? '',
      term: attributeOf(tag, 'term') ?? '',
    })),
  }
}

/** Addresses of the links of that relation, `alternate` where a link names none. */
function linksOf(element: XmlElement, relation: string, url: string, type?: RegExp): string[] {
  const links = childrenOf(element, 'link').filter(
    ({ tag }) =>
      (attributeOf(tag, 'rel') ?? 'alternate') === relation &&
      (type === undefined || type.test(attributeOf(tag, 'type') ?? '')),
  )
  return links.flatMap(({ tag }) => absoluteUrl(attributeOf(tag, 'href') ?? '', url) ?? [])
}
