/** Finds the title of a card. */
import { parseMoney } from '../../money.ts'
import { extractNodeText, type PageNode } from '../page-tree.ts'
import type { PageLink } from './links.ts'
import { type CardText, collectTexts, toNames } from './texts.ts'

const titleLengthMax = 300
/** A text of this length with an amount is a price. */
const shortLengthMax = 24
const titlePattern =
  /title|titel|titulo|título|titolo|titre|heading|headline|headerl?ine|(?:^|[\s_-])name(?:$|[\s_-])/
const genericPattern =
  /^(?:details?|mehr|more|ver(?: más| mais| detalles?)?|zum exposé|exposé|view(?: details?)?|read more|voir|meer|szczegóły|zobacz|contact(?:ar|o)?|neu|new|nuevo|nou|novo|promoted|destacad[oa]s?|top|anzeige|gesponsert|[\d\s/]+|foto?s?|\d+\/\d+|learn more|available|sold|zu verkaufen|for sale|to let|verfügbar|reserv(?:ed|ado|iert)|premium|sale agreed|let agreed|under offer|sin fotos?|sem fotos?|no photos?|keine (?:fotos?|bilder))$/i
/** Other texts that are headings on some pages. */
const otherNamePattern =
  /subtitle|sub-title|location|ubicacion|address|adresse|agent|agency|owner|advertiser|seller|anbieter|price|preis/

const advertiserPartPattern =
  /(?:^|[\s_-])(?:agents?|agency|owner|advertiser|seller|anbieter|makler|broker|publisher|realtor|branding)/
const partLevels = 5

/**
 * The element that its names call the title, a heading, the text of the link to the listing, or the first text that can
 * be a title.
 */
export function findCardTitle(
  card: PageNode,
  nodes: readonly PageNode[],
  links: readonly PageLink[],
  texts: readonly CardText[],
  repeated: ReadonlySet<string>,
): string | null {
  const isHeading = ({ name }: PageNode) => /^h[1-6]$/.test(name)
  const named = nodes.filter(
    node =>
      node !== card &&
      titlePattern.test(toNames(node)) &&
      !otherNamePattern.test(toNames(node)) &&
      !isInOtherPart(node, card),
  )
  for (const candidates of [named.filter(isHeading), nodes.filter(isHeading), named]) {
    for (const node of candidates) {
      const text = extractNodeText(node, titleLengthMax)
      if (isTitle(text)) return text
    }
  }
  const isOwnTitle = (text: string) => isTitle(text) && !repeated.has(text)
  const inLinks = links.map(({ node }) => collectTexts(node).map(({ text }) => text))
  // A link around one text is the title; a link around the whole card has it as one of its texts.
  const [longest] = inLinks
    .flatMap(parts => (parts.length === 1 ? parts : []))
    .filter(isOwnTitle)
    .sort((a, b) => b.length - a.length)
  if (longest !== undefined) return longest.slice(0, titleLengthMax)
  const first = [...inLinks.flat(), ...texts.map(({ text }) => text)].find(isOwnTitle)
  return (
    (first ?? inLinks.flat().find(isTitle))?.slice(0, titleLengthMax) ??
    links.map(({ node }) => node.attributes['aria-label'] ?? node.attributes.title ?? '').find(isTitle) ??
    null
  )
}

/** True for an element in the part of a card that presents the advertiser. */
function isInOtherPart(node: PageNode, card: PageNode): boolean {
  let current = node.parent
  for (let level = 0; level < partLevels && current !== null && current !== card; level += 1) {
    if (advertiserPartPattern.test(toNames(current))) return true
    current = current.parent
  }
  return false
}

function isTitle(text: string): boolean {
  if (text.length < 3 || genericPattern.test(text) || !/\p{L}{3}/u.test(text)) return false
  if (/^\d+(?:[.,]\d+)? ?\S{1,8}$/.test(text)) return false
  return text.length > shortLengthMax || parseMoney(text)?.amount === undefined
}
