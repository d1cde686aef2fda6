// portal_e: one Kyero v3 file with all adverts, for partners; hardly any web pages.
import { gunzipSync } from 'node:zlib'
import { advertPage, partnerLoginPage } from '../partner-pages.ts'
import { drawPhoto } from '../photo.ts'
import type { Portal, PortalCall, Reply, RequestKind, Variant } from '../portal.ts'
import type { World } from '../world.ts'
import { packFeed } from './feed.ts'
import { homePage, messagePage } from './pages.ts'

const HTML = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' }
const TEXT = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' }
const PNG = { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' }
const XML = { 'content-type': 'application/xml; charset=utf-8', vary: 'Accept-Encoding' }

/** The portal over `world`; `origin` is its own address, without a slash at the end. */
export function createPortalE(world: World, origin: string): Portal {
  let kept: { revision: number; packed: Buffer } | null = null
  /** Of the true feed; a spoilt one is made anew. */
  const pack = (variant: Variant) => {
    if (variant === 'empty' || variant === 'layout') return packFeed(world, origin, variant)
    if (kept?.revision !== world.revision())
      kept = { revision: world.revision(), packed: packFeed(world, origin, 'true') }
    return kept.packed
  }
  return {
    answer(call) {
      const path = call.url.pathname
      if (call.method === 'POST')
        return fixed('other', 405, { ...TEXT, allow: 'GET, HEAD' }, () => Buffer.alloc(0))
      if (path === '/feeds/kyero-v3.xml.gz')
        return feedReply(world, { 'content-type': 'application/gzip' }, 'gz', () => pack(call.variant))
      if (path === '/feeds/kyero-v3.xml') return plainFeed(world, call, pack)
      const listing = /^(?:\/[a-z]{2})?\/propiedad\/E([\w-]+)\.htm$/.exec(path)
      if (listing) return detail(world, listing[1]!)
      const photo = /^\/media\/E([\w-]+)\/(\d{1,2})\.png$/.exec(path)
      if (photo) return photoOf(world, photo[1]!, Number(photo[2]))
      if (path === '/robots.txt') return fixed('robots', 200, TEXT, () => Buffer.from(ROBOTS))
      if (path === '/') return fixed('other', 200, HTML, homePage)
      if (path === '/acceso/') return fixed('other', 200, HTML, () => partnerLoginPage('Portal E'))
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
    ? feedReply(world, { ...XML, 'content-encoding': 'gzip' }, 'encoded', () => pack(variant))
    : feedReply(world, XML, 'plain', () => gunzipSync(pack(variant)))
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

function findAdvert(world: World, id: string): number | undefined {
  const index = world.find(id)
  return index !== undefined && world.figures(index).city.country === 'ES' ? index : undefined
}

function detail(world: World, id: string): Reply {
  const index = findAdvert(world, id)
  if (index === undefined) return notFound('detail')
  if (world.isWithdrawn(index))
    return fixed('detail', 410, HTML, () =>
      messagePage('Anuncio retirado', 'Este inmueble ya no está en venta ni en alquiler.'),
    )
  const { updatedAt } = world.figures(index)
  return {
    kind: 'detail',
    status: 200,
    headers: HTML,
    etag: `"${world.key}-${index}-${updatedAt}"`,
    lastModified: updatedAt,
    render: () => advertPage('Portal E', world.advert(index)),
  }
}

function photoOf(world: World, id: string, number: number): Reply {
  const index = findAdvert(world, id)
  if (index === undefined || number < 1 || number > world.advert(index).photoCount) return notFound('photo')
  return {
    kind: 'photo',
    status: 200,
    headers: PNG,
    etag: `"${world.key}-${index}-${number}"`,
    lastModified: world.figures(index).publishedAt,
    render: () => drawPhoto(world.seed, index, number),
  }
}

function notFound(kind: RequestKind): Reply {
  return fixed(kind, 404, HTML, () => messagePage('Página no encontrada', 'Esta dirección no existe.'))
}

function fixed(
  kind: RequestKind,
  status: number,
  headers: Record<string, string>,
  render: () => Buffer,
): Reply {
  return { kind, status, headers, render }
}

const ROBOTS = `# Portal E (simulado)
User-agent: *
Disallow: /admin/
Disallow: /leads/
Allow: /feeds/
Allow: /propiedad/
`
