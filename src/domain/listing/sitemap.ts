// Sitemaps (sitemaps.org, protocol 0.9): the addresses that a site tells robots of, and when each changed.
import { decodeEntities } from './html.ts'
import { readInstant } from './values.ts'

export interface Sitemap {
  /** `index`: the entries are other sitemaps; `urls`: they are pages. */
  kind: 'index' | 'urls'
  entries: { address: string; changedAt: string | null }[]
  /** Entries without an address that can be read. */
  unreadableCount: number
}

const ROOT = /<(?:([\w-]+):)?(sitemapindex|urlset)[\s>]/

/** Null for a text that is no sitemap, or one cut short. `changedAt` is ISO 8601, UTC. Never throws. */
export function readSitemap(text: string): Sitemap | null {
  const xml = withoutComments(text)
  const root = ROOT.exec(xml.slice(0, 5000))
  if (!root) return null
  const prefix = root[1] === undefined ? '' : `${root[1]}:`
  const kind = root[2] === 'urlset' ? 'urls' : 'index'
  if (!xml.includes(`</${prefix}${root[2]}`)) return null
  const sitemap: Sitemap = { kind, entries: [], unreadableCount: 0 }
  const name = prefix + (kind === 'urls' ? 'url' : 'sitemap')
  let at = root.index + root[0].length
  for (let entry = partOf(xml, name, at); entry !== null; entry = partOf(xml, name, at)) {
    at = entry.end
    const address = contentOf(entry.inner, `${prefix}loc`) ?? bareAddress(entry.inner)
    if (address === null) sitemap.unreadableCount += 1
    else sitemap.entries.push({ address, changedAt: readInstant(contentOf(entry.inner, `${prefix}lastmod`)) })
  }
  return sitemap
}

function withoutComments(xml: string): string {
  let kept = ''
  let at = 0
  for (let open = xml.indexOf('<!--'); open !== -1; open = xml.indexOf('<!--', at)) {
    const close = xml.indexOf('-->', open)
    if (close === -1) break
    kept += xml.slice(at, open)
    at = close + 3
  }
  return at === 0 ? xml : kept + xml.slice(at)
}

/** The next element of exactly that name. */
function partOf(xml: string, name: string, from: number): { inner: string; end: number } | null {
  for (let at = xml.indexOf(`<${name}`, from); at !== -1; at = xml.indexOf(`<${name}`, at + 1)) {
    if (!/[\s>]/.test(xml[at + name.length + 1] ?? '')) continue
    const start = xml.indexOf('>', at)
    const end = xml.indexOf(`</${name}`, start)
    return start === -1 || end === -1 ? null : { inner: xml.slice(start + 1, end), end: end + 1 }
  }
  return null
}

function contentOf(xml: string, name: string): string | null {
  const part = partOf(xml, name, 0)
  return part === null ? null : textOf(part.inner)
}

function textOf(inner: string): string {
  const data = /^\s*<!\[CDATA\[(.*?)\]\]>\s*$/s.exec(inner)
  return (data ? data[1]! : decodeEntities(inner)).trim()
}

/** Some indexes leave out the element around the address. */
function bareAddress(inner: string): string | null {
  const text = inner.includes('<') ? '' : textOf(inner)
  return /^https?:\/\/\S+$/.test(text) ? text : null
}
