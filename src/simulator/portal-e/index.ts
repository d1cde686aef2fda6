/** portal_e: one Kyero v3 file with all listings for partners, and few web pages. */
import { gunzipSync } from 'node:zlib'
import { renderListingPage, renderPartnerLoginPage } from '../partner-pages.ts'
import { drawPhoto } from '../photo.ts'
import type { Portal, PortalCall, Reply, RequestKind, Variant } from '../portal.ts'
import type { World } from '../world.ts'
import { packFeed } from './feed.ts'
import { renderHomePage, renderMessagePage } from './pages.ts'

const htmlHeaders = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' }
const textHeaders = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' }
const pngHeaders = { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' }
const xmlHeaders = { 'content-type': 'application/xml; charset=utf-8', vary: 'Accept-Encoding' }

/** Creates the portal over `world`. `origin` is its base URL, without a slash at the end. */
export function createPortalE(world: World, origin: string): Portal {
  let packedFeed: { revision: number; packed: Buffer } | null = null
  /** The cached normal feed; faulty ones are generated each time. */
  const pack = (variant: Variant) => {
    if (variant === 'empty' || variant === 'layout') return packFeed(world, origin, variant)
    if (packedFeed?.revision !== world.revision())
      packedFeed = { revision: world.revision(), packed: packFeed(world, origin, 'normal') }
    return packedFeed.packed
  }
  return {
    answer(call) {
      const path = call.url.pathname
      if (call.method === 'POST')
        return fixedReply('other', 405, { ...textHeaders, allow: 'GET, HEAD' }, () => Buffer.alloc(0))
      if (path === '/feeds/kyero-v3.xml.gz')
        return feedReply(world, { 'content-type': 'application/gzip' }, 'gz', () => pack(call.variant))
      if (path === '/feeds/kyero-v3.xml') return plainFeedReply(world, call, pack)
      const listing = /^(?:\/[a-z]{2})?\/propiedad\/E([\w-]+)\.htm$/.exec(path)
      if (listing) return detailReply(world, listing[1]!)
      const photo = /^\/media\/E([\w-]+)\/(\d{1,2})\.png$/.exec(path)
      if (photo) return photoReply(world, photo[1]!, Number(photo[2]))
      if (path === '/robots.txt') return fixedReply('robots', 200, textHeaders, () => Buffer.from(robots))
      if (path === '/') return fixedReply('other', 200, htmlHeaders, renderHomePage)
      if (path === '/acceso/')
        return fixedReply('other', 200, htmlHeaders, () => renderPartnerLoginPage('Portal E'))
      return notFoundReply(/^\/(admin|leads)\//.test(path) ? 'disallowed' : 'other')
    },
  }
}

function plainFeedReply(
  world: World,
  { headers, variant }: PortalCall,
  pack: (variant: Variant) => Buffer,
): Reply {
  const acceptsGzip = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))
  return acceptsGzip
    ? feedReply(world, { ...xmlHeaders, 'content-encoding': 'gzip' }, 'encoded', () => pack(variant))
    : feedReply(world, xmlHeaders, 'plain', () => gunzipSync(pack(variant)))
}

function feedReply(
  world: World,
  headers: Record<string, string>,
  etagSuffix: string,
  render: () => Buffer,
): Reply {
  return {
    kind: 'search',
    status: 200,
    headers: { ...headers, 'cache-control': 'private, max-age=0, must-revalidate' },
    etag: `"${world.key}-${world.revision()}-${etagSuffix}"`,
    lastModified: world.asOf + world.revision() * 1000,
    render,
  }
}

function findIndex(world: World, id: string): number | undefined {
  const index = world.findIndex(id)
  return index !== undefined && world.attributes(index).city.country === 'ES' ? index : undefined
}

function detailReply(world: World, id: string): Reply {
  const index = findIndex(world, id)
  if (index === undefined) return notFoundReply('detail')
  if (world.isWithdrawn(index))
    return fixedReply('detail', 410, htmlHeaders, () =>
      renderMessagePage('Anuncio retirado', 'Este inmueble ya no está en venta ni en alquiler.'),
    )
  const { updatedAt } = world.attributes(index)
  return {
    kind: 'detail',
    status: 200,
    headers: htmlHeaders,
    etag: `"${world.key}-${index}-${updatedAt}"`,
    lastModified: updatedAt,
    render: () => renderListingPage('Portal E', world.listing(index)),
  }
}

function photoReply(world: World, id: string, number: number): Reply {
  const index = findIndex(world, id)
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

function notFoundReply(kind: RequestKind): Reply {
  return fixedReply(kind, 404, htmlHeaders, () =>
    renderMessagePage('Página no encontrada', 'Esta dirección no existe.'),
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

const robots = `# Portal E (simulado)
User-agent: *
Disallow: /admin/
Disallow: /leads/
Allow: /feeds/
Allow: /propiedad/
`
