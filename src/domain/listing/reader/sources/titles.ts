/** The title of the listing in the heading and the title of the page. */
import { toPlainWords } from '../../../plain-words.ts'
import { isAgencyName } from '../agency-words.ts'
import type { Candidate } from '../page-listing.ts'
import { collectMeta, type PageNode, type PageTree } from '../page-tree.ts'
import { allLanguages, findWords, parseHeading } from '../words/words.ts'

const lengthMin = 8
const sharedWordMin = 4
const separators = /(\s[|–—•·-]\s|\s?\|\s?)/

/** The texts that may be or support the title. */
export interface TitleTexts {
  /** The main heading. */
  heading: string
  headingNode: PageNode | null
  /** Of `<title>`. */
  title: string
  /** Of `og:title`. */
  shared: string
}

/** The candidates of the title. */
export function readTitles(
  tree: PageTree,
  url: string,
  { heading, headingNode, title, shared }: TitleTexts,
): Candidate[] {
  const candidates: Candidate[] = []
  const siteName = collectMeta(tree).get('og:site_name')?.[0] ?? ''
  const own = omitSiteName(title, siteName, url)
  const titles = [own, omitSiteName(shared, siteName, url)]
  const isOwn = headingNode !== null && !isSlogan(heading, headingNode, titles)
  if (isOwn && heading.length > lengthMin && parseHeading(heading) === null)
    candidates.push({ field: 'title', value: heading, source: 'text', where: 'h1', weight: 0.45 })
  if (own.length > lengthMin)
    candidates.push({ field: 'title', value: own, source: 'text', where: 'title', weight: 0.3 })
  return candidates
}

/** True for a heading of the site above a listing that only the page's title names. */
function isSlogan(heading: string, node: PageNode, titles: readonly string[]): boolean {
  if (!isAgencyName(heading) && !isInSiteHeader(node)) return false
  const words = new Set(titles.flatMap(toLongWords))
  return (
    isAboutListing(titles.join(' | ')) &&
    !isAboutListing(heading) &&
    !toLongWords(heading).some(word => words.has(word))
  )
}

function isAboutListing(text: string): boolean {
  return findWords('subtype', text, allLanguages).length > 0
}

function toLongWords(text: string): string[] {
  return toPlainWords(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word.length >= sharedWordMin)
}

/** True in the header of the page or in a link to the start page. */
function isInSiteHeader(node: PageNode): boolean {
  for (let current: PageNode | null = node; current !== null; current = current.parent) {
    const { role, href } = current.attributes
    if (current.name === 'header' && (role === 'banner' || current.parent?.name === 'body')) return true
    if (current.name === 'a' && href === '/') return true
  }
  return false
}

/** `Flat in Leeds | Green Homes` → `Flat in Leeds`, where the site or its host is named so. */
function omitSiteName(title: string, siteName: string, url: string): string {
  const parts = title.split(separators)
  if (parts.length < 3) return title
  const host = URL.parse(url)?.hostname.replace(/^www\./, '') ?? ''
  const names = [siteName, host, host.replace(/\.[a-z]+$/, '')].map(toKey)
  const isSite = (part: string) => toKey(part) !== '' && names.includes(toKey(part))
  if (isSite(parts.at(-1)!)) return parts.slice(0, -2).join('').trim()
  return isSite(parts[0]!) ? parts.slice(2).join('').trim() : title
}

function toKey(text: string): string {
  return toPlainWords(text.slice(0, 200)).replace(/[^\p{L}\p{N}]+/gu, '')
}
