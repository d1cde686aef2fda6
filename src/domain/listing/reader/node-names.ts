/** The names that a page gives to its elements: classes, ids and test ids. */
import type { PageNode } from './page-tree.ts'

const namesMax = 300
const climbsMax = 6
const advertiserNames =
  /(?:^|[\s_-])(?:agent|agents|agency|agence|agencia|agenzia|broker|contact|office|company|vendor|seller|realtor|anbieter|makler|advertiser|annonceur|anunciante|inserzionista|inserent|inmobiliaria|footer|branch|brand|customer|owner|publisher|lister|kontakt|contacto)/i

/** The words of an element's names, separated by spaces or hyphens. Several sources read them, so they are kept. */
export function toElementNames(node: PageNode): string {
  node.names ??= joinNames(node)
  return node.names
}

function joinNames({ attributes }: PageNode): string {
  const { class: classes = '', id = '', itemprop = '' } = attributes
  const tests = `${attributes['data-testid'] ?? ''} ${attributes['data-test'] ?? ''} ${attributes['data-qa'] ?? ''}`
  return `${classes} ${id} ${itemprop} ${tests}`
    .slice(0, namesMax)
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .trim()
}

/** True for an element in the part of the page that presents the advertiser. */
export function isInAdvertiserPart(node: PageNode): boolean {
  let current: PageNode | null = node
  for (let climbs = 0; current !== null && climbs < climbsMax; climbs += 1) {
    current.isAdvertiser ??= current.name !== 'body' && advertiserNames.test(toElementNames(current))
    if (current.isAdvertiser) return true
    current = current.parent
  }
  return false
}
