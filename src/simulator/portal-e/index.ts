/** portal_e: one Kyero v3 file with all listings for partners, and few web pages. */
import { gunzipSync } from 'node:zlib'
import { renderListingPage, renderPartnerLoginPage } from '../partner-pages.ts'
import { drawPhoto } from '../photo.ts'
import type { Portal, PortalCall, Reply, RequestKind, Variant } from '../portal.ts'
import type { World } from '../world.ts'
import { packFeed } from './feed.ts'
import { homePage, messagePage } from './pages.ts'

const html = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' }
const text = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' }
const png = { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' }
const xmlHeaders = { 'content-type': 'application/xml; charset=utf-8', vary: 'Accept-Encoding' }

/** Creates the portal over `world`. `origin` is its base URL, without a slash at the end. */
export function createPortalE(world: World, origin: string): Portal {
  let packedFeed: { revision: number; packed: Buffer } | null = null
  /** The cached normal feed; faulty ones are generated each time. */
  const pack = (variant: Variant) => {
    if (variant === 'empty' || variant === 'layout') return packFeed(world, origin, variant)
    if (packedFeed?.revision !== world.revision())
      packedFeed = { revision: world.revision(), packed: packFeed(world, origin, 'true') }
    return packedFeed.packed
  }
  return {
    answer(call) {
      const path = call.url.pathname
      if (call.method === 'POST')
        return fixedReply('other', 405, { ...text, allow: 'GET, HEAD' }, () => Buffer.alloc(0))
      if (path === '/feeds/kyero-v3.xml.gz')
        return feedReply(world, { 'content-type': 'application/gzip' }, 'gz', () => pack(call.variant))
      if (path === '/feeds/kyero-v3.xml') return plainFeed(world, call, pack)
      const listing = /^(?:\/[a-z]{2})?\/propiedad\/E([\w-]+)\.htm$/.exec(path)
      if (listing) return detail(world, listing[1]!)
      const photo = /^\/media\/E([\w-]+)\/(\d{1,2})\.png$/.exec(path)
      if (photo) return findPhoto(world, photo[1]!, Number(photo[2]))
      if (path === '/robots.txt') return fixedReply('robots', 200, text, () => Buffer.from(robots))
      if (path === '/') return fixedReply('other', 200, html, homePage)
      if (path === '/acceso/') return fixedReply('other', 200, html, () => renderPartnerLoginPage('Portal E'))
      return notFound(/^\/(admin|leads)\//.test(path) ? 'disallowed' : 'other')
    },
  }
}

function plainFeed(
  world: World,
  { headers, variant }: PortalCall,
  pack: (variant: Variant) => Buffer,
): Reply {
  const isPacked = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))
  return isPacked
    ? feedReply(world, { ...xmlHeaders, 'content-encoding': 'gzip' }, 'encoded', () => pack(variant))
    : feedReply(world, xmlHeaders, 'plain', () => gunzipSync(pack(variant)))
}

function feedReply(world: World, headers: Record<string, string>, form: string, render: () => Buffer): Reply {
  return {
    kind: 'search',
    status: 200,
    headers: { ...headers, 'cache-control': 'private, max-age=0, must-revalidate' },
    etag: `"${world.key}-${world.revision()}-${form}"`,
    lastModified: world.asOf + world.revision() * 1000,
    render,
  }
}

function findListing(world: World, id: string): number | undefined {
  const index = world.find(id)
  return index !== undefined && world.attributes(index).city.country === 'ES' ? index : undefined
}

function detail(world: World, id: string): Reply {
  const index = findListing(world, id)
  if (index === undefined) return notFound('detail')
  if (world.isWithdrawn(index))
    return fixedReply('detail', 410, html, () =>
      messagePage('Anuncio retirado', 'Este inmueble ya no está en venta ni en alquiler.'),
    )
  const { updatedAt } = world.attributes(index)
  return {
    kind: 'detail',
    status: 200,
    headers: html,
    etag: `"${world.key}-${index}-${updatedAt}"`,
    lastModified: updatedAt,
    render: () => renderListingPage('Portal E', world.listing(index)),
  }
}

function findPhoto(world: World, id: string, number: number): Reply {
  const index = findListing(world, id)
  if (index === undefined || number < 1 || number > world.listing(index).photoCount) return notFound('photo')
  return {
    kind: 'photo',
    status: 200,
    headers: png,
    etag: `"${world.key}-${index}-${number}"`,
    lastModified: world.attributes(index).publishedAt,
    render: () => drawPhoto(world.seed, index, number),
  }
}

function notFound(kind: RequestKind): Reply {
  return fixedReply(kind, 404, html, () => messagePage('Página no encontrada', 'Esta dirección no existe.'))
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
