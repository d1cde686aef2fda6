/** Reads any page of one property listing, with the source and the confidence of each value. */
import { detectObstacle } from '../challenge.ts'
import { arePropertyNodes, findListingNodes, parseJsonLdBlocks } from '../json-ld.ts'
import { parseJsonLdFacts } from '../json-ld-facts.ts'
import { parseMicrodataNodes } from '../microdata.ts'
import { parseSharedSign, resolveSharedSign } from '../money.ts'
import { parseMetaTags, parseOpenGraphFacts } from '../opengraph.ts'
import { findCountryOfHost, isMetricCountry } from './countries.ts'
import { createPageIdentity } from './page-identity.ts'
import type { Candidate, PageListing, ReaderPage } from './page-listing.ts'
import { parsePageTree } from './page-tree.ts'
import { reconcile } from './reconcile.ts'
import { toCandidates } from './sources/facts.ts'
import { readState } from './sources/state.ts'
import { collectStateDocuments } from './sources/state-documents.ts'

/** The values of the listing; null if the page is no listing of a property. Never throws. */
export function readListing(page: ReaderPage): PageListing | null {
  if (detectObstacle(page.html) !== null) return null
  const tree = parsePageTree(page.html)
  const country = page.country ?? findCountryOfHost(page.url)
  const nodes = findListingNodes(parseJsonLdBlocks(page.html), page.url)
  const microdataNodes = parseMicrodataNodes(page.html, page.url)
  const candidates: Candidate[] = [
    ...(nodes === null
      ? []
      : toCandidates(parseJsonLdFacts(nodes, page.url), 'json-ld', arePropertyNodes(nodes) ? 0.85 : 0.6)),
    ...(microdataNodes === null
      ? []
      : toCandidates(
          parseJsonLdFacts(microdataNodes, page.url),
          'microdata',
          arePropertyNodes(microdataNodes) ? 0.8 : 0.55,
        )),
    ...toCandidates(parseOpenGraphFacts(parseMetaTags(page.html), page.url), 'opengraph', 0.6, {
      title: 0.5,
      images: 0.5,
      description: 0.4,
    }),
    ...readState(collectStateDocuments(tree, page.html), {
      identity: createPageIdentity(page.url),
      url: page.url,
      isMetric: isMetricCountry(country),
    }),
  ]
  if (country !== null)
    candidates.push({
      field: 'country',
      value: country,
      source: page.country === null ? 'url' : 'context',
      where: 'url',
      weight: 0.5,
    })
  const { values, evidence } = reconcile(candidates)
  const sign = parseSharedSign(values.currency)
  if (sign !== null) values.currency = page.currency === null ? null : resolveSharedSign(sign, page.currency)
  if (values.currency === null && values.price !== null) values.currency = page.currency
  if (values.operation === 'sale') values.pricePeriod = null
  return { values, evidence }
}
