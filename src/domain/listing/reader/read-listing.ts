/** Reads any page of one property listing, with the source and the confidence of each value. */
import { toPlainWords } from '../../plain-words.ts'
import { detectObstacle } from '../challenge.ts'
import { arePropertyNodes, findListingNodes, type ListingNodes, parseJsonLdBlocks } from '../json-ld.ts'
import { parseJsonLdFacts } from '../json-ld-facts.ts'
import { parseMicrodataNodes } from '../microdata.ts'
import { parseMetaTags, parseOpenGraphFacts } from '../opengraph.ts'
import { isMetric } from './countries.ts'
import { deriveValues } from './derive.ts'
import { dropUntrusted } from './guards/drop-untrusted.ts'
import { collectOrganizationFacts } from './guards/organizations.ts'
import { collectPageTexts } from './guards/page-texts.ts'
import { isListingPage } from './is-listing.ts'
import { detectLocale } from './locale.ts'
import { createPageIdentity } from './page-identity.ts'
import type { Candidate, PageListing, ReaderPage } from './page-listing.ts'
import { collectMeta, extractNodeText, findFirst, type PageTree, parsePageTree } from './page-tree.ts'
import { collectBreadcrumbs } from './places/breadcrumbs.ts'
import { derivePlaces } from './places/derive-places.ts'
import { reconcile } from './reconcile.ts'
import { readStatedNames } from './sources/advertiser-names.ts'
import { toCandidates } from './sources/facts.ts'
import { readListedFeatures } from './sources/features.ts'
import { readPageDates } from './sources/page-dates.ts'
import { readSchemaExtras } from './sources/schema-extras.ts'
import { readState } from './sources/state.ts'
import { collectStateDocuments } from './sources/state-documents.ts'
import { readUrl } from './sources/url.ts'
import { readVisible } from './sources/visible.ts'
import { forgetPhrases, parseHeading } from './words/words.ts'

/** For nodes about property, and for products and offers of any kind. */
const schemaWeights = { 'json-ld': { property: 0.85, other: 0.6 }, microdata: { property: 0.8, other: 0.55 } }
const openGraphWeights = { title: 0.5, images: 0.5, description: 0.4 }
/** Characters of a page that are read. The largest known page of a listing has 1.6 million. */
const pageMax = 2_250_000
const bodyTextMax = 300_000
/** A shorter page is drawn by its scripts. */
const shortBodyMax = 1500

/** The values of the listing; null if the page is no listing of a property. Never throws. */
export function readListing(page: ReaderPage): PageListing | null {
  try {
    return readPage({ ...page, html: page.html.slice(0, pageMax) })
  } finally {
    forgetPhrases()
  }
}

function readPage(page: ReaderPage): PageListing | null {
  if (detectObstacle(page.html) !== null) return null
  const tree = parsePageTree(page.html)
  const meta = collectMeta(tree)
  const jsonLd = parseJsonLdBlocks(page.html)
  const nodes = findListingNodes(jsonLd, page.url)
  const items = parseMicrodataNodes(page.html, page.url)
  const facts = [
    ...readSchema(nodes, 'json-ld', page.url),
    ...readSchema(items, 'microdata', page.url),
    ...toCandidates(
      parseOpenGraphFacts(parseMetaTags(page.html), page.url),
      'opengraph',
      0.6,
      openGraphWeights,
    ),
    ...readUrl(page.url),
    ...readPageDates(jsonLd, page.url),
  ]
  const locale = detectLocale(page, tree, meta, facts)
  const metric = isMetric(locale.country, locale.language)
  const documents = collectStateDocuments(tree, page.html)
  const state = readState(documents, {
    identity: createPageIdentity(page.url),
    url: page.url,
    isMetric: metric,
    hasCounties: locale.country === null || ['GB', 'IE', 'US'].includes(locale.country),
  })
  const hidden = nodes === null ? findListingNodes(state.schemaNodes, page.url) : null
  const structured = [
    ...facts,
    ...readSchema(hidden, 'json-ld', page.url),
    ...[nodes, hidden].flatMap(found => (found === null ? [] : readSchemaExtras(found, 'json-ld', metric))),
    ...(items === null ? [] : readSchemaExtras(items, 'microdata', metric)),
    ...state.candidates,
    ...readVisible(tree, { url: page.url, country: locale.country, isMetric: metric }),
  ]
  const stated = dropForeignTexts(structured, tree, meta)
  const candidates = dropUntrusted(
    [...stated, ...readStatedNames(stated), ...readListedFeatures(stated)],
    collectPageTexts(tree),
    collectOrganizationFacts(jsonLd),
  )
  if (locale.country !== null)
    candidates.push({
      field: 'country',
      value: locale.country,
      source: 'context',
      where: locale.where,
      weight: 0.5,
    })
  const { values, evidence } = reconcile(candidates)
  derivePlaces(values, evidence, {
    headings: [...listHeadings(tree), meta.get('og:title')?.[0] ?? ''],
    trails: collectBreadcrumbs(tree, [jsonLd, state.schemaNodes]),
    url: page.url,
    language: locale.language,
  })
  deriveValues(values, evidence, locale, page)
  return isListingPage(values, page, { tree, jsonLd, documents }) ? { values, evidence } : null
}

function readSchema(nodes: ListingNodes | null, source: 'json-ld' | 'microdata', url: string): Candidate[] {
  if (nodes === null) return []
  const { property, other } = schemaWeights[source]
  return toCandidates(parseJsonLdFacts(nodes, url), source, arePropertyNodes(nodes) ? property : other)
}

/**
 * Drops titles of other things (schools, agents, buttons), which share no words with the page's title, and
 * descriptions that the portal writes for search engines, which are not in the page's text.
 */
function dropForeignTexts(
  candidates: readonly Candidate[],
  tree: PageTree,
  meta: ReadonlyMap<string, string[]>,
): Candidate[] {
  const titles = [...listHeadings(tree), meta.get('og:title')?.[0] ?? '']
  const titleWords = new Set(titles.flatMap(toWordList))
  const isTitle = (text: string) => {
    const words = toWordList(text)
    if (titleWords.size === 0) return words.length > 2
    const shared = words.filter(word => titleWords.has(word)).length
    return words.length > 1 && shared * 2 > words.length
  }
  let body: string | null = null
  const isInBody = (text: string) => {
    body ??= toKey(extractNodeText(findFirst(tree, 'body') ?? tree.root, bodyTextMax))
    return body.length < shortBodyMax || body.includes(toKey(text.slice(0, 500)).slice(0, 50))
  }
  return candidates.filter(({ field, value, source }) => {
    if (field === 'title' && parseHeading(value) !== null) return false
    if (field === 'title') return source === 'state' ? isTitle(value) : toWordList(value).length > 1
    return field !== 'description' || source === 'state' || isInBody(value)
  })
}

/** The title and the main headings. */
function listHeadings(tree: PageTree): string[] {
  return tree.nodes
    .filter(({ name }) => name === 'title' || name === 'h1')
    .slice(0, 5)
    .map(node => extractNodeText(node, 500))
}

function toWordList(text: string): string[] {
  return toPlainWords(text.slice(0, 500)).match(/[\p{L}\p{N}]+/gu) ?? []
}

function toKey(text: string): string {
  return toPlainWords(text).replace(/[^\p{L}\p{N}]+/gu, '')
}
