/** The advertiser: phone links and elements that are named after agents. */
import { parseInstant } from '../../values.ts'
import type { Candidate } from '../page-listing.ts'
import type { PageRuns } from '../page-runs.ts'
import { collectMeta, extractNodeText, type PageNode, type PageTree } from '../page-tree.ts'
import { isProperName, parsePhoneValue, type TextContext } from '../text-values.ts'
import { findWords, parseHeading, parseLabel } from '../words/words.ts'

const personNames =
  /(?:^|[\s_-])(?:agent|agents|agency|agence|agencia|broker|advertiser|seller|vendor|realtor|anbieter|makler|inserent|annonceur|anunciante|inserzionista|ogloszeniodawca|lister|office|branch|owner|contact|kontakt|contacto|ansprechpartner|profile|publisher|company)/i
const nameNames = /(?:^|[\s_-])(?:name|title|names|nombre|nom|nome|heading)(?:$|[\s_-])/i
const nameMax = 60
const candidatesMax = 6

/** The candidates of the advertiser's name, phone and kind. */
export function readAdvertiser(tree: PageTree, page: PageRuns, context: TextContext): Candidate[] {
  return [...readPhones(tree, page), ...readNames(tree, page, context)]
}

function toNames({ attributes }: PageNode): string {
  const names = `${attributes.class ?? ''} ${attributes.id ?? ''} ${attributes.itemprop ?? ''} ${attributes['data-testid'] ?? ''}`
  return names.slice(0, 300).replace(/([a-z])([A-Z])/g, '$1-$2')
}

function findPersonPart(node: PageNode): PageNode | null {
  for (
    let current: PageNode | null = node, climbs = 0;
    current !== null && climbs < 6;
    climbs += 1, current = current.parent
  )
    if (personNames.test(toNames(current))) return current
  return null
}

/** Phone links. Those of the portal stand in its header and footer, or outside the advertiser's part. */
function readPhones(tree: PageTree, page: PageRuns): Candidate[] {
  const found: { value: string; isAdvertiser: boolean }[] = []
  for (const node of tree.nodes) {
    const href = node.attributes.href
    if (node.name !== 'a' || href === undefined || !/^(?:tel|callto):/i.test(href)) continue
    const printed = parsePhoneValue(extractNodeText(node, 40))
    const value = printed ?? parsePhoneValue(decodePhone(href))
    if (value === null) continue
    const isAdvertiser = findPersonPart(node) !== null && !page.isExcluded(node)
    if (!page.isExcluded(node)) found.push({ value, isAdvertiser })
    if (found.length >= candidatesMax) break
  }
  return found.map(({ value, isAdvertiser }, index) => ({
    field: 'advertiserPhone',
    value,
    source: 'text',
    where: 'tel',
    weight: (isAdvertiser ? 0.5 : 0.35) - Math.min(index, 3) * 0.09,
  }))
}

function decodePhone(href: string): string {
  const number = href.replace(/^[a-z]+:(?:\/\/)?/i, '').slice(0, 40)
  try {
    return decodeURIComponent(number)
  } catch {
    return number
  }
}

function readNames(tree: PageTree, page: PageRuns, { languages }: TextContext): Candidate[] {
  const candidates: Candidate[] = []
  for (const node of tree.nodes) {
    if (candidates.length >= candidatesMax) break
    const names = toNames(node)
    if (!nameNames.test(names) || page.isExcluded(node) || /^(?:input|meta|label)$/.test(node.name)) continue
    if (findPersonPart(node) === null) continue
    const text = extractNodeText(node, nameMax + 1)
    if (!isPersonName(text)) continue
    const weight = 0.45 - candidates.length * 0.05
    candidates.push({
      field: 'advertiserName',
      value: text,
      source: 'text',
      where: names.trim().slice(0, 60),
      weight,
    })
    const [kind] = findWords('advertiserType', text, languages)
    if (kind !== undefined)
      candidates.push({
        field: 'advertiserType',
        value: kind.value,
        source: 'text',
        where: text,
        weight: 0.45,
      })
  }
  return candidates
}

function isPersonName(text: string): boolean {
  return isProperName(text) && parseLabel(text) === null && parseHeading(text) === null
}

/** Dates of the page that are stated in meta elements. */
export function readMetaDates(tree: PageTree): Candidate[] {
  const meta = collectMeta(tree)
  const candidates: Candidate[] = []
  const published = parseInstant(meta.get('article:published_time')?.[0])
  const updated = parseInstant(meta.get('article:modified_time')?.[0] ?? meta.get('og:updated_time')?.[0])
  if (published !== null)
    candidates.push({
      field: 'publishedAt',
      value: published,
      source: 'opengraph',
      where: 'article:published_time',
      weight: 0.4,
    })
  if (updated !== null)
    candidates.push({
      field: 'updatedAt',
      value: updated,
      source: 'opengraph',
      where: 'article:modified_time',
      weight: 0.4,
    })
  return candidates
}
