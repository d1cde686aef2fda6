/** Collects the links of a page with a key that tells listings apart, and groups links that play the same role. */
import { toAbsoluteUrl } from '../../values.ts'
import type { PageNode, PageTree } from '../page-tree.ts'

export interface PageLink {
  node: PageNode
  /** Absolute, without the fragment; a redirect of the same site is resolved to its target. */
  url: URL
  /** The same for all URLs of one listing on a page. */
  key: string
}

/** Links that have the same place in their cards, in page order. */
export type LinkGroup = readonly PageLink[]

const linksMax = 4000
const hrefLengthMax = 2000
const groupsMax = 80
const linksPerGroupMax = 600

const uuidPattern = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/i
const filePattern = /\.(?:jpe?g|png|gif|webp|svg|css|js|zip|ics|xml)$/i
/** Words in the path of links to people, forms and lists. */
const otherPagePattern =
  /(?:^|[/._-])(?:login|signin|sign-in|register|account|contact|contacto|contatti|kontakt|favou?rites?|favoritos|preferiti|merkliste|agents?|agency|agencies|agencia|agencias|agenzie|agence|makler|anbieter|broker|advertiser|profile|profil|vendedor|inmobiliarias?|imobiliarias?|compare|share|print|help|ayuda|faq|blog|news|noticias|privacy|terms|impressum|pdf)(?:[/._-]|$)/i

/** The links of a page to other pages of the same site, in page order. */
export function collectLinks(tree: PageTree, pageUrl: string): PageLink[] {
  const links: PageLink[] = []
  const base = findBase(tree, pageUrl)
  const site = toSite(URL.parse(pageUrl)?.hostname ?? '')
  const ownPath = URL.parse(pageUrl)?.href.replace(/#.*$/s, '')
  for (const node of tree.nodes) {
    if (node.name !== 'a') continue
    const href = node.attributes.href?.trim()
    if (!href || href.startsWith('#') || href.length > hrefLengthMax) continue
    const url = parseTarget(href, base)
    if (url === null || filePattern.test(url.pathname)) continue
    if (toSite(url.hostname) !== site || url.href === ownPath || (url.pathname === '/' && url.search === ''))
      continue
    links.push({ node, url, key: toKey(url) })
    if (links.length >= linksMax) break
  }
  return links
}

function findBase(tree: PageTree, pageUrl: string): string {
  const base = tree.nodes.find(({ name, attributes }) => name === 'base' && attributes.href)
  return base === undefined ? pageUrl : (toAbsoluteUrl(base.attributes.href!, pageUrl) ?? pageUrl)
}

/** The last two labels of a host name, or three for names such as `example.co.uk`. */
export function toSite(hostname: string): string {
  const labels = hostname.split('.')
  const isSecondLevel =
    /^(?:co|com|org|net|gov|edu|ac)$/.test(labels.at(-2) ?? '') && labels.at(-1)!.length === 2
  return labels.slice(isSecondLevel ? -3 : -2).join('.')
}

/** Promoted cards link through a counter that has the real URL as a parameter. */
function parseTarget(href: string, base: string): URL | null {
  const url = URL.parse(href, base)
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  url.hash = ''
  for (const value of url.searchParams.values()) {
    if (!/^https?:\/\//.test(value)) continue
    const target = URL.parse(value)
    if (target !== null && toSite(target.hostname) === toSite(url.hostname) && target.pathname.length > 8) {
      target.hash = ''
      return target
    }
  }
  return url
}

/** The id in a URL: a UUID, the longest number, or the last token of letters and digits; else path and query. */
export function toKey({ pathname, search }: URL): string {
  const text = decode(pathname + search)
  const uuid = uuidPattern.exec(pathname)?.[0]
  if (uuid !== undefined) return uuid.toLowerCase()
  const path = decode(pathname)
  const number = findLongestNumber(path) ?? findLongestNumber(decode(search))
  if (number !== null) return number
  const token = path
    .split(/[/._\s-]/)
    .filter(word => word.length >= 6 && word.length <= 24 && /\d/.test(word) && /[a-z]/i.test(word))
    .at(-1)
  return token ?? text.replace(/\/$/, '')
}

/** The full URL as key, for sites whose URLs share their numbers. */
export const toPathKey = ({ pathname, search }: URL): string => decode(pathname + search)

function findLongestNumber(text: string): string | null {
  let longest: string | null = null
  for (const [number] of text.matchAll(/\d{5,20}/g))
    if (number.length >= (longest?.length ?? 0)) longest = number
  return longest
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const isOtherPage = (url: URL): boolean => otherPagePattern.test(url.pathname)

/**
 * Groups of at least two different listings, the largest first. A link belongs to two groups: one by the names and
 * classes around it, one by the names around it and the form of its URL.
 */
export function groupLinks(links: readonly PageLink[]): LinkGroup[] {
  const groups = new Map<string, PageLink[]>()
  for (const link of links) {
    for (const role of [toRole(link.node, true), `${toRole(link.node, false)} ${toShape(link.url)}`]) {
      const group = groups.get(role)
      if (group === undefined) groups.set(role, [link])
      else if (group.length < linksPerGroupMax) group.push(link)
    }
  }
  return [...groups.values()]
    .map(toDistinctKeys)
    .map(group => ({ group, size: new Set(group.map(({ key }) => key)).size }))
    .filter(({ size }) => size >= 2)
    .sort((a, b) => b.size - a.size)
    .slice(0, groupsMax)
    .map(({ group }) => group)
}

/** Uses whole URLs as keys where the ids don't tell the URLs apart: they are postcodes or ids of advertisers. */
function toDistinctKeys(group: PageLink[]): LinkGroup {
  const keys = new Set(group.map(({ key }) => key))
  const paths = new Set(group.map(({ url }) => url.pathname))
  if (keys.size < paths.size * 0.7) return group.map(link => ({ ...link, key: toPathKey(link.url) }))
  const searches = new Map<string, string>()
  const repeated = new Set<string>()
  for (const { key, url } of group) {
    if (url.pathname.includes(key)) continue
    if (searches.has(key) && searches.get(key) !== url.search) repeated.add(key)
    searches.set(key, url.search)
  }
  return group.map(link => (repeated.has(link.key) ? { ...link, key: toPathKey(link.url) } : link))
}

const roleAncestors = 4

/** The names of an element and those around it, with or without their classes. */
export function toRole(node: PageNode, withClasses: boolean): string {
  const parts: string[] = []
  let current: PageNode | null = node
  for (let level = 0; level <= roleAncestors && current !== null; level += 1) {
    parts.push(withClasses ? toSignature(current) : current.name)
    current = current.parent
  }
  return parts.join('<')
}

/** Name and classes of an element, with numbers replaced and states removed. */
export function toSignature({ name, attributes }: PageNode): string {
  return `${name}.${listClasses(attributes.class).join('.')}`
}

const statePattern =
  /^(?:first|last|odd|even|active|selected|current|visited|highlight(?:ed)?|is-.*|even_.*|odd_.*)$/i

export function listClasses(value: string | undefined): string[] {
  if (value === undefined) return []
  return value
    .slice(0, 1000)
    .split(/\s+/)
    .filter(name => name !== '' && !statePattern.test(name))
    .map(name => name.replace(/\d+/g, '#'))
    .sort()
}

/** The form of a URL: the number of segments, and what kind of text the last one and the query have. */
export function toShape({ pathname, searchParams }: URL): string {
  const segments = pathname.split('/').filter(segment => segment !== '')
  const last = segments.at(-1) ?? ''
  const kind = /\d{5,}/.test(last) ? 'number' : /\d/.test(last) ? 'digits' : 'words'
  const extension = /\.\w{2,5}$/.exec(last)?.[0] ?? ''
  const script = /\.(?:php|aspx?|jsp|cgi)$/.test(last) ? last : ''
  return `${segments.length} ${kind} ${extension} ${script} ${script === '' ? '' : [...searchParams.keys()].sort().join()}`
}
