/** Reads any page of one property listing, with the source and the confidence of each value. */
import { toPlainWords } from '../../plain-words.ts'
import { detectObstacle } from '../challenge.ts'
import { arePropertyNodes, findListingNodes, parseJsonLdBlocks } from '../json-ld.ts'
import { parseJsonLdFacts } from '../json-ld-facts.ts'
import { parseMicrodataNodes } from '../microdata.ts'
import { parseMetaTags, parseOpenGraphFacts } from '../opengraph.ts'
import { isMetric } from './countries.ts'
import { deriveValues } from './derive.ts'
import { detectLocale } from './locale.ts'
import { createPageIdentity } from './page-identity.ts'
import type { Candidate, PageListing, ReaderPage } from './page-listing.ts'
import { collectMeta, extractNodeText, findFirst, type PageTree, parsePageTree } from './page-tree.ts'
import { reconcile } from './reconcile.ts'
import { toCandidates } from './sources/facts.ts'
import { readState } from './sources/state.ts'
import { collectStateDocuments } from './sources/state-documents.ts'
import { readUrl } from './sources/url.ts'
import { readVisible } from './sources/visible.ts'

const bodyTextMax = 300_000

/** The values of the listing; null if the page is no listing of a property. Never throws. */
export function readListing(page: ReaderPage): PageListing | null {
  if (detectObstacle(page.html) !== null) return null
  const tree = parsePageTree(page.html)
  const meta = collectMeta(tree)
  const structured = [...readStructuredData(page), ...readUrl(page.url)]
  const locale = detectLocale(page, tree, meta, structured)
  const isMetricPage = isMetric(locale.country, locale.language)
  const state = readState(collectStateDocuments(tree, page.html), {
    identity: createPageIdentity(page.url),
    url: page.url,
    isMetric: isMetricPage,
  })
  const visible = readVisible(tree, { url: page.url, country: locale.country, isMetric: isMetricPage })
  const candidates = dropForeignTexts([...structured, ...state, ...visible], tree, meta)
  if (locale.country !== null)
    candidates.push({
      field: 'country',
      value: locale.country,
      source: 'context',
      where: locale.where,
      weight: 0.5,
    })
  const { values, evidence } = reconcile(candidates)
  deriveValues(values, evidence, locale, page)
  return { values, evidence }
}

/** Candidates of JSON-LD, microdata and OpenGraph. */
function readStructuredData({ html, url }: ReaderPage): Candidate[] {
  const nodes = findListingNodes(parseJsonLdBlocks(html), url)
  const items = parseMicrodataNodes(html, url)
  return [
    ...(nodes === null
      ? []
      : toCandidates(parseJsonLdFacts(nodes, url), 'json-ld', arePropertyNodes(nodes) ? 0.85 : 0.6)),
    ...(items === null
      ? []
      : toCandidates(parseJsonLdFacts(items, url), 'microdata', arePropertyNodes(items) ? 0.8 : 0.55)),
    ...toCandidates(parseOpenGraphFacts(parseMetaTags(html), url), 'opengraph', 0.6, {
      title: 0.5,
      images: 0.5,
      description: 0.4,
    }),
  ]
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
  const headings = tree.nodes.filter(({ name }) => name === 'title' || name === 'h1').slice(0, 5)
  const titles = [...headings.map(node => extractNodeText(node, 500)), meta.get('og:title')?.[0] ?? '']
  const titleWords = new Set(titles.flatMap(toWordList))
  const isTitle = (text: string) => {
    const words = toWordList(text)
    const shared = words.filter(word => titleWords.has(word)).length
    return words.length > 1 && shared * 2 >= words.length
  }
  let body: string | null = null
  const isInBody = (text: string) => {
    body ??= toKey(extractNodeText(findFirst(tree, 'body') ?? tree.root, bodyTextMax))
    return body.includes(toKey(text).slice(0, 50))
  }
  return candidates.filter(({ field, value, source }) => {
    if (field === 'title' && source === 'state') return titleWords.size === 0 || isTitle(value)
    return !(field === 'description' && source === 'opengraph') || isInBody(value)
  })
}

function toWordList(text: string): string[] {
  return toPlainWords(text.slice(0, 500)).match(/[\p{L}\p{N}]+/gu) ?? []
}

function toKey(text: string): string {
  return toPlainWords(text).replace(/[^\p{L}\p{N}]+/gu, '')
}
