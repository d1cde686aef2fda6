/** Parses sitemaps (sitemaps.org, protocol 0.9): the URLs of a site and when each changed. */
import { decodeEntities } from './html.ts'
import { parseInstant } from './values.ts'

export interface Sitemap {
  /** `index`: the entries are other sitemaps; `urls`: they are pages. */
  kind: 'index' | 'urls'
  entries: { url: string; changedAt: string | null }[]
  /** Number of entries without a readable URL. */
  unreadableCount: number
}

const rootPattern = /<(?:([\w-]+):)?(sitemapindex|urlset)[\s>]/

/** Null if the text is not a sitemap, or is truncated. `changedAt` is ISO 8601, UTC. Never throws. */
export function parseSitemap(text: string): Sitemap | null {
  const xml = removeComments(text)
  const root = rootPattern.exec(xml.slice(0, 5000))
  if (!root) return null
  const prefix = root[1] === undefined ? '' : `${root[1]}:`
  const kind = root[2] === 'urlset' ? 'urls' : 'index'
  if (!xml.includes(`</${prefix}${root[2]}`)) return null
  const sitemap: Sitemap = { kind, entries: [], unreadableCount: 0 }
  const name = prefix + (kind === 'urls' ? 'url' : 'sitemap')
  let position = root.index + root[0].length
  for (let entry = findPart(xml, name, position); entry !== null; entry = findPart(xml, name, position)) {
    position = entry.end
    const url = extractContent(entry.inner, `${prefix}loc`) ?? toUrl(entry.inner)
    if (url === null) sitemap.unreadableCount += 1
    else
      sitemap.entries.push({
        url,
        changedAt: parseInstant(extractContent(entry.inner, `${prefix}lastmod`)),
      })
  }
  return sitemap
}

function removeComments(xml: string): string {
  let result = ''
  let position = 0
  for (let open = xml.indexOf('<!--'); open !== -1; open = xml.indexOf('<!--', position)) {
    const close = xml.indexOf('-->', open)
    if (close === -1) break
    result += xml.slice(position, open)
    position = close + 3
  }
  return position === 0 ? xml : result + xml.slice(position)
}

/** The next element with exactly this name. */
function findPart(xml: string, name: string, from: number): { inner: string; end: number } | null {
  for (
    let position = xml.indexOf(`<${name}`, from);
    position !== -1;
    position = xml.indexOf(`<${name}`, position + 1)
  ) {
    if (!/[\s>]/.test(xml[position + name.length + 1] ?? '')) continue
    const start = xml.indexOf('>', position)
    const end = xml.indexOf(`</${name}`, start)
    return start === -1 || end === -1 ? null : { inner: xml.slice(start + 1, end), end: end + 1 }
  }
  return null
}

function extractContent(xml: string, name: string): string | null {
  const part = findPart(xml, name, 0)
  return part === null ? null : extractPartText(part.inner)
}

function extractPartText(inner: string): string {
  const data = /^\s*<!\[CDATA\[(.*?)\]\]>\s*$/s.exec(inner)
  return (data ? data[1]! : decodeEntities(inner)).trim()
}

/** Some indexes omit the loc element around the URL. */
function toUrl(inner: string): string | null {
  const text = inner.includes('<') ? '' : extractPartText(inner)
  return /^https?:\/\/\S+$/.test(text) ? text : null
}
