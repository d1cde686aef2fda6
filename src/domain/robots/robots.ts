/** Parses robots.txt and checks paths against it, by RFC 9309 (Robots Exclusion Protocol). */

/** A parsed robots.txt as plain data, so that it can be cached. */
export interface Robots {
  groups: RobotsGroup[]
  /** As written in the file: should be absolute, sometimes relative. */
  sitemaps: string[]
}

interface RobotsGroup {
  /** Lower-case product tokens; `*` is every agent that is not named in another group. */
  agents: string[]
  rules: RobotsRule[]
  /** In seconds. Each applies to the first `agentCount` agents: those named above it. */
  crawlDelays: { agentCount: number; seconds: number }[]
}

interface RobotsRule {
  allow: boolean
  /** The pattern with every octet outside ASCII percent-encoded, otherwise as written. */
  written: string
  /** `written` with the escapes of unreserved characters decoded (`%62` → `b`). */
  decoded: string
}

// RFC 9309 requires at least 500 KiB. There are never more UTF-16 units than octets.
const textLengthMax = 500 * 1024

// Includes the misspellings that the reference parser accepts.
const directiveNames: Record<string, 'agent' | 'allow' | 'disallow' | 'sitemap' | 'delay'> = {
  'user-agent': 'agent',
  useragent: 'agent',
  'user agent': 'agent',
  allow: 'allow',
  disallow: 'disallow',
  dissallow: 'disallow',
  dissalow: 'disallow',
  disalow: 'disallow',
  diasllow: 'disallow',
  disallaw: 'disallow',
  sitemap: 'sitemap',
  'site-map': 'sitemap',
  'crawl-delay': 'delay',
}

/**
 * Parses the text of a robots.txt. Never throws; unknown lines are ignored. A UTF-16 file that was decoded as UTF-8 is
 * supported as far as it is ASCII.
 */
export function parseRobots(text: string): Robots {
  const groups: RobotsGroup[] = []
  const sitemaps: string[] = []
  let group: RobotsGroup | null = null
  for (const line of splitLines(text)) {
    const directive = parseDirective(line)
    if (directive === null) continue
    const { kind, value } = directive
    if (kind === 'sitemap') {
      if (value !== '') sitemaps.push(value)
    } else if (kind === 'agent') {
      // Only a rule ends the list of agents: in RFC 9309 other lines have no effect on it.
      if (group === null || group.rules.length > 0) {
        group = { agents: [], rules: [], crawlDelays: [] }
        groups.push(group)
      }
      group.agents.push(parseAgent(value))
    } else if (group === null) {
      // A rule before the first agent applies to nobody.
    } else if (kind === 'delay') {
      const seconds = Number(value)
      if (value === '' || !Number.isFinite(seconds) || seconds < 0) continue
      group.crawlDelays.push({ agentCount: group.agents.length, seconds })
    } else {
      group.rules.push(parseRule(kind === 'allow', value))
    }
  }
  return { groups, sitemaps }
}

/**
 * Returns true if the crawler with this product token (`Aldaba`, not the whole User-Agent line) may fetch the path.
 * `pathWithQuery` is as sent in the request (`/venta/?page=2`). The longest matching pattern decides; at equal length,
 * Allow wins.
 */
export function isAllowed(robots: Robots, userAgentProductToken: string, pathWithQuery: string): boolean {
  const path = pathWithQuery.replace(/#.*$/s, '') || '/'
  if (path === '/robots.txt') return true
  const written = encodeOutsideAscii(path)
  const decoded = escapeSpecials(decodeUnreserved(written))
  let best = -1
  let allowed = true
  for (const group of findGroups(robots, userAgentProductToken)) {
    for (const rule of group.rules) {
      const length = rule.written.length
      if (length === 0 || length < best || (length === best && (allowed || !rule.allow))) continue
      if (!ruleMatches(rule, written, decoded)) continue
      best = length
      allowed = rule.allow
    }
  }
  return allowed
}

/** Minimum seconds between two requests of this crawler, or null if the file does not state it. */
export function getCrawlDelaySeconds(robots: Robots, userAgentProductToken: string): number | null {
  const groups = findGroups(robots, userAgentProductToken)
  const token = userAgentProductToken.toLowerCase()
  const delays = groups.flatMap(({ agents, crawlDelays }) => {
    const place = agents.indexOf(agents.includes(token) ? token : '*')
    return crawlDelays.findLast(({ agentCount }) => agentCount > place)?.seconds ?? []
  })
  return delays.length === 0 ? null : Math.max(...delays)
}

function splitLines(text: string): string[] {
  // UTF-16 decoded as UTF-8: every second octet is NUL, and the byte order mark is two replacement characters.
  const read = text.slice(0, 2 * textLengthMax + 10)
  const decodedText = read.includes('\0') ? read.replaceAll('\0', '').replace(/^\uFFFD+/, '') : read
  const lines = decodedText
    .replace(/^\uFEFF/, '')
    .slice(0, textLengthMax + 1)
    .split(/\r\n|\r|\n/)
  // A truncated pattern would have another meaning.
  if (decodedText.length > textLengthMax) lines.pop()
  return lines
}

function parseDirective(line: string) {
  const comment = line.indexOf('#')
  const content = (comment === -1 ? line : line.slice(0, comment)).trim()
  const colon = content.indexOf(':')
  // Without a colon, two words are read as key and value, as in the reference parser.
  const [key, value, ...rest] =
    colon === -1
      ? content.split(/\s+/)
      : [content.slice(0, colon).trimEnd(), content.slice(colon + 1).trimStart()]
  if (key === undefined || value === undefined || rest.length > 0) return null
  const name = key.toLowerCase()
  const kind = Object.hasOwn(directiveNames, name) ? directiveNames[name] : undefined
  return kind === undefined ? null : { kind, value }
}

function parseAgent(value: string): string {
  if (/^\*(\s|$)/.test(value)) return '*'
  return /^[a-z_-]*/.exec(value.toLowerCase())![0]
}

function parseRule(allow: boolean, pattern: string): RobotsRule {
  const written = encodeOutsideAscii(pattern)
  const anchored = written.endsWith('$')
  const body = decodeUnreserved(anchored ? written.slice(0, -1) : written).replaceAll('$', '%24')
  return { allow, written, decoded: anchored ? `${body}$` : body }
}

function findGroups(robots: Robots, userAgentProductToken: string): RobotsGroup[] {
  const token = userAgentProductToken.toLowerCase()
  const named = robots.groups.filter(group => group.agents.includes(token))
  return named.length > 0 ? named : robots.groups.filter(group => group.agents.includes('*'))
}

/**
 * By its example, RFC 9309 treats `%62` in a pattern as `b`; the reference matcher, with the same cases, does not. So a
 * Disallow applies in either reading, and an Allow must apply in both.
 */
function ruleMatches(rule: RobotsRule, written: string, decoded: string): boolean {
  const matchesWritten = patternMatches(rule.written, written)
  if (matchesWritten !== rule.allow) return matchesWritten
  return patternMatches(rule.decoded, decoded)
}

/**
 * `*` matches any characters; a final `$` matches the end of the path. The worst-case time is pattern length × path
 * length.
 */
export function patternMatches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$')
  const [head = '', ...parts] = (anchored ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(head)) return false
  let from = head.length
  if (parts.length === 0) return !anchored || path.length === from
  const last = anchored ? parts.pop()! : ''
  // The leftmost match of each part leaves the most room for the next ones, so no backtracking is needed.
  for (const part of parts) {
    const index = path.indexOf(part, from)
    if (index === -1) return false
    from = index + part.length
  }
  return path.length - last.length >= from && path.endsWith(last)
}

function encodeOutsideAscii(text: string): string {
  return text
    .replace(/%[0-9a-f]{2}/gi, octet => octet.toUpperCase())
    .replace(/[^\0-\x7f]+/gu, octets => encodeURIComponent(octets.toWellFormed()))
}

// The escapes of letters, digits and `-._~`.
const unreservedPattern = /%(?:2[DE]|3\d|[46][1-9A-F]|5[0-9AF]|7[0-9AE])/g

function decodeUnreserved(text: string): string {
  return text.replace(unreservedPattern, octet => String.fromCharCode(Number.parseInt(octet.slice(1), 16)))
}

/** Escapes literal `*` and `$` of a path as a pattern writes them: `%2A` and `%24`. */
function escapeSpecials(path: string): string {
  return path.replaceAll('*', '%2A').replaceAll('$', '%24')
}
