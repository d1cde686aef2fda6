/** When the page was published, as the JSON-LD of content management systems states about the page itself. */
import { getTypes, isNode, type JsonNode, toList } from '../../json-ld.ts'
import { parseInstant } from '../../values.ts'
import type { Candidate } from '../page-listing.ts'

const pageTypes = /^(?:WebPage|ItemPage|RealEstateListing|Article|BlogPosting)$/
const nodesMax = 200
const weight = 0.42

/** The dates of the page's own node. */
export function readPageDates(blocks: readonly unknown[], url: string): Candidate[] {
  const nodes = blocks
    .flatMap(block => (isNode(block) && Array.isArray(block['@graph']) ? block['@graph'] : toList(block)))
    .slice(0, nodesMax)
    .filter(isNode)
  return nodes
    .filter(node => getTypes(node).some(type => pageTypes.test(type)) && isOfPage(node, url))
    .flatMap(node => [
      ...toDate('publishedAt', node.datePublished),
      ...toDate('updatedAt', node.dateModified),
    ])
}

function isOfPage(node: JsonNode, url: string): boolean {
  const named = [node.url, node['@id']].filter(value => typeof value === 'string')
  return named.some(value => toPath(value) === toPath(url))
}

function toPath(url: string): string {
  return url
    .replace(/^https?:\/\/(?:www\.)?/, '')
    .replace(/[?#].*$/, '')
    .replace(/\/$/, '')
}

function toDate(field: 'publishedAt' | 'updatedAt', value: unknown): Candidate[] {
  const instant = typeof value === 'string' ? parseInstant(value.slice(0, 40)) : null
  return instant === null ? [] : [{ field, value: instant, source: 'json-ld', where: 'page', weight }]
}
