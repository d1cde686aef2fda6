/** Finds the number of results that a search page announces, and its next page. */
import { parseLocalNumber } from '../../number.ts'
import { extractNodeText, type PageNode } from '../page-tree.ts'
import { type PageLink, toSite } from './links.ts'
import type { PageIndex } from './structure.ts'
import { toNames } from './texts.ts'

const totalMax = 10_000_000
const textLengthMax = 200
const textsMax = 3000

const namedPattern = /result|total|count|found|hits|treffer|encontrad|trovat/
const nouns =
  'results?|properties|property|homes?|houses?|flats?|apartments?|listings?|resultados?|anuncios?|an[uú]ncios?|inmuebles?|im[oó]ve(?:l|is)|viviendas?|casas?|pisos?|apartamentos?|departamentos?|moradias?|propiedades|propriedades|oficinas?|locales|garajes?|risultati|annunci|immobili|case|appartament[oi]|ville|r[eé]sultats?|annonces?|biens|maisons?|appartements?|habitatges?|anuncis|immobles|ergebnisse?|treffer|anzeigen|angebote?|immobilien|objekte?|h[aä]user|(?:\\p{L}+)?wohnung(?:en)?|resultaten|(?:\\p{L}+)?woning(?:en)?|huizen|objecten|advertenties|og[lł]osze\\p{L}+|ofert\\p{L}*|nieruchomo\\p{L}+|mieszka\\p{L}+|wynik\\p{L}*|tal[aá]lat|ingatlan\\p{L}*|hirdet[eé]s|emaitza\\p{L}*|etxebizitza\\p{L}*'
const number = "\\d{1,3}(?:[.,'’ \\u00a0\\u202f]\\d{3})+|\\d{1,7}"
const countedPattern = new RegExp(
  `(?<![\\d.,/-])(${number})(?:\\s?\\+)?\\s+(?:[\\p{L}-]{2,20}\\s+){0,2}?(?:${nouns})(?![\\p{L}])`,
  'iu',
)
const labelledPattern = new RegExp(
  `(?:^|\\s)(?:${nouns}|total|gefunden|encontrados|trovati|found)\\s?:?\\s?\\(?(${number})\\)?$`,
  'iu',
)

/** The number; null if the page announces none, or fewer than it shows. */
export function findTotal(page: PageIndex, cards: readonly PageNode[], cardCount: number): number | null {
  const isInCard = createContainment(cards, page)
  const nodes = page.tree.nodes
  const texts: string[] = []
  const addAll = (test: (node: PageNode) => boolean) => {
    for (const node of nodes)
      if (texts.length < textsMax && test(node)) texts.push(extractNodeText(node, textLengthMax))
  }
  addAll(({ name }) => name === 'h1')
  addAll(node => node.name === 'h2' && !isInCard(node))
  addAll(({ name }) => name === 'title')
  addAll(
    node =>
      node.children.length <= 12 && namedPattern.test(toNames(node)) && !isInLink(node) && !isInCard(node),
  )
  addAll(
    node =>
      /^(?:p|span|strong|div|b)$/.test(node.name) &&
      node.children.length <= 3 &&
      !isInLink(node) &&
      !isInCard(node),
  )
  for (const { name, attributes } of nodes)
    if (
      name === 'meta' &&
      /^(?:og:)?(?:title|description)$/.test(attributes.name ?? attributes.property ?? '')
    )
      texts.push((attributes.content ?? '').slice(0, textLengthMax))
  for (const text of texts) {
    const total = parseTotal(text)
    if (total !== null && total >= cardCount) return total
  }
  return null
}

function parseTotal(text: string): number | null {
  const digits =
    countedPattern.exec(text)?.[1] ?? (text.length < 60 ? labelledPattern.exec(text)?.[1] : undefined)
  const total = digits === undefined ? null : parseLocalNumber(digits.replace(/\s/g, ' '))
  return total !== null && Number.isInteger(total) && total <= totalMax ? total : null
}

function createContainment(cards: readonly PageNode[], { ends }: PageIndex): (node: PageNode) => boolean {
  const inside = new Uint8Array(ends.length)
  for (const card of cards) inside.fill(1, card.index, ends[card.index])
  return node => inside[node.index] === 1
}

const ancestorsMax = 12

function isInLink(node: PageNode): boolean {
  let current: PageNode | null = node
  for (let level = 0; level < ancestorsMax && current !== null; level += 1) {
    if (/^(?:a|select|option|nav|footer|script)$/.test(current.name)) return true
    current = current.parent
  }
  return false
}

const nextWords =
  /^\W*(?:next(?: page)?|siguientes?|p[aá]gina siguiente|seg[uü]ent|seguinte|pr[oó]xim[oa]|successiv[oa]|avanti|pagina successiva|suivante?s?|page suivante|weiter|n[aä]chste(?: seite)?|vor|volgende(?: pagina)?|nast[eę]pn[ae](?: strona)?|dalej|k[oö]vetkez[oő]|hurrengoa)\W*$|^\s*(?:›|»|>|→|&gt;)\s*$/i
const nextNames =
  /(?:^|[\s_-])next(?:$|[\s_-])|pagination-?next|next-?page|siguiente|weiter|volgende|nastepna/

/** The URL of the next page; null on the last page, and if the page changes by script only. */
export function findNextUrl(page: PageIndex, links: readonly PageLink[], pageUrl: string): string | null {
  const own = URL.parse(pageUrl)
  const toOther = (href: string | undefined): string | null => {
    const url =
      href === undefined || href.trim() === '' || href.startsWith('#')
        ? null
        : URL.parse(href.trim(), pageUrl)
    if (url === null || own === null || !/^https?:$/.test(url.protocol)) return null
    url.hash = ''
    return toSite(url.hostname) === toSite(own.hostname) && url.href !== own.href ? url.href : null
  }
  const marked = page.tree.nodes.filter(
    ({ name, attributes }) => name === 'a' && /(?:^|\s)next(?:\s|$)/.test(attributes.rel ?? ''),
  )
  const linked = page.tree.nodes.filter(
    ({ name, attributes }) => name === 'link' && attributes.rel === 'next',
  )
  for (const { attributes } of [...marked, ...linked]) {
    const url = toOther(attributes.href)
    if (url !== null) return url
  }
  const named = links.filter(({ node }) => isNextLink(node))
  const byNumber = findFollowing(links)
  // Arrows also lead through photos: prefer a link that the numbers of the pager confirm.
  const confirmed = named.find(({ url }) => url.href === byNumber?.url.href)
  return toOther((confirmed ?? named[0] ?? byNumber)?.url.href)
}

function isNextLink(node: PageNode): boolean {
  const { attributes } = node
  if (/disabled/.test(attributes.class ?? '') || attributes['aria-disabled'] === 'true') return false
  return (
    nextWords.test(extractNodeText(node, 40)) ||
    nextWords.test(attributes['aria-label'] ?? '') ||
    nextWords.test(attributes.title ?? '') ||
    /^weiter zur seite \d+$/i.test(attributes.title ?? '') ||
    nextNames.test(toNames(node)) ||
    (node.parent?.name === 'li' && nextNames.test(toNames(node.parent)))
  )
}

/** The link of a pager to the page after the current one. */
function findFollowing(links: readonly PageLink[]): PageLink | null {
  const numbered = links.flatMap(link => {
    const text = extractNodeText(link.node, 8)
    return /^\d{1,4}$/.test(text) ? [{ link, page: Number(text) }] : []
  })
  if (numbered.length === 0) return null
  const current = numbered.find(
    ({ link: { node } }) =>
      /(?:^|[\s_-])(?:active|current|selected|activepage)(?:$|[\s_-])|current$/.test(
        `${toNames(node)} ${toNames(node.parent!)}`,
      ) || !/^(?:false)?$/.test(node.attributes['aria-current'] ?? ''),
  )
  const pages = new Set(numbered.map(({ page }) => page))
  // The current page is often the only number without a link.
  const missing = [...pages].sort((a, b) => a - b).find(page => !pages.has(page - 1) && page > 1)
  const following = current === undefined ? missing : current.page + 1
  return (
    numbered.find(({ link: { url }, page }) => page === following && url.href.includes(String(page)))?.link ??
    null
  )
}

/** The page's own URL as it states it (canonical link or `og:url`), for pages saved as files; null if it does not. */
export function findStatedUrl({ nodes }: PageIndex['tree']): string | null {
  const canonical = nodes.find(({ name, attributes }) => name === 'link' && attributes.rel === 'canonical')
  const meta = nodes.find(({ name, attributes }) => name === 'meta' && attributes.property === 'og:url')
  const stated = [canonical?.attributes.href, meta?.attributes.content]
  return stated.find(url => url !== undefined && /^https?:\/\/[^/]/.test(url)) ?? null
}

/** What a page says of a search that found nothing, in ten languages. */
const noResultsPattern =
  /\b(?:0 (?:resultados|anuncios|anúncios|risultati|annunci|results|properties|treffer|ergebnisse|résultats|annonces|resultaten|ofert|resultats)|sin resultados|no hay (?:resultados|anuncios|inmuebles)|no (?:hemos|se han) encontrad\w+|sem resultados|n[ãa]o (?:foram encontrad\w+|encontr[aá]mos|existem)|nessun (?:risultato|annuncio|immobile)|no (?:results|properties|listings|homes)(?: were| have been)? found|no matching|keine (?:treffer|ergebnisse|immobilien|angebote|objekte)|aucun(?:e)? (?:r[ée]sultat|annonce|bien)|geen (?:resultaten|woningen|objecten)|brak (?:wynik[óo]w|ofert|og[łl]osze[ńn])|cap resultat|no s'han? trobat)/i
const noResultsNodes = 5000

/** True if a visible text says that the search found nothing. */
export function saysNoResults({ tree: { nodes } }: PageIndex): boolean {
  return nodes
    .filter(
      ({ name, children }) => /^(?:h[1-6]|p|div|span|strong|b|li|td)$/.test(name) && children.length <= 8,
    )
    .slice(0, noResultsNodes)
    .some(node => noResultsPattern.test(extractNodeText(node, textLengthMax)))
}
