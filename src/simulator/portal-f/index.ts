/** portal_f: an Italian portal that disallows searches to robots, and offers a sitemap and detail pages. */
import { drawPhoto } from '../photo.ts'
import type { Portal, PortalCall, Reply, RequestKind } from '../portal.ts'
import type { World } from '../world.ts'
import { renderDetailPage } from './detail-page.ts'
import { renderMessagePage, renderPage } from './layout.ts'
import { buildSitemap, renderIndex } from './sitemaps.ts'
import { toWorldId } from './words.ts'

const htmlHeaders = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'private, max-age=0' }
const textHeaders = { 'content-type': 'text/plain; charset=utf-8' }
// Listings change at any moment here, so a cached copy would be outdated.
const xmlHeaders = {
  'content-type': 'application/xml',
  'cache-control': 'public, max-age=0, must-revalidate',
}
const gzipHeaders = {
  'content-type': 'application/gzip',
  'cache-control': 'public, max-age=0, must-revalidate',
}
const pngHeaders = { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' }

export function createPortalF(world: World, origin: string): Portal {
  return {
    answer(call) {
      if (call.method === 'POST')
        return fixedReply('other', 405, { ...textHeaders, allow: 'GET, HEAD' }, () => Buffer.alloc(0))
      const reply = answer(world, origin, call)
      return call.variant === 'layout' ? redesign(reply) : reply
    },
  }
}

function answer(world: World, origin: string, { url, variant }: PortalCall): Reply {
  const path = url.pathname
  const listing = /^\/annunci\/(\d+)\/$/.exec(path)
  if (listing) return detailReply(world, origin, listing[1]!)
  if (path === '/sitemap.xml')
    return sitemapReply(world, xmlHeaders, () => renderIndex(world, origin, variant))
  const part = buildSitemap(world, origin, path, variant)
  if (part) return sitemapReply(world, part.isPacked ? gzipHeaders : xmlHeaders, part.render)
  const photo = /^\/immagini\/(\d+)\/(\d{1,2})\/xxl\.png$/.exec(path)
  if (photo) return photoReply(world, photo[1]!, Number(photo[2]))
  if (path === '/robots.txt') return fixedReply('robots', 200, textHeaders, () => Buffer.from(robots(origin)))
  if (path === '/') {
    return fixedReply('other', 200, htmlHeaders, () =>
      renderPage('<title>Portal F</title>', '<main><h1>Case in Italia</h1></main>'),
    )
  }
  if (path === '/accedi/' || path === '/acceso/')
    return fixedReply('other', 200, htmlHeaders, renderLoginPage)
  if (/^\/annunci\/\d+$/.test(path))
    return fixedReply('other', 301, { ...htmlHeaders, location: `${path}/` }, () => Buffer.alloc(0))
  return notFoundReply(/^\/(cerca|messaggio|api)\//.test(path) ? 'disallowed' : 'other')
}

function sitemapReply(world: World, headers: Record<string, string>, render: () => Buffer): Reply {
  const etag = `"${world.key}-${world.revision()}"`
  return { kind: 'search', status: 200, headers, etag, render }
}

function detailReply(world: World, origin: string, listingId: string): Reply {
  const index = findIndex(world, listingId)
  if (index === undefined) return notFoundReply('detail')
  if (world.isWithdrawn(index)) {
    const text = 'Questo annuncio non è più disponibile.'
    return fixedReply('detail', 410, htmlHeaders, () =>
      renderMessagePage('Annuncio non più disponibile', text),
    )
  }
  const { updatedAt } = world.attributes(index)
  return {
    kind: 'detail',
    status: 200,
    headers: htmlHeaders,
    etag: `"${world.key}-${index}-${updatedAt}"`,
    lastModified: updatedAt,
    render: () => renderDetailPage(world, origin, index),
  }
}

function photoReply(world: World, listingId: string, number: number): Reply {
  const index = findIndex(world, listingId)
  if (index === undefined || number < 1 || number > world.listing(index).photoCount)
    return notFoundReply('photo')
  return {
    kind: 'photo',
    status: 200,
    headers: pngHeaders,
    etag: `"${world.key}-${index}-${number}"`,
    lastModified: world.attributes(index).publishedAt,
    render: () => drawPhoto(world.seed, index, number),
  }
}

function findIndex(world: World, listingId: string): number | undefined {
  const index = world.findIndex(toWorldId(listingId))
  return index !== undefined && world.attributes(index).city.country === 'IT' ? index : undefined
}

function notFoundReply(kind: RequestKind): Reply {
  return fixedReply(kind, 404, htmlHeaders, () =>
    renderMessagePage('Pagina non trovata', 'La pagina che cerchi non esiste.'),
  )
}

function fixedReply(
  kind: RequestKind,
  status: number,
  headers: Record<string, string>,
  render: () => Buffer,
): Reply {
  return { kind, status, headers, render }
}

/** The same content in another layout: other classes and addresses, and no microdata. */
function redesign(reply: Reply): Reply {
  const type = reply.headers['content-type'] ?? ''
  if (type === gzipHeaders['content-type'])
    return { ...reply, headers: xmlHeaders, render: () => movedSitemap() }
  if (type === xmlHeaders['content-type']) return { ...reply, render: () => movedSitemap() }
  if (!type.startsWith('text/html')) return reply
  const render = () => {
    const html = reply
      .render()
      .toString()
      .replace(/ item(?:prop|type|scope)(?:="[^"]*")?/g, '')
      .replace(/<meta property="[^>]*>\n?/g, '')
      .replace(/ class="([^"]*)"/g, (_, names: string) => ` class="${names.replace(/\S+/g, 'x3-$&')}"`)
    return Buffer.from(html)
  }
  return { kind: reply.kind, status: reply.status, headers: reply.headers, render }
}

function movedSitemap(): Buffer {
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>/sm/2/a.xml</loc></sitemap></sitemapindex>
`)
}

function robots(origin: string): string {
  return `# Portal F (simulato)
User-agent: *
Disallow: /cerca/
Disallow: /messaggio/
Disallow: /api/

Sitemap: ${origin}/sitemap.xml
`
}

function renderLoginPage(): Buffer {
  return renderPage(
    '<title>Accedi | Portal F</title><meta name="robots" content="noindex">',
    `<main class="in-main"><h1>Accedi al tuo account</h1><p>Per continuare devi accedere.</p>
<form method="post" action="/accedi/"><label>E-mail <input name="email" type="email"></label>
<label>Password <input name="password" type="password"></label><button>Accedi</button></form></main>`,
  )
}
