// portal_h: alerts as Atom feeds, and a small page for each advert.
import { drawPhoto } from '../photo.ts'
import type { Portal, PortalCall, Reply, RequestKind } from '../portal.ts'
import type { World } from '../world.ts'
import { renderAlert } from './alert.ts'
import { advertPage, homePage, loginPage, messagePage } from './pages.ts'
import { readQuery } from './query.ts'

const HTML = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'private, no-cache' }
const TEXT = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' }
const PNG = { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' }
const ATOM = {
  'content-type': 'application/atom+xml; charset=utf-8',
  'cache-control': 'private, max-age=300',
}

/** The portal over `world`; `origin` is its own address, without a slash at the end. */
export function createPortalH(world: World, origin: string): Portal {
  return {
    answer(call) {
      const path = call.url.pathname
      if (call.method === 'POST')
        return fixed('other', 405, { ...TEXT, allow: 'GET, HEAD' }, () => Buffer.alloc(0))
      if (path === '/alertas.atom') return alert(world, origin, call)
      const listing = /^\/anuncio\/AL([\w-]+)\/$/.exec(path)
      if (listing) return detail(world, origin, listing[1]!, call)
      const photo = /^\/imagen\/AL([\w-]+)-(\d{1,2})\.png$/.exec(path)
      if (photo) return photoOf(world, photo[1]!, Number(photo[2]))
      if (path === '/robots.txt') return fixed('robots', 200, TEXT, () => Buffer.from(ROBOTS))
      if (path === '/') return fixed('other', 200, HTML, homePage)
      if (path === '/acceso/') return fixed('other', 200, HTML, loginPage)
      if (/^\/anuncio\/AL[\w-]+$/.test(path))
        return fixed('other', 301, { ...HTML, location: `${path}/` }, () => Buffer.alloc(0))
      return notFound(/^\/(mensajes|alertas)\//.test(path) ? 'disallowed' : 'other')
    },
  }
}

function alert(world: World, origin: string, { url, variant }: PortalCall): Reply {
  try {
    const { search, page } = readQuery(url.searchParams)
    return {
      kind: 'search',
      status: 200,
      headers: ATOM,
      etag: `"${world.key}-${world.revision()}"`,
      lastModified: world.asOf + world.revision() * 1000,
      render: () => renderAlert(world, origin, { search, page, query: url.searchParams, variant }),
    }
  } catch (error) {
    const text = `No entendemos tu búsqueda (${(error as Error).message}).`
    return fixed('search', 400, HTML, () => messagePage('Búsqueda no válida', text))
  }
}

function detail(world: World, origin: string, id: string, { variant }: PortalCall): Reply {
  const index = findAdvert(world, id)
  if (index === undefined) return notFound('detail')
  if (world.isWithdrawn(index))
    return fixed('detail', 410, HTML, () =>
      messagePage('Anuncio retirado', 'Quien lo publicó ya no lo anuncia. Crea una alerta con tu búsqueda.'),
    )
  const { updatedAt } = world.figures(index)
  const render = () => advertPage(world.advert(index), origin)
  return {
    kind: 'detail',
    status: 200,
    headers: HTML,
    etag: `"${world.key}-${index}-${updatedAt}"`,
    lastModified: updatedAt,
    render: variant === 'layout' ? () => redesigned(render()) : render,
  }
}

/** The same content after a redesign: other names everywhere, and nothing for social networks. */
function redesigned(html: Buffer): Buffer {
  return Buffer.from(
    html
      .toString()
      .replace(/<meta property=[^>]*>\n/g, '')
      .replace(/ class="/g, ' class="r7-'),
  )
}

function findAdvert(world: World, id: string): number | undefined {
  const index = world.find(id)
  return index !== undefined && world.figures(index).city.country === 'ES' ? index : undefined
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
  const text = 'La página que buscas no está aquí.'
  return fixed(kind, 404, HTML, () => messagePage('No encontrado', text))
}

function fixed(
  kind: RequestKind,
  status: number,
  headers: Record<string, string>,
  render: () => Buffer,
): Reply {
  return { kind, status, headers, render }
}

const ROBOTS = `# Portal H (simulado)
User-agent: *
Disallow: /mensajes/
Disallow: /alertas/
Allow: /alertas.atom
Allow: /anuncio/
`
