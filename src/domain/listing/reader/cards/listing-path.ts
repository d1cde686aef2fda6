/** Derives the pattern of listing paths, with their id, from the URLs of cards. */
import { toKey } from './links.ts'

export interface ListingPath {
  pattern: RegExp
  /** How many of the URLs it matches, each with an id of its own. */
  matched: number
  /** True if the id is a text of the URL and no number or code: it may change with the title. */
  isText: boolean
}

const urlsMax = 200

/** The pattern that matches most of the URLs; null if none matches two of them. */
export function deriveListingPath(urls: readonly string[]): ListingPath | null {
  const parsed = urls.slice(0, urlsMax).flatMap(url => URL.parse(url) ?? [])
  const candidates = [
    ...buildPatterns(parsed, url => findSegments(url, toKey(url))),
    ...buildPatterns(parsed, url => findSegments(url, lastSegment(url))),
    ...buildQueryPatterns(parsed),
  ]
  let best: ListingPath | null = null
  for (const { source, isText, isAnyDepth } of candidates) {
    const pattern = new RegExp(source)
    const ids = new Set(parsed.flatMap(url => matchId(pattern, url) ?? []))
    // A pattern of any depth is less precise, so it must match clearly more.
    const weight = isAnyDepth ? 0.7 : 1
    if (ids.size >= 2 && ids.size * weight > (best?.matched ?? 0))
      best = { pattern, matched: ids.size, isText }
  }
  return best
}

function matchId(pattern: RegExp, { pathname, search }: URL): string | null {
  const text = pattern.source.includes('\\?') ? pathname + search : pathname
  return pattern.exec(text)?.groups?.listingId ?? null
}

/** A path, split around the segment with the id. */
interface Segments {
  before: string[]
  prefix: string
  id: string
  suffix: string
  after: string[]
}

interface Candidate {
  source: string
  isText: boolean
  isAnyDepth: boolean
}

function lastSegment({ pathname }: URL): string {
  return (
    pathname
      .split('/')
      .filter(Boolean)
      .at(-1)
      ?.replace(/\.\w{2,5}$/, '') ?? ''
  )
}

function findSegments({ pathname }: URL, key: string): Segments | null {
  const segments = pathname.split('/').slice(1)
  const index = segments.findLastIndex(
    segment => key !== '' && segment.toLowerCase().includes(key.toLowerCase()),
  )
  const segment = segments[index]
  if (segment === undefined) return null
  const end = segment.toLowerCase().lastIndexOf(key.toLowerCase()) + key.length
  // Letters before a number belong to the id: `HZ011626`.
  const letters = /(?<![a-z0-9])[a-z]{1,4}$/i.exec(segment.slice(0, end - key.length))?.[0] ?? ''
  const start = end - key.length - letters.length
  return {
    before: segments.slice(0, index),
    prefix: segment.slice(0, start),
    id: segment.slice(start, end),
    suffix: segment.slice(end),
    after: segments.slice(index + 1),
  }
}

/** One pattern for each number of segments that occurs, and one for any number of them before the id. */
function buildPatterns(urls: readonly URL[], split: (url: URL) => Segments | null): Candidate[] {
  const all = urls.flatMap(url => split(url) ?? [])
  const byCount = new Map<string, Segments[]>()
  for (const segments of all) {
    const count = `${segments.before.length} ${segments.after.length}`
    byCount.set(count, [...(byCount.get(count) ?? []), segments])
  }
  const candidates = [...byCount.values()]
    .filter(({ length }) => length >= 2)
    .map(group => buildPattern(group, false))
  return byCount.size > 1 ? [...candidates, buildPattern(all, true)] : candidates
}

function buildPattern(group: readonly Segments[], isAnyDepth: boolean): Candidate {
  const ids = group.map(({ id }) => id)
  const depth = Math.min(...group.map(({ before }) => before.length))
  const before = Array.from({ length: depth }, (_, index) =>
    toSegmentPattern(group.map(one => one.before[index]!)),
  )
  const after = Array.from({ length: group[0]!.after.length }, (_, index) =>
    toSegmentPattern(group.map(one => one.after[index] ?? '')),
  )
  const prefixes = group.map(({ prefix }) => prefix)
  const suffixes = group.map(({ suffix }) => suffix)
  const head = before.map(segment => `\\/${segment}`).join('')
  const tail = isAnyDepth ? '' : after.map(segment => (segment === '' ? '\\/' : `\\/${segment}`)).join('')
  const isBetweenTexts = [prefixes, suffixes].some(texts => texts.some(text => text !== texts[0]))
  const idPattern = toIdPattern(ids, isBetweenTexts)
  return {
    source: `^${head}${isAnyDepth ? '(?:\\/[^/]+)*' : ''}\\/${toPrefixPattern(prefixes)}(?<listingId>${idPattern})${toSuffixPattern(suffixes)}${tail}${isAnyDepth ? '\\/?' : ''}$`,
    isText: idPattern === textIdPattern,
    isAnyDepth,
  }
}

function buildQueryPatterns(urls: readonly URL[]): Candidate[] {
  const [first] = urls
  if (first === undefined || !urls.every(({ pathname }) => pathname === first.pathname)) return []
  return [...new Set(urls.flatMap(({ searchParams }) => [...searchParams.keys()]))]
    .slice(0, 20)
    .map(name => ({
      source: `^${escapeText(first.pathname)}\\?(?:[^#]*&)?${escapeText(name)}=(?<listingId>[^&#]+)`,
      isText: false,
      isAnyDepth: false,
    }))
}

const toSegmentPattern = (texts: readonly string[]): string =>
  texts.every(text => text === texts[0]) ? escapeText(texts[0]!) : texts.includes('') ? '[^/]*' : '[^/]+'

/** Texts before the id end with a separator: `-`, `-ID`. */
function toPrefixPattern(texts: readonly string[]): string {
  if (texts.every(text => text === texts[0])) return escapeText(texts[0]!)
  const separators = new Set(texts.map(text => text.at(-1) ?? ''))
  const [separator = ''] = separators
  if (separators.size === 1 && /[^a-z0-9]/i.test(separator)) return `[^/]*${escapeText(separator)}`
  return '(?:[^/]*[^/A-Za-z0-9])?'
}

const toSuffixPattern = (texts: readonly string[]): string =>
  texts.every(text => text === texts[0]) ? escapeText(texts[0]!) : `(?:[^\\w/][^/]*)?`

const textIdPattern = '[^/]+?'

/** Between other texts, which may have short numbers, a number needs its length. */
function toIdPattern(ids: readonly string[], isBetweenTexts: boolean): string {
  const lengthMin = Math.min(...ids.map(({ length }) => length)) - 1
  if (ids.every(id => /^\d+$/.test(id)))
    return isBetweenTexts && lengthMin >= 4 ? `\\d{${lengthMin},}` : '\\d+'
  if (ids.every(id => /^[\da-f-]{36}$/i.test(id))) return '[\\da-fA-F-]{36}'
  return ids.every(id => /^\w+$/.test(id)) ? '\\w+' : textIdPattern
}

const escapeText = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
