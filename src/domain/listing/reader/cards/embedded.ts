/** Finds lists of listings in the data that a search page embeds: JSON-LD, and the state of its scripts. */
import type { ListingFacts } from '../../listing.ts'
import { parseMoney } from '../../money.ts'
import { parseCurrency, toAbsoluteUrl, toSingleLine } from '../../values.ts'
import { toKey, toSite } from './links.ts'

export interface EmbeddedCard {
  key: string
  /** Null if the item has only a slug. */
  url: string | null
  facts: ListingFacts
}

const visitsMax = 200_000
const depthMax = 16
const listItemsMax = 500
const listsMax = 200
const itemVisitsMax = 400
const itemDepthMax = 5

const urlKeyPattern =
  /^(?:@id|url|href|link|path|uri|slug|permalink|detail(?:s|url|_url)?|[a-z_]*(?:url|link|href))$/i
const otherUrlPattern =
  /image|photo|logo|agen|advertiser|owner|user|video|tour|share|canonical|breadcrumb|phone|contact|seller/i
const priceKeyPattern =
  /^(?:raw|total|sale|rent|purchase|asking|main|current)?_?(?:price|precio|preis|kaufpreis|prix|prezzo|preco)(?:_?(?:raw|value|amount|eur))?$/i
const amountKeyPattern = /^(?:value|amount|price|raw|rawvalue)$/i
const currencyKeyPattern = /^(?:price)?_?(?:currency|currencycode|currency_code)$/i
const titleKeyPattern = /^(?:title|name|headline|titel|titulo|titre|titolo)$/i
const otherPricePattern = /square|meter|m2|sqm|per|old|previous|former|drop|min|max|agen|rental_?charge/i

/** The lists of listings in these documents, the longest first. */
export function findEmbeddedLists(documents: readonly unknown[], pageUrl: string): EmbeddedCard[][] {
  const site = toSite(URL.parse(pageUrl)?.hostname ?? '')
  const lists: EmbeddedCard[][] = []
  let visits = 0
  const visit = (value: unknown, depth: number) => {
    visits += 1
    if (visits > visitsMax || depth > depthMax || lists.length >= listsMax) return
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      const list = toList(value, pageUrl, site)
      if (list !== null) {
        lists.push(list)
        return
      }
    }
    for (const member of Object.values(value)) visit(member, depth + 1)
  }
  visit(documents, 0)
  return lists.sort((a, b) => b.length - a.length)
}

function toList(items: readonly unknown[], pageUrl: string, site: string): EmbeddedCard[] | null {
  if (items.length < 2 || typeof items.find(item => item !== null) !== 'object') return null
  const cards = new Map<string, EmbeddedCard>()
  for (const item of items.slice(0, listItemsMax)) {
    const card = toCard(item, pageUrl, site)
    if (card !== null && !cards.has(card.key)) cards.set(card.key, card)
  }
  return cards.size >= 2 && cards.size >= items.length * 0.5 ? [...cards.values()] : null
}

interface Found {
  urls: { text: string; depth: number }[]
  slug: string | null
  price: number | null
  currency: string | null
  title: string | null
  titleDepth: number
}

function toCard(item: unknown, pageUrl: string, site: string): EmbeddedCard | null {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return null
  const found: Found = {
    urls: [],
    slug: null,
    price: null,
    currency: null,
    title: null,
    titleDepth: depthMax,
  }
  let visits = 0
  const queue: { value: object; depth: number; key: string }[] = [{ value: item, depth: 0, key: '' }]
  // Breadth first: the values nearest to the item are its own.
  for (let next = queue.shift(); next !== undefined && visits < itemVisitsMax; next = queue.shift()) {
    for (const [key, member] of Object.entries(next.value)) {
      visits += 1
      if (visits > itemVisitsMax) break
      collect(found, Array.isArray(next.value) ? next.key : key, member, next)
      const isOpen = typeof member === 'object' && member !== null && next.depth < itemDepthMax
      if (isOpen && !otherUrlPattern.test(key)) queue.push({ value: member, depth: next.depth + 1, key })
    }
  }
  if (found.price === null) return null
  const [url] = found.urls
    .flatMap(({ text, depth }) => {
      const parsed = URL.parse(toAbsoluteUrl(text, pageUrl) ?? '')
      if (parsed === null || toSite(parsed.hostname) !== site || parsed.pathname.length < 6) return []
      return /\.(?:jpe?g|png|webp|gif|svg)$/i.test(parsed.pathname)
        ? []
        : [{ parsed, depth, hasId: /\d{4}/.test(parsed.pathname) }]
    })
    .sort((a, b) => Number(b.hasId) - Number(a.hasId) || a.depth - b.depth)
  const target = url?.parsed ?? (found.slug === null ? null : URL.parse(`/${found.slug}`, pageUrl))
  if (target === null) return null
  target.hash = ''
  const facts: ListingFacts = { price: found.price }
  if (found.currency !== null) facts.currency = found.currency
  if (found.title !== null) facts.title = found.title
  return { key: toKey(target), url: url === undefined ? null : target.href, facts }
}

function collect(
  found: Found,
  key: string,
  member: unknown,
  { depth, key: parent }: { depth: number; key: string },
): void {
  if (typeof member === 'string' && member.length < 2000) {
    if (
      /^(?:\/|https?:\/\/)[^\s]{5,}$/.test(member) &&
      (urlKeyPattern.test(key) || urlKeyPattern.test(parent)) &&
      !otherUrlPattern.test(key)
    )
      found.urls.push({ text: member, depth })
    else if (key === 'slug' && depth === 0 && /^[\w-]{6,200}$/.test(member)) found.slug = member
    if (titleKeyPattern.test(key) && depth < found.titleDepth && member.trim().length > 2) {
      found.title = toSingleLine(member)
      found.titleDepth = depth
    }
    if (found.currency === null && currencyKeyPattern.test(key)) found.currency = parseCurrency(member)
  }
  if (found.price !== null || otherPricePattern.test(key)) return
  const isPrice =
    priceKeyPattern.test(key) ||
    (amountKeyPattern.test(key) &&
      /price|preis|precio|offer/i.test(parent) &&
      !otherPricePattern.test(parent))
  if (!isPrice) return
  if (typeof member === 'number' && member > 1) found.price = member
  else if (typeof member === 'string' && member.length < 60) {
    const money = parseMoney(member)
    if (money !== null && money.amount > 1) {
      found.price = money.amount
      found.currency ??= money.currency
    }
  }
}
